-- Takes one of the places that an encounter has for codes.
-- KEYS  meta, codes
-- ARGV  name of the place, when it is free again and now (Unix ms), how many there are
-- Answers OK, FULL, or GONE when there is no such encounter.
if redis.call('EXISTS', KEYS[1]) == 0 then return 'GONE' end
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', ARGV[3])
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then return 'FULL' end
redis.call('ZADD', KEYS[2], ARGV[2], ARGV[1])
redis.call('PEXPIREAT', KEYS[2], redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2])
return 'OK'

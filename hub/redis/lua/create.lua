-- Begins the history of an encounter with its first record.
-- KEYS  meta, log, ids
-- ARGV  epoch, secret, id of the command, ack, record
-- Answers OK (also when this very history has begun already) or EXISTS.
if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3]) > 0 then
  local first = redis.call('XRANGE', KEYS[2], 1, 1)[1]
  if first and first[2][2] == ARGV[5] then return 'OK' end
  return 'EXISTS'
end
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
redis.call('HSET', KEYS[1], 'epoch', ARGV[1], 'secret', ARGV[2], 'fence', 0, 'run', run)
redis.call('XADD', KEYS[2], 1, 'r', ARGV[5])
redis.call('HSET', KEYS[3], ARGV[3], '1 ' .. ARGV[4])
return 'OK'

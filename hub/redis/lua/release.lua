-- Gives an encounter up, if the one who does is its owner still.
-- KEYS  meta, lease
-- ARGV  epoch, fence, instance, publish command, channel of the news
local epoch, fence, owner = unpack(redis.call('HMGET', KEYS[1], 'epoch', 'fence', 'owner'))
if epoch ~= ARGV[1] or fence ~= ARGV[2] or owner ~= ARGV[3] then return 0 end
redis.call('DEL', KEYS[2])
-- An extension that is on its way must not bring the lease back.
redis.call('HDEL', KEYS[1], 'owner')
redis.call(ARGV[4], ARGV[5], '0 ' .. epoch .. ' gone')
return 1

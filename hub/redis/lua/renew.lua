-- Extends a lease, if its owner is the last one.
-- KEYS  meta, lease
-- ARGV  epoch, fence, instance, length of the lease in ms
-- Answers 1, or 0 for one that is not the owner any more.
local epoch, fence, owner = unpack(redis.call('HMGET', KEYS[1], 'epoch', 'fence', 'owner'))
if epoch ~= ARGV[1] or fence ~= ARGV[2] or owner ~= ARGV[3] then return 0 end
redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
return 1

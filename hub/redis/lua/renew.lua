-- Extends a lease, if its owner is the last one and the log has what it knows.
-- KEYS  meta, lease, ids
-- ARGV  epoch, fence, instance, length of the lease in ms, the last command that
--       it knows to be in the log and the number of its commit
-- Answers 1, 0 for one that is not the owner any more, or -1 for a log that has
-- lost something: a replica took over, or Redis was put back to an older state.
local epoch, fence, owner = unpack(redis.call('HMGET', KEYS[1], 'epoch', 'fence', 'owner'))
if epoch ~= ARGV[1] or fence ~= ARGV[2] or owner ~= ARGV[3] then return 0 end
local known = redis.call('HGET', KEYS[3], ARGV[5])
if not known or string.match(known, '^%d+') ~= ARGV[6] then return -1 end
redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[4])
return 1

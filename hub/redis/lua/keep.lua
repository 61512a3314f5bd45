-- Stores a snapshot, if the one who does is the owner, and forgets the oldest.
-- KEYS  meta, snapshots
-- ARGV  epoch, fence, instance, number of the commit, snapshot, how many to keep
local epoch, fence, owner = unpack(redis.call('HMGET', KEYS[1], 'epoch', 'fence', 'owner'))
if epoch ~= ARGV[1] or fence ~= ARGV[2] or owner ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[2], ARGV[4], ARGV[5])
local kept = redis.call('HKEYS', KEYS[2])
table.sort(kept, function(a, b) return tonumber(a) > tonumber(b) end)
for i = tonumber(ARGV[6]) + 1, #kept do
  redis.call('HDEL', KEYS[2], kept[i])
end
return 1

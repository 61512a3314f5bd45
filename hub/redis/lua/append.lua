-- Adds an entry to a log, whole or not at all, and publishes what it shows.
-- KEYS  meta, log, ids, lease
-- ARGV  epoch, fence, instance, head, length of the lease in ms, publish
--       command, number of records; then for each record its number, the id of
--       its command, its ack and itself; then for each frame its channel and
--       the message
-- Answers {OK}, {DUP, index, seq, ack}, {FENCED}, {EPOCH}, {SEQ, head} or
-- {CORRUPT}.
local epoch, fence, owner = unpack(redis.call('HMGET', KEYS[1], 'epoch', 'fence', 'owner'))
if epoch ~= ARGV[1] then return {'EPOCH'} end
-- An owner that doubts its lease in time sends nothing late. What it has sent may
-- be late all the same, and the next one may have added nothing yet.
if fence ~= ARGV[2] or owner ~= ARGV[3] then return {'FENCED'} end
-- Every commit has an entry in both. Less is what an eviction leaves.
local head = redis.call('XLEN', KEYS[2])
if redis.call('HLEN', KEYS[3]) ~= head then return {'CORRUPT'} end

local records, at = tonumber(ARGV[7]), 8
for i = 0, records - 1 do
  local known = redis.call('HGET', KEYS[3], ARGV[at + 4 * i + 1])
  if known then
    local seq, ack = string.match(known, '^(%d+) (%d+)$')
    if i == 0 and seq == ARGV[at] and redis.call('XRANGE', KEYS[2], seq, seq)[1][2][2] == ARGV[at + 3] then
      -- This very entry, whose answer was lost. Written to all the same, for
      -- a wait for replicas counts from the last write of this connection.
      redis.call('SET', KEYS[4], ARGV[3], 'PX', ARGV[5])
      return {'OK'}
    end
    return {'DUP', i, seq, ack}
  end
end
if head ~= tonumber(ARGV[4]) then return {'SEQ', head} end
for i = 0, records - 1 do
  if tonumber(ARGV[at + 4 * i]) ~= head + i + 1 then return {'SEQ', head} end
end

for i = 1, records do
  redis.call('XADD', KEYS[2], ARGV[at], 'r', ARGV[at + 3])
  redis.call('HSET', KEYS[3], ARGV[at + 1], ARGV[at] .. ' ' .. ARGV[at + 2])
  at = at + 4
end
redis.call('SET', KEYS[4], ARGV[3], 'PX', ARGV[5])
for i = at, #ARGV, 2 do
  redis.call(ARGV[6], ARGV[i], ARGV[i + 1])
end
return {'OK'}

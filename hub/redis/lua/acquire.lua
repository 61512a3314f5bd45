-- Makes an instance the owner of an encounter, unless another one is.
-- KEYS  meta, log, ids, lease
-- ARGV  instance, length of the lease in ms, name of a next epoch, publish
--       command, channel of the news, how many past epochs to remember
-- Answers {NOTFOUND}, {HELD}, {CORRUPT} or {OK, epoch, fence, head, secret, past,
-- last record}.
local epoch, secret, run, past = unpack(redis.call('HMGET', KEYS[1], 'epoch', 'secret', 'run', 'past'))
if not epoch then return {'NOTFOUND'} end
local holder = redis.call('GET', KEYS[4])
if holder and holder ~= ARGV[1] then return {'HELD'} end
local head = redis.call('XLEN', KEYS[2])
if redis.call('HLEN', KEYS[3]) ~= head then return {'CORRUPT'} end
-- Another Redis than the last time, or the same started anew: commands that
-- were acknowledged may be missing, and no counter of before may count now.
local now = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
past = past or ''
if run ~= now then
  local kept = {}
  for one in string.gmatch(past, '%S+') do table.insert(kept, one) end
  table.insert(kept, epoch .. ':' .. head)
  while #kept > tonumber(ARGV[6]) do table.remove(kept, 1) end
  past = table.concat(kept, ' ')
  epoch = ARGV[3]
  redis.call('HSET', KEYS[1], 'epoch', epoch, 'run', now, 'past', past)
end
local fence = redis.call('HINCRBY', KEYS[1], 'fence', 1)
redis.call('HSET', KEYS[1], 'owner', ARGV[1])
redis.call('SET', KEYS[4], ARGV[1], 'PX', ARGV[2])
redis.call(ARGV[4], ARGV[5], '0 ' .. epoch .. ' new')
local last = redis.call('XREVRANGE', KEYS[2], '+', '-', 'COUNT', 1)[1]
return {'OK', epoch, fence, head, secret, past, last and last[2][2] or ''}

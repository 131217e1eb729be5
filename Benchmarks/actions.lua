-- Sends a cycle of actions to each session of a file. Sessions take turns, so that many requests lie between two
-- requests to one session. IDS names the file, THREADS is the number of wrk's threads, and CYCLE contains the paths
-- after the session with their bodies: "/actions/next= /actions/first=".
local ids, cycle = {}, {}
for line in io.lines(os.getenv("IDS")) do ids[#ids + 1] = line end
for path, body in os.getenv("CYCLE"):gmatch("(%S-)=(%S*)") do cycle[#cycle + 1] = {path, body} end

local threads = 0
function setup(thread)
  thread:set("share", threads)
  threads = threads + 1
end

local first, count, n = 0, 0, 0
local headers = {["Content-Type"] = "application/json"}
function init(args)
  count = math.floor(#ids / tonumber(os.getenv("THREADS")))
  first = share * count
  -- wrk creates one request of the first thread as a test, and never sends it.
  if share == 0 then n = -1 end
  -- A random order, because a sequential one would favor caches.
  math.randomseed(share + 1)
  for i = count, 2, -1 do
    local j = math.random(i)
    ids[first + i], ids[first + j] = ids[first + j], ids[first + i]
  end
end

function request()
  local step = cycle[math.floor(n / count) % #cycle + 1]
  local id = ids[first + n % count + 1]
  n = n + 1
  return wrk.format("POST", "/v1/sessions/" .. id .. step[1], headers, step[2])
end

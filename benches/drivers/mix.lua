-- A mix of what Lua programs do; prints results that depend on all of it.
local scale = tonumber((...) or 1)

local function sieve(n)
  local composite, count, last = {}, 0, 0
  for i = 2, n do
    if not composite[i] then
      count, last = count + 1, i
      for j = i * i, n, i do composite[j] = true end
    end
  end
  return count, last
end

local function queens(n)
  local solutions = 0
  local function place(row, cols, up, down)
    if row == n then solutions = solutions + 1 return end
    local free = ~(cols | up | down) & ((1 << n) - 1)
    while free ~= 0 do
      local bit = free & -free
      free = free ~ bit
      place(row + 1, cols | bit, (up | bit) << 1, (down | bit) >> 1)
    end
  end
  place(0, 0, 0, 0)
  return solutions
end

local Vec = {}
Vec.__index = Vec
Vec.__add = function(a, b) return setmetatable({ a[1] + b[1], a[2] + b[2] }, Vec) end
Vec.__mul = function(a, k) return setmetatable({ a[1] * k, a[2] * k }, Vec) end
function Vec:length() return math.sqrt(self[1] ^ 2 + self[2] ^ 2) end

local function orbit(steps)
  local p, v = setmetatable({ 1, 0 }, Vec), setmetatable({ 0, 1 }, Vec)
  for _ = 1, steps do
    v = v + p * (-0.001 / p:length() ^ 3)
    p = p + v * 0.001
  end
  return string.format("%.9f %.9f", p[1], p[2])
end

local function text(n)
  local parts = {}
  for i = 1, n do parts[#parts + 1] = ("%d:%x;"):format(i * i, i * 7919 % 65536) end
  local s = table.concat(parts)
  local sum, hits = 0, 0
  for a, b in s:gmatch("(%d+):(%x+);") do
    sum = (sum * 31 + tonumber(a) + tonumber(b, 16)) % 2147483647
    if b:find("^f") then hits = hits + 1 end
  end
  local swapped = s:gsub("(%d+):(%x+)", "%2=%1"):upper()
  return #s, sum, hits, swapped:sub(-20), (swapped:reverse():byte(1, 1))
end

local function sorting(n)
  local t, x = {}, 42
  for i = 1, n do
    x = (x * 1103515245 + 12345) % 2147483648
    t[i] = { key = x, name = tostring(x) }
  end
  table.sort(t, function(a, b) return a.name < b.name end)
  return t[1].key, t[n // 2].key, t[n].key
end

local function coroutines(n)
  local function numbers(from, to)
    return coroutine.wrap(function() for i = from, to do coroutine.yield(i) end end)
  end
  local sum = 0
  for i in numbers(1, n) do
    local ok, err = pcall(function() if i % 1000 == 0 then error({ code = i }) end end)
    sum = sum + (ok and i or -err.code)
  end
  return sum
end

print("sieve", sieve(200000 * scale))
print("queens", queens(8))
print("orbit", orbit(100000 * scale))
print("text", text(20000 * scale))
print("sorting", sorting(20000 * scale))
print("coroutines", coroutines(50000 * scale))
print("integers", math.maxinteger // 7, math.mininteger % 11, 7 // -2, -7 % 3, 3.5 // 0.25)

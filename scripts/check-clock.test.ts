import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { checkClock, findSystemTime } from './check-clock.ts'

it('nothing in src uses the time of the system but its clock', () => {
  expect(checkClock(dirname(dirname(fileURLToPath(import.meta.url))))).toEqual([])
})

it.each([
  'const begun = performance.now()',
  'const time = Date.now',
  'const time = new Date()',
  'setTimeout(work, 10)',
  'const timer = setInterval(work, 10).unref()',
  'globalThis.setTimeout(work, 10)',
  'const start = process.hrtime.bigint()',
  'const signal = AbortSignal.timeout(10)',
  "import { setTimeout as pause } from 'node:timers/promises'",
  "import { setImmediate, setTimeout } from 'node:timers/promises'",
  "import timers from 'timers'",
])('%s is found', line => {
  expect(findSystemTime('packages/server/service/x.ts', `first()\n${line}\n`)).toHaveLength(1)
  expect(findSystemTime('packages/base/clock.ts', line)).toEqual([])
})

it.each([
  'const begun = clock.elapsed()',
  'const made = new Date(clock.now())',
  'socket.setTimeout(1000)',
  'setImmediate(work)',
  "import { setImmediate as nextRound } from 'node:timers/promises'",
  '// Date.now() has whole milliseconds.',
  '/** By `performance.now`. */',
  'const name = performance.timeOrigin',
])('%s is allowed', line => {
  expect(findSystemTime('packages/server/service/x.ts', line)).toEqual([])
})

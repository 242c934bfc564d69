import { expect, it, onTestFinished, vi } from 'vitest'
import { RefusalLog } from './refusal-log.ts'

it('a refusal has a line at once, a flood has ten and their numbers, in each minute', () => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const lines: unknown[] = []
  const log = new RefusalLog(line => lines.push(line))
  const busy = { code: 'too-busy', address: '192.0.2.1' } as const
  const garbage = { code: 'malformed-request', address: '192.0.2.2' } as const
  for (let i = 0; i < 500; i++) log.note(i % 5 === 0 ? garbage : busy)
  expect(lines).toHaveLength(10)
  expect(lines.slice(0, 2)).toEqual([garbage, busy])
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(10)).toEqual([{ refused: { 'too-busy': 392, 'malformed-request': 98 } }])
  log.note(busy)
  expect(lines).toHaveLength(12)
  vi.advanceTimersByTime(120_000)
  expect(lines).toHaveLength(12)
  for (let i = 0; i < 11; i++) log.note(busy)
  log.close()
  expect(lines.at(-1)).toEqual({ refused: { 'too-busy': 1 } })
})

import { expect, test } from 'vitest'
import { RequestSteps } from './request-steps.ts'

test('steps of one kind that follow one another are one entry, with the sums of their figures', () => {
  const steps = new RequestSteps()
  steps.end('admission')
  steps.add('records read', steps.now(), { keys: 2, bytes: 10 })
  steps.add('records read', steps.now(), { keys: 1, bytes: 5 })
  steps.add('blobs read', steps.now(), { bytes: 7 })
  steps.add('records committed', steps.now(), { keys: 1, note: 'durable' })
  steps.end('run')
  expect(steps.format().replaceAll(/dur=[\d.]+/g, 'dur=0')).toBe(
    'admission;dur=0, run;dur=0, records-read;dur=0;desc="2 calls, 3 keys, 15 bytes", ' +
      'blobs-read;dur=0;desc="7 bytes", records-committed;dur=0;desc="1 key, durable"',
  )
})

test('a phase that comes again has the sum of its times, and the header has a limit', () => {
  const steps = new RequestSteps()
  for (const phase of ['find', 'run', 'find', 'run', 'commit'] as const) steps.end(phase)
  for (let i = 0; i < 100; i++) steps.add(i % 2 ? 'records read' : 'blobs read', steps.now(), { bytes: i })
  expect(Object.keys(steps.toLog().phases)).toEqual(['find', 'run', 'commit'])
  expect(steps.toLog().steps).toHaveLength(100)
  expect(steps.format().split(', ').length).toBeLessThanOrEqual(40)
})

test('steps beyond a limit are counted only', () => {
  const steps = new RequestSteps()
  for (let i = 0; i < 2500; i++) steps.add(i % 2 ? 'records read' : 'blobs read', steps.now(), { bytes: i })
  expect(steps.toLog().steps).toHaveLength(1000)
  expect(steps.toLog()).toMatchObject({ stepsLeftOut: 1500 })
})

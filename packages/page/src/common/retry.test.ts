import { type Hyperslab, RequestError } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { unreachable } from './errors.ts'
import { Attempts, mayPass, serviceAnswers } from './retry.ts'

test.each([
  ['a service that is away', unreachable(), true],
  ['one that has too many requests', new RequestError('x', 503, 'x'), true],
  ['a budget that is used up', new RequestError('x', 429, 'x'), true],
  ['a defect', new RequestError('x', 500, 'x'), true],
  ['what the service does not do', new RequestError('x', 501, 'x'), false],
  ['a request that is wrong', new RequestError('x', 400, 'x'), false],
  ['what is not there', new RequestError('x', 404, 'x'), false],
  ['nothing', undefined, false],
])('%s may pass: %j %s', (_, error, expected) => {
  expect(mayPass(error)).toBe(expected)
})

/** Waits, without time, until the service answers, and returns the pauses in seconds. */
async function pausesUntil(answers: readonly boolean[], attempts: number, abort = new AbortController()) {
  const pauses: number[] = []
  let asked = 0
  const client = {
    request: async () => {
      if (!answers[asked++]) throw unreachable()
      return {}
    },
  } as unknown as Hyperslab
  const pause = async (milliseconds: number) => {
    pauses.push(milliseconds / 1000)
    if (pauses.length === 20) abort.abort()
  }
  await serviceAnswers(client, attempts, pause, abort.signal)
  return pauses
}

test('a request is sent again when the service answers, with pauses that grow to half a minute', async () => {
  expect(await pausesUntil([true], 1)).toEqual([1])
  expect(await pausesUntil([false, false, true], 1)).toEqual([1, 2, 4])
  expect(await pausesUntil([...Array<boolean>(7).fill(false), true], 1)).toEqual([1, 2, 4, 8, 16, 30, 30, 30])
})

test('what fails again and again is sent later each time', async () => {
  const attempts = new Attempts()
  const counts = [0, 1000, 5000, 5000 + 119_000, 5000 + 119_000 + 121_000].map(now => attempts.next(now))
  expect(counts).toEqual([1, 2, 3, 4, 1])
  expect(await pausesUntil([true], 3)).toEqual([4])
})

test('nothing is asked once the page shows another place', async () => {
  await expect(pausesUntil([], 1)).rejects.toThrow('aborted')
})

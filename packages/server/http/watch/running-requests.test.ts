import { describe, expect, it } from 'vitest'
import type { AskProcesses } from './processes.ts'
import {
  describeRunning,
  END_REQUEST,
  LIST_REQUESTS,
  type Running,
  type RunningRequest,
  RunningRequests,
  stateOf,
} from './running-requests.ts'

const FACTS = {
  id: 'a-1',
  state: 'working',
  method: 'GET',
  operation: 'get-value',
  dialect: 'hsds',
  user: undefined,
  callers: 'anonymous',
  address: '192.0.2.7',
  path: '/',
  received: 0,
  sent: 0,
  milliseconds: 0,
} as const

function source(...requests: readonly RunningRequest[]) {
  const running = new Map<RunningRequest, Running>(
    requests.map(request => [request, { describe: () => request, end: () => void running.delete(request) }]),
  )
  return { running: () => running.values() }
}

const request = (id: string, since: number, operation = 'get-value'): RunningRequest => ({
  ...describeRunning({ ...FACTS, id, operation }),
  since,
})

const idsOf = async (running: RunningRequests) => (await running.list()).requests.map(({ id }) => id)

describe('the state of a request', () => {
  const idle = { isLive: false, hasBegunAnswer: false, queuesFor: undefined, awaitsBody: false }

  it.each([
    ['working', {}],
    ['receiving', { awaitsBody: true }],
    ['queued-for-slot', { queuesFor: 'slot' }],
    ['queued-for-memory', { queuesFor: 'memory' }],
    ['streaming', { hasBegunAnswer: true }],
    ['listening', { hasBegunAnswer: true, isLive: true }],
    ['working', { isLive: true }],
  ] as const)('is %s', (state, work) => {
    expect(stateOf({ ...idle, ...work })).toBe(state)
  })
})

describe('the description of a request', () => {
  it('has only what there is', () => {
    expect(describeRunning({ ...FACTS, operation: undefined })).not.toHaveProperty('operation')
    expect(describeRunning(FACTS)).not.toHaveProperty('user')
    expect(describeRunning({ ...FACTS, user: 'ann' })).toMatchObject({ user: 'ann', callers: 'anonymous' })
  })

  it('is short, however long the address is', () => {
    const long = `/${'x'.repeat(100_000)}`
    expect(JSON.stringify(describeRunning({ ...FACTS, path: long, domain: long })).length).toBeLessThan(2000)
  })
})

describe('the running requests', () => {
  it('are listed, the longest first, without those about requests', async () => {
    const running = new RunningRequests(
      source(
        request('b', 20),
        request('list', 5, LIST_REQUESTS),
        request('a', 10),
        request('end', 6, END_REQUEST),
      ),
    )
    expect(await idsOf(running)).toEqual(['a', 'b'])
  })

  it('end by their id, all that have it, and nothing else does', async () => {
    const running = new RunningRequests(
      source(request('a', 1), request('b', 2), request('a', 3), request('a', 4, END_REQUEST)),
    )
    expect(await running.end('c')).toBe(0)
    expect(await running.end('a')).toBe(2)
    expect(await idsOf(running)).toEqual(['b'])
    expect(await running.end('a')).toBe(0)
  })

  it('are those of all processes, and the list says how many processes are silent', async () => {
    const processes: Map<string, (about: string) => unknown>[] = []
    const join = (): AskProcesses => {
      const own = new Map<string, (about: string) => unknown>()
      processes.push(own)
      return <T>(question: string, answer: (about: string) => T | Promise<T>) => {
        own.set(question, answer)
        return async (about: string) => {
          const answers = await Promise.all(processes.map(process => process.get(question)?.(about)))
          return { answers: answers as T[], silent: 1, restarts: 0 }
        }
      }
    }
    const first = new RunningRequests(source(request('a', 2)), join())
    const second = new RunningRequests(source(request('b', 1)), join())
    expect(await idsOf(first)).toEqual(['b', 'a'])
    expect((await second.list()).silent).toBe(1)
    expect(await second.end('a')).toBe(1)
    expect(await idsOf(second)).toEqual(['b'])
  })
})

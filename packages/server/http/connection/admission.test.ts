import { EventEmitter } from 'node:events'
import { HyperslabError } from '@hyperslab/base/errors'
import { describe, expect, test, vi } from 'vitest'
import { Admission, bodyCost, FairBudget, streamCost } from './admission.ts'
import { ClientLeft } from './client-left.ts'

class Client extends EventEmitter {
  writableLength = 0
  readonly socket = { destroyed: false }
}

const AT_ONCE = { begin: (work: () => void) => work() }

function budgetOf(capacity: number, maxWaiting: number, waitSeconds: number): FairBudget {
  return new FairBudget(capacity, maxWaiting, waitSeconds, AT_ONCE)
}

/** Takes for one user after another, and keeps the users in the order in which they are admitted. */
function crowd(budget: FairBudget) {
  const admitted: string[] = []
  const held: { user: string; give: () => void }[] = []
  const clients: Client[] = []
  const hold = (user: string, queue: Awaited<ReturnType<FairBudget['take']>>, amount: number) => {
    admitted.push(user)
    held.push({ user, give: () => budget.give(queue, amount) })
  }
  return {
    admitted,
    clients,
    come(user: string, amount = 1) {
      const client = new Client()
      clients.push(client)
      const taken = budget.take(user, amount, client)
      if (!(taken instanceof Promise)) hold(user, taken, amount)
      else taken.then(line => hold(user, line, amount)).catch(() => {})
      return taken
    },
    async go(user: string) {
      const position = held.findIndex(one => one.user === user)
      held.splice(position, 1)[0]?.give()
      await new Promise(resolve => setImmediate(resolve))
    },
  }
}

describe('a budget', () => {
  test('gives at once, without a promise, as long as there is room', () => {
    const { come } = crowd(budgetOf(4, 100, 30))
    for (const user of ['ann', 'ann', 'ann', 'bob']) expect(come(user)).not.toBeInstanceOf(Promise)
  })

  test('one user with a thousand requests does not starve another one with one', async () => {
    const budget = budgetOf(4, 10_000, 30)
    const { come, go, admitted } = crowd(budget)
    for (let i = 0; i < 1000; i++) come('ann')
    // The last quarter is for users with nothing running.
    expect({ admitted, waiting: budget.waiting }).toEqual({ admitted: ['ann', 'ann', 'ann'], waiting: 997 })
    await come('bob')
    expect(admitted.at(-1)).toBe('bob')
    come('eve')
    await go('ann')
    expect(admitted.at(-1)).toBe('eve')
  })

  test('requests of users are admitted alternately', async () => {
    const { come, go, admitted } = crowd(budgetOf(4, 100, 30))
    for (const user of ['x', 'x', 'x', 'y']) come(user)
    for (const user of ['ann', 'ann', 'ann', 'bob', 'bob', 'bob']) come(user)
    admitted.length = 0
    for (const user of ['y', 'x', 'x', 'x', 'ann', 'bob', 'ann', 'bob']) await go(user)
    expect(admitted).toEqual(['ann', 'bob', 'ann', 'bob', 'ann', 'bob'])
  })

  test('a large request is not passed over for a small one', async () => {
    const { come, go, admitted } = crowd(budgetOf(8, 100, 30))
    come('x', 2)
    come('y', 2)
    come('z', 3)
    come('large', 2)
    come('small', 1)
    expect(admitted).toEqual(['x', 'y', 'z'])
    await go('z')
    expect(admitted.slice(3)).toEqual(['large', 'small'])
  })

  test('a client that leaves while it waits leaves the queue, and those behind it move up', async () => {
    const budget = budgetOf(4, 100, 30)
    const { come, clients, admitted } = crowd(budget)
    for (const user of ['w', 'x', 'y']) come(user)
    const first = come('ann', 2)
    come('bob', 1)
    expect(admitted).toEqual(['w', 'x', 'y'])
    clients[3]?.emit('close')
    await expect(first).rejects.toBeInstanceOf(ClientLeft)
    await Promise.resolve()
    expect({ last: admitted.at(-1), waiting: budget.waiting, used: budget.used }).toEqual({
      last: 'bob',
      waiting: 0,
      used: 4,
    })
  })

  test('a client that has left already does not wait', async () => {
    const budget = budgetOf(1, 100, 30)
    const { come } = crowd(budget)
    come('ann')
    const gone = new Client()
    gone.socket.destroyed = true
    await expect(budget.take('bob', 1, gone)).rejects.toBeInstanceOf(ClientLeft)
    expect(budget.waiting).toBe(0)
  })

  test('a request that queued too long, or finds the queues full, is rejected with the time of the next try', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const budget = budgetOf(1, 4, 12)
      const { come } = crowd(budget)
      come('ann')
      const waiting = [come('ann'), come('ann'), come('ann')]
      await expect(come('ann')).rejects.toMatchObject({ code: 'too-busy', retryAfter: 1 })
      // The queues are never so full of one user that another one could not join.
      const other = come('bob')
      await expect(come('eve')).rejects.toBeInstanceOf(HyperslabError)
      const ends = Promise.allSettled([...waiting, other])
      vi.advanceTimersByTime(12_000)
      for (const end of await ends) {
        expect(end).toMatchObject({ reason: { code: 'too-busy', retryAfter: 12 } })
      }
      expect({ waiting: budget.waiting, rejected: budget.rejected, used: budget.used }).toEqual({
        waiting: 0,
        rejected: 6,
        used: 1,
      })
    } finally {
      vi.useRealTimers()
    }
  })

  test.each([1, 2, 3])(
    'random comings and goings end with nothing used and nothing waiting (seed %i)',
    async seed => {
      let state = seed
      const random = (below: number) => {
        state = (state * 48_271) % 2_147_483_647
        return state % below
      }
      const budget = budgetOf(40, 200, 30)
      const { come, go, admitted, clients } = crowd(budget)
      let gone = 0
      let most = 0
      for (let i = 0; i < 3000; i++) {
        if (random(3) > 0) come(`user ${random(7)}`, 1 + random(10))
        else if (random(4) === 0) clients[random(clients.length)]?.emit('close')
        else if (gone < admitted.length) {
          gone++
          await go(admitted[gone - 1] ?? '')
        }
        most = Math.max(most, budget.used)
      }
      expect(most).toBeLessThanOrEqual(40)
      while (gone < admitted.length) await go(admitted[gone++] ?? '')
      expect({ used: budget.used, waiting: budget.waiting }).toEqual({ used: 0, waiting: 0 })
    },
  )
})

describe('a request', () => {
  const limits = { requests: 4, bytes: 64 * 2 ** 20, waitSeconds: 30 }

  test('that streams has bytes instead of a slot, and gives all back at its end', () => {
    const admission = new Admission(limits, AT_ONCE)
    const request = admission.begin('ann', new Client(), 'read')
    expect(request.work()).toBeUndefined()
    expect(admission.reads.used).toBe(1)
    expect(request.stream(streamCost(2 ** 23))).toBeUndefined()
    expect([admission.reads.used, admission.bytes.used]).toEqual([0, 2 ** 23])
    request.end()
    expect([admission.reads.used, admission.bytes.used]).toEqual([0, 0])
  })

  test('that streams holds no more than is left to be sent, so that others begin', async () => {
    const admission = new Admission(limits, AT_ONCE)
    const begin = (user: string) => {
      const request = admission.begin(user, new Client(), 'read')
      return { request, room: request.stream(streamCost()) }
    }
    const [first, second, third, fourth] = ['ann', 'ann', 'ann', 'ann'].map(begin)
    expect([first, second, third].map(({ room }) => room)).toEqual([undefined, undefined, undefined])
    expect(fourth.room).toBeInstanceOf(Promise)
    first.request.release(2 ** 30)
    expect([admission.bytes.used, admission.bytes.waiting]).toEqual([3 * 2 ** 24, 1])
    first.request.release(1000)
    expect(admission.bytes.used).toBe(2 * 2 ** 24 + 1000)
    for (const { request } of [second, third]) request.release(2 ** 20)
    await fourth.room
    expect(admission.bytes.used).toBe(1000 + 2 * 2 ** 20 + 2 ** 24)
    first.request.release(0)
    for (const { request } of [first, second, third, fourth]) request.end()
    expect([admission.bytes.used, admission.bytes.waiting]).toEqual([0, 0])
  })

  test('a large answer that its client has not taken yet counts until it has', () => {
    const admission = new Admission(limits, AT_ONCE)
    const client = new Client()
    const request = admission.begin('ann', client, 'read')
    request.work()
    client.writableLength = 5_000_000
    request.end()
    expect([admission.reads.used, admission.bytes.used]).toEqual([0, 5_000_000])
    client.emit('close')
    expect(admission.bytes.used).toBe(0)
  })

  test('has a slot among the reads or the writes, of which there are twice as many', async () => {
    const admission = new Admission(limits, AT_ONCE)
    const clients = Array.from({ length: 12 }, () => new Client())
    const rooms = (['read', 'write'] as const).map(does =>
      clients.map((client, i) => admission.begin(`user ${i}`, client, does).work()),
    )
    const atOnce = rooms.map(all => all.filter(room => room === undefined).length)
    expect([...atOnce, admission.working, admission.waiting]).toEqual([4, 8, 12, 12])
    for (const client of clients) client.emit('close')
    const left = await Promise.allSettled(rooms.flat().filter(room => room !== undefined))
    expect(left.map(({ status }) => status)).toEqual(new Array(12).fill('rejected'))
    expect(admission.waiting).toBe(0)
  })

  test('that has queued begins when the pacing lets it', async () => {
    const begun: (() => void)[] = []
    const admission = new Admission(limits, { begin: work => void begun.push(work) })
    const working = Array.from({ length: 4 }, (_, i) => admission.begin(`user ${i}`, new Client(), 'read'))
    for (const request of working) expect(request.work()).toBeUndefined()
    let isBegun = false
    const waiting = admission.begin('ann', new Client(), 'read')
    const room = waiting.work()?.then(() => {
      isBegun = true
    })
    working[0]?.end()
    await Promise.resolve()
    expect([admission.reads.used, begun.length, isBegun]).toEqual([4, 1, false])
    begun[0]?.()
    await room
    expect(isBegun).toBe(true)
    for (const request of [...working, waiting]) request.end()
    expect(admission.reads.used).toBe(0)
  })

  test('that queues has a name for the thing it queues for, until it begins', async () => {
    const admission = new Admission(limits, AT_ONCE)
    const begin = (user: string) => admission.begin(user, new Client(), 'read')
    const working = Array.from({ length: 4 }, (_, i) => begin(`user ${i}`))
    for (const request of working) request.work()
    expect(working[0]?.queuesFor).toBeUndefined()
    const waiting = begin('ann')
    const room = waiting.work()
    expect(waiting.queuesFor).toBe('slot')
    for (const request of working) request.end()
    await room
    expect(waiting.queuesFor).toBeUndefined()
    const streams = [1, 2, 3, 4].map(() => begin('ben'))
    const rooms = streams.map(stream => stream.stream(streamCost()))
    expect(streams.map(({ queuesFor }) => queuesFor)).toEqual([undefined, undefined, undefined, 'memory'])
    streams[0]?.end()
    await rooms[3]
    expect(streams[3]?.queuesFor).toBeUndefined()
  })

  test('holds no more than 128 MiB, however much memory there is', () => {
    const admission = new Admission({ ...limits, bytes: 2 ** 31 }, AT_ONCE)
    const request = admission.begin('ann', new Client(), 'write')
    request.stream(2 ** 30)
    expect(admission.bytes.used).toBe(2 ** 27)
    request.hold(2 ** 25)
    expect(() => request.hold(2 ** 24)).toThrow(/more than 44739242 bytes of memory/)
    request.end()
  })

  test('slow clients of one user leave room for another user', () => {
    const admission = new Admission(limits, AT_ONCE)
    const begin = (user: string) => admission.begin(user, new Client(), 'read').stream(streamCost())
    const own = [1, 2, 3, 4].map(() => begin('ann'))
    expect(own.map(room => room === undefined)).toEqual([true, true, true, false])
    own[3]?.catch(() => {})
  })
})

test('what a stream and a body count', () => {
  expect([streamCost(), streamCost(0), streamCost(2 ** 22), streamCost(2 ** 40)]).toEqual([
    2 ** 24,
    2 ** 20,
    2 ** 22,
    2 ** 24,
  ])
  expect([bodyCost(100, 1000), bodyCost(undefined, 1000), bodyCost(5000, 1000)]).toEqual([
    1600, 16_000, 16_000,
  ])
})

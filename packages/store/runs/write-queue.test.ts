import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Slot, WriteQueues } from './write-queue.ts'

const slotWithKey = (queues: WriteQueues<string>): Slot<string> => {
  const slot = queues.openSlot()
  expect(slot.queue.claimKey('key')).toBe(true)
  return slot
}

describe('a write queue', () => {
  it('gives its slot in order, and gives up its keys when the last one is released', async () => {
    const queues = new WriteQueues<string>()
    const first = slotWithKey(queues)
    const order: string[] = []
    const others = ['a', 'b', 'c'].map(async name => {
      const slot = await queues.findQueue('key')?.enqueueWork(name)
      order.push(name)
      await Promise.resolve()
      slot?.release()
    })
    expect(order).toEqual([])
    first.release()
    first.release()
    await Promise.all(others)
    expect(order).toEqual(['a', 'b', 'c'])
    expect(queues.findQueue('key')).toBeUndefined()
    expect(queues.isEmpty).toBe(true)
  })

  it('claims keys that no other queue gets meanwhile', () => {
    const queues = new WriteQueues<string>()
    const first = slotWithKey(queues)
    const second = queues.openSlot()
    expect(second.queue.claimKey('key')).toBe(false)
    expect(first.queue.claimKey('key')).toBe(true)
    first.release()
    expect(second.queue.claimKey('key')).toBe(true)
    second.release()
    expect(queues.isEmpty).toBe(true)
  })

  it('gives out the works of its entries, up to one that needs a slot', async () => {
    const queues = new WriteQueues<string>()
    const first = slotWithKey(queues)
    const { queue } = first
    const [a, b] = [queue.enqueueWork('a'), queue.enqueueWork('b')]
    const own = queue.acquireSlot()
    const c = queue.enqueueWork('c')
    const taken = [queue.takeEntry(), queue.takeEntry()]
    expect(taken.map(entry => entry?.work)).toEqual(['a', 'b'])
    expect(queue.takeEntry()).toBeUndefined()
    taken[0]?.resume(undefined)
    expect(await a).toBeUndefined()
    if (taken[1]) queue.putBackEntries([taken[1]])
    first.release()
    const slot = await b
    slot?.release()
    ;(await own).release()
    ;(await c)?.release()
    expect(queues.isEmpty).toBe(true)
  })

  it.each(['a slot', 'work'])(
    'is absorbed by the one whose key its holder meets, when that waits for %s',
    async what => {
      const queues = new WriteQueues<string>()
      const [one, other] = [slotWithKey(queues), queues.openSlot()]
      other.queue.claimKey('other key')
      const behind = ['a', 'b'].map(work => other.queue.enqueueWork(work))
      const moved =
        what === 'a slot' ? queues.acquireSlot('key', other) : queues.enqueueWork('key', other, 'moved')
      other.release()
      expect(queues.findQueue('other key')).toBe(one.queue)
      one.release()
      const slot = await moved
      // The writes that waited behind it can run along with it.
      const taken = [slot?.queue.takeEntry(), slot?.queue.takeEntry()]
      expect(taken.map(entry => entry?.work)).toEqual(['a', 'b'])
      for (const entry of taken) entry?.resume(undefined)
      expect(await Promise.all(behind)).toEqual([undefined, undefined])
      slot?.release()
      expect(queues.isEmpty).toBe(true)
    },
  )

  it('that never gets empty does not claim ever more keys', () => {
    const queues = new WriteQueues<string>()
    const slot = slotWithKey(queues)
    for (let i = 0; i < 5000; i++) slot.queue.claimKey(`key${i}`)
    expect([queues.findQueue('key'), queues.findQueue('key4999')]).toEqual([undefined, slot.queue])
    const kept = Array.from({ length: 5000 }, (_, i) => queues.findQueue(`key${i}`)).filter(
      queue => queue !== undefined,
    )
    expect(kept).toHaveLength(1024)
    slot.release()
    expect(queues.isEmpty).toBe(true)
  })

  it('does not wait long for a write that runs by itself', async () => {
    const queues = new WriteQueues<string>()
    const solo = slotWithKey(queues)
    const slot = await solo.queue.enqueueWork('a')
    expect(solo.isReleased).toBe(true)
    expect(queues.findQueue('key')).toBe(solo.queue)
    // It would now have to wait for a slot like all others.
    const again = queues.acquireSlot('key', solo)
    slot?.release()
    ;(await again).release()
    expect(queues.isEmpty).toBe(true)
  })
})

describe('a slot whose commit was shared', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is released when as many writes wait again', async () => {
    vi.useFakeTimers()
    const queues = new WriteQueues<string>()
    const slot = slotWithKey(queues)
    slot.releaseAfter(2, 20)
    expect(slot.isReleased).toBe(false)
    const first = slot.queue.enqueueWork('a')
    expect(slot.isReleased).toBe(false)
    void slot.queue.enqueueWork('b')
    expect(slot.isReleased).toBe(true)
    const next = await first
    expect(next?.queue.takeEntry()?.work).toBe('b')
    next?.release()
    expect(vi.getTimerCount()).toBe(0)
    expect(queues.isEmpty).toBe(true)
  })

  it('counts writes that were in the queue already, and those of a queue that is absorbed', () => {
    const queues = new WriteQueues<string>()
    const slot = slotWithKey(queues)
    void slot.queue.enqueueWork('a')
    const other = queues.openSlot()
    void other.queue.enqueueWork('b')
    slot.releaseAfter(2, 20)
    expect(slot.isReleased).toBe(false)
    slot.queue.absorbQueue(other.queue)
    expect(slot.isReleased).toBe(true)
    const busy = slotWithKey(new WriteQueues<string>())
    for (const work of ['a', 'b', 'c']) void busy.queue.enqueueWork(work)
    busy.releaseAfter(2, 20)
    expect(busy.isReleased).toBe(true)
  })

  it.each([
    [20, 20],
    [60_000, 50],
  ])('of %i ms is released after %i ms at the latest', (took, most) => {
    vi.useFakeTimers()
    const queues = new WriteQueues<string>()
    const slot = slotWithKey(queues)
    slot.releaseAfter(16, took)
    vi.advanceTimersByTime(most - 1)
    expect([slot.isReleased, queues.isEmpty]).toEqual([false, false])
    vi.advanceTimersByTime(1)
    expect([slot.isReleased, queues.isEmpty]).toEqual([true, true])
  })

  it('is released at once if no other write took part', () => {
    const queues = new WriteQueues<string>()
    slotWithKey(queues).releaseAfter(1, 20)
    expect(queues.isEmpty).toBe(true)
  })
})

describe('a slot for a key', () => {
  it('is the one that the write has, if no other queue has claimed the key', async () => {
    const queues = new WriteQueues<string>()
    const slot = queues.openSlot()
    expect(await queues.acquireSlot('key', slot)).toBe(slot)
    expect(await queues.acquireSlot('key', slot)).toBe(slot)
    slot.release()
    const later = await queues.acquireSlot('key', slot)
    expect(later.isReleased).toBe(false)
    expect(queues.findQueue('key')).toBe(later.queue)
  })

  it('is released before the write waits for another one, so two that want each other’s both get it', async () => {
    const queues = new WriteQueues<string>()
    const [one, other] = [queues.openSlot(), queues.openSlot()]
    one.queue.claimKey('one')
    other.queue.claimKey('other')
    const slots = [queues.acquireSlot('other', one), queues.acquireSlot('one', other)]
    const [first, second] = await Promise.all(slots.map(async slot => (await slot).release()))
    expect([first, second]).toEqual([undefined, undefined])
    expect(queues.isEmpty).toBe(true)
  })
})

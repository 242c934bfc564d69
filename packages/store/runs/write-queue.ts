// The order in which writes of this process change the same records. Writes that change the same records at once would
// conflict: all would run, one would commit, and the others would run again. So a write that meets a key which another
// write has claimed waits in the queue of that key. A queue gives its slot to one write at a time, in the order of
// arrival. The holder of the slot may run the work of the writes that wait behind it along with its own
// (shared-writes.ts). No write holds a slot while it waits for another one, so there is no deadlock.
//
// Queues only save work. Correctness depends on the expectations of each commit alone, and between processes there are
// no queues.

import { type CancelTimer, type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'

/**
 * The time for which other writes wait for one that runs by itself; then the next one starts, and the expectations of
 * the commits decide.
 * @limit safety, ms
 */
const MAX_SOLO_MILLISECONDS = 200

/** The longest time for which a slot waits for the writes that have shared its last commit to come again. */
const GATHER_MILLISECONDS = 50

/** Works that run in one slot. @limit safety, works */
export const MAX_WORKS = 256

/** Keys that a queue has claimed; beyond them it drops those that it claimed first. @limit safety, keys */
const MAX_KEYS = 1024

/** A write that waits in a queue. */
export interface QueueEntry<Work> {
  /** The work that the holder of the slot may run for it; absent: the write needs a slot of its own. */
  readonly work: Work | undefined
  /** Ends the wait. Undefined: the holder of another slot has run the work. */
  readonly resume: (slot: Slot<Work> | undefined) => void
}

/** Write queues by the keys that they have claimed. */
export class WriteQueues<Work> {
  readonly #byKey = new Map<string, WriteQueue<Work>>()
  readonly #clock: Clock

  constructor(clock: Clock = SYSTEM_CLOCK) {
    this.#clock = clock
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0
  }

  findQueue(key: string): WriteQueue<Work> | undefined {
    return this.#byKey.get(key)
  }

  /** The slot of a new queue, which others find once the queue has claimed a key. */
  openSlot(): Slot<Work> {
    return new WriteQueue<Work>(this.#byKey, this.#clock).openSlot()
  }

  /**
   * Puts the work into the queue that has claimed the key, or else into that of `slot`, which then claims it and is
   * still to be released.
   */
  async enqueueWork(key: string, slot: Slot<Work>, work: Work): Promise<Slot<Work> | undefined> {
    const queue = this.findQueue(key) ?? (slot.isReleased ? undefined : slot.queue)
    if (queue === undefined) return this.acquireSlot(key, slot)
    queue.claimKey(key)
    const acquired = queue.enqueueWork(work)
    if (!slot.isReleased) queue.absorbQueue(slot.queue)
    return acquired
  }

  /**
   * A slot of the queue that has claimed the key, or else `slot`, whose queue then claims it; where it is another slot,
   * `slot` is released.
   */
  async acquireSlot(key: string, slot: Slot<Work>): Promise<Slot<Work>> {
    const queue = this.findQueue(key)
    if (queue === undefined && !slot.isReleased) {
      slot.queue.claimKey(key)
      return slot
    }
    if (queue === slot.queue && !slot.isReleased) return slot
    if (queue !== undefined) {
      const acquired = queue.acquireSlot()
      if (!slot.isReleased) queue.absorbQueue(slot.queue)
      slot.release()
      return acquired
    }
    slot.release()
    const opened = this.openSlot()
    opened.queue.claimKey(key)
    return opened
  }
}

export class WriteQueue<Work> {
  /** Works that run in one slot at most: fewer while another process keeps committing in between. */
  maxWorks = MAX_WORKS
  readonly #clock: Clock
  readonly #byKey: Map<string, WriteQueue<Work>>
  readonly #keys: string[] = []
  readonly #entries: QueueEntry<Work>[] = []
  /** The slot of a write that runs by itself. */
  #soloSlot: Slot<Work> | undefined
  #cancelSolo: CancelTimer | undefined
  /** A slot that is released when that many writes wait. */
  #gathering: { readonly slot: Slot<Work>; readonly count: number; readonly cancel: CancelTimer } | undefined

  constructor(byKey: Map<string, WriteQueue<Work>>, clock: Clock) {
    this.#byKey = byKey
    this.#clock = clock
  }

  /** Must be called first; returns the slot of the write that the queue begins with. */
  openSlot(): Slot<Work> {
    this.#soloSlot = new Slot(this)
    return this.#soloSlot
  }

  /**
   * Claims the key for this queue; false: another one has it. The queue drops its keys when no write waits any more.
   */
  claimKey(key: string): boolean {
    const queue = this.#byKey.get(key)
    if (queue !== undefined) return queue === this
    if (this.#keys.length === MAX_KEYS) this.#byKey.delete(this.#keys.shift() ?? '')
    this.#byKey.set(key, this)
    this.#keys.push(key)
    return true
  }

  async acquireSlot(): Promise<Slot<Work>> {
    const slot = await this.enqueueWork(undefined)
    if (slot === undefined) throw new Error('an entry without work was resumed without a slot')
    return slot
  }

  /** Resolves with a slot, or with none when the holder of another slot has run the work. */
  enqueueWork(work: Work | undefined): Promise<Slot<Work> | undefined> {
    const solo = this.#soloSlot
    if (solo !== undefined)
      this.#cancelSolo ??= this.#clock.after(MAX_SOLO_MILLISECONDS, () => solo.release())
    return new Promise(resume => {
      this.#entries.push({ work, resume })
      this.#endGathering()
    })
  }

  /** Releases the slot when `count` writes wait, or after the time. */
  gather(slot: Slot<Work>, count: number, milliseconds: number): void {
    const cancel = this.#clock.after(Math.min(milliseconds, GATHER_MILLISECONDS), () => slot.release())
    this.#gathering = { slot, count, cancel }
    this.#endGathering()
  }

  #endGathering(): void {
    const gathering = this.#gathering
    if (gathering && this.#entries.length >= gathering.count) gathering.slot.release()
  }

  /** Takes the next entry out of the queue if it has work that can be run for it. */
  takeEntry(): (QueueEntry<Work> & { readonly work: Work }) | undefined {
    const [next] = this.#entries
    const { work } = next ?? {}
    if (next === undefined || work === undefined) return undefined
    this.#entries.shift()
    return { work, resume: next.resume }
  }

  putBackEntries(entries: readonly QueueEntry<Work>[]): void {
    this.#entries.unshift(...entries)
  }

  /**
   * Takes over the keys and the entries of another queue, when the holder of its slot has met a key of this queue: the
   * writes that wait there would meet it too. Two queues for keys that the same works change would conflict with each
   * other for as long as writes wait.
   */
  absorbQueue(other: WriteQueue<Work>): void {
    if (other === this) return
    for (const key of other.#keys.splice(0)) {
      this.#byKey.delete(key)
      this.claimKey(key)
    }
    this.#entries.push(...other.#entries.splice(0))
    this.#endGathering()
  }

  /** Gives the slot, which has been released, to the next write. */
  passSlot(): void {
    this.#soloSlot = undefined
    this.#cancelSolo?.()
    this.#cancelSolo = undefined
    this.#gathering?.cancel()
    this.#gathering = undefined
    const next = this.#entries.shift()
    if (next === undefined) for (const key of this.#keys.splice(0)) this.#byKey.delete(key)
    else next.resume(new Slot(this))
  }
}

/** The right of one write to change the keys of a queue. */
export class Slot<Work> {
  readonly queue: WriteQueue<Work>
  #isReleased = false

  constructor(queue: WriteQueue<Work>) {
    this.queue = queue
  }

  get isReleased(): boolean {
    return this.#isReleased
  }

  /**
   * Releases the slot after a commit that `works` writes have shared: when as many wait again, but at the latest after
   * the time that this commit took. Clients that write again and again need a moment for their next requests, of which
   * the first would otherwise commit by itself.
   */
  releaseAfter(works: number, milliseconds: number): void {
    if (works > 1 && !this.#isReleased) this.queue.gather(this, works, milliseconds)
    else this.release()
  }

  release(): void {
    if (this.#isReleased) return
    this.#isReleased = true
    this.queue.passSlot()
  }
}

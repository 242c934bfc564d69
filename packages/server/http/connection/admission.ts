// Limits of the number of requests that the process works on at once and of the memory that they may hold. Each limit
// is a budget that users share fairly. Requests beyond it queue, one queue for each user. The queues are served one
// after another, first those of users that have nothing running. A request is rejected, before any work starts, when
// the queues are full or it has queued too long.
//
// Work counts, not clients. A request that the process works on has a slot among the reads or the writes. A request at
// the pace of its client (receiving a large body, sending a long answer) has no slot, but a number of bytes that it may
// hold, so that slow clients do not delay short requests.
//
// Reads and writes have slots of their own, and few: a write waits many times for the disk, and each time for the next
// iteration of the event loop, which lasts as long as all reads in it (docs/decisions/013).

import { type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { ClientLeft, type ClientState, hasLeft } from './client-left.ts'
import type { Pacer } from './pacer.ts'

export interface AdmissionLimits {
  /** Reads that run at once, and half the number of writes that do. */
  readonly requests: number
  /** Bytes that large bodies and streamed answers may hold at once. */
  readonly bytes: number
  /** Seconds that a request queues before it is rejected. */
  readonly waitSeconds: number
}

export const DEFAULT_LIMITS: AdmissionLimits = { requests: 64, bytes: 512 * 2 ** 20, waitSeconds: 30 }

/** The share of a budget and of the queues that users with running requests may use; the rest is for users without. */
const SHARE_OF_BUSY = 3 / 4

/** Slots for writes, for each slot for reads: writes mostly wait for the disk, and many are committed together. */
const WRITES_PER_READ = 2

/** Requests that may queue for one budget. @limit safety, requests */
const MAX_WAITING = 4096

/** The bytes that a stream counts for: its values in pieces, and the buffers around them. */
const MIN_STREAM_BYTES = 2 ** 20
/** Bytes that a stream counts for in the budget. @limit memory, bytes */
const MAX_STREAM_BYTES = 16 * 2 ** 20

/**
 * Bytes of memory for each byte of a JSON body, with the values made of it: enough for most bodies, but not for a batch
 * of links.
 */
const BYTES_OF_BODY = 16

/** Copies of the values of a body: the values, and the data that are kept of them until the commit (decision 013). */
const COPIES_OF_VALUES = 3

/**
 * Bytes that one request may hold, whatever the memory of the machine: so the same JSON is too large on all machines.
 * @limit memory, bytes
 */
const MAX_REQUEST_BYTES = 128 * 2 ** 20

/** Bytes that a stream of a given or unknown length may hold in memory. */
export function streamCost(length = MAX_STREAM_BYTES): number {
  return Math.max(MIN_STREAM_BYTES, Math.min(length, MAX_STREAM_BYTES))
}

/** Bytes that a body that is kept whole may hold; for an unknown length, the limit. */
export function bodyCost(length: number | undefined, limit: number): number {
  return BYTES_OF_BODY * Math.min(length ?? limit, limit)
}

/** The amount that a user holds of one budget, and the queue of its requests. */
interface UserQueue {
  readonly user: string
  held: number
  /** The queued requests, in the order of arrival. */
  readonly waiting: Set<QueuedRequest>
}

interface QueuedRequest {
  readonly amount: number
  readonly since: number
  readonly admit: (queue: UserQueue) => void
}

/** The part of a response that shows when the client leaves, and how many bytes it has still to receive. */
type Client = ClientState & {
  readonly writableLength: number
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

/** An amount that users share fairly. */
export class FairBudget {
  readonly #clock: Clock
  readonly #capacity: number
  readonly #maxWaiting: number
  readonly #waitSeconds: number
  readonly #pacer: Pick<Pacer, 'begin'>
  /** Queues of users that hold something or wait. */
  readonly #queues = new Map<string, UserQueue>()
  /** Queues of users that wait and hold nothing, the next to be served first. */
  readonly #idle = new Set<UserQueue>()
  /** Queues of users that hold something. */
  readonly #busy = new Set<UserQueue>()
  #used = 0
  #waiting = 0
  #rejected = 0
  /** Seconds that the request admitted last has queued. */
  #lastWait = 0

  /** Requests that have queued begin through `pacer`, since reads from memory end within one iteration of the loop. */
  constructor(
    capacity: number,
    maxWaiting: number,
    waitSeconds: number,
    pacer: Pick<Pacer, 'begin'>,
    clock: Clock = SYSTEM_CLOCK,
  ) {
    this.#clock = clock
    this.#capacity = capacity
    this.#maxWaiting = maxWaiting
    this.#waitSeconds = waitSeconds
    this.#pacer = pacer
  }

  get used(): number {
    return this.#used
  }
  get waiting(): number {
    return this.#waiting
  }
  get rejected(): number {
    return this.#rejected
  }

  /**
   * The highest amount of a request: so the rest is free for users without running requests, however slow the others
   * are.
   */
  get maxAmount(): number {
    return Math.floor(this.#capacity * (1 - SHARE_OF_BUSY))
  }

  /** Takes `amount`, at once when there is room, or queues. The caller must give the returned amount back. */
  take(user: string, amount: number, client: Client): UserQueue | Promise<UserQueue> {
    const queue = this.#queueOf(user)
    if (this.#waiting === 0 && this.#fits(queue, amount)) {
      this.#used += amount
      queue.held += amount
      return queue
    }
    return this.#wait(queue, amount, client)
  }

  give(queue: UserQueue, amount: number): void {
    this.#used -= amount
    queue.held -= amount
    if (queue.held === 0) {
      if (queue.waiting.size === 0) this.#queues.delete(queue.user)
      else if (this.#busy.delete(queue)) this.#idle.add(queue)
    }
    if (this.#waiting > 0) this.#serve()
  }

  /**
   * Takes without queueing, for a request that holds an amount already and would wait for itself. Throws if there is no
   * room.
   */
  takeMore(user: string, amount: number): UserQueue {
    const queue = this.#queueOf(user)
    if (this.#fits(queue, amount)) return this.force(user, amount)
    this.#forgetIfUnused(queue)
    throw this.#rejection('bodies and answers use all of max_request_memory', this.#lastWait)
  }

  /** Takes without queueing, for data that are in memory already. */
  force(user: string, amount: number): UserQueue {
    const queue = this.#queueOf(user)
    this.#used += amount
    queue.held += amount
    if (this.#idle.delete(queue)) this.#busy.add(queue)
    return queue
  }

  #queueOf(user: string): UserQueue {
    const known = this.#queues.get(user)
    if (known !== undefined) return known
    const queue: UserQueue = { user, held: 0, waiting: new Set() }
    this.#queues.set(user, queue)
    return queue
  }

  #fits({ held }: UserQueue, amount: number): boolean {
    const room = held === 0 ? this.#capacity : this.#capacity * SHARE_OF_BUSY
    return this.#used + amount <= room
  }

  #wait(queue: UserQueue, amount: number, client: Client): Promise<UserQueue> {
    if (hasLeft(client)) {
      this.#forgetIfUnused(queue)
      return Promise.reject(new ClientLeft())
    }
    const max = queue.waiting.size === 0 ? this.#maxWaiting : this.#maxWaiting * SHARE_OF_BUSY
    if (this.#waiting >= max) {
      this.#forgetIfUnused(queue)
      return Promise.reject(this.#rejection('too many requests are queued', this.#lastWait))
    }
    return new Promise((resolve, reject) => {
      const settle = () => {
        cancel()
        client.off('close', left)
      }
      const waiter: QueuedRequest = {
        amount,
        since: this.#clock.elapsed(),
        admit: admitted => {
          settle()
          this.#pacer.begin(() => resolve(admitted))
        },
      }
      const give = (error: Error) => {
        settle()
        this.#leave(queue, waiter)
        reject(error)
      }
      const left = () => give(new ClientLeft())
      const cancel = this.#clock.after(this.#waitSeconds * 1000, () => {
        give(this.#rejection(`the request was queued for ${this.#waitSeconds} s`, this.#waitSeconds))
      })
      client.once('close', left)
      queue.waiting.add(waiter)
      if (queue.waiting.size === 1) (queue.held === 0 ? this.#idle : this.#busy).add(queue)
      this.#waiting++
      this.#serve()
    })
  }

  #leave(queue: UserQueue, waiter: QueuedRequest): void {
    queue.waiting.delete(waiter)
    this.#waiting--
    if (queue.waiting.size > 0) return
    this.#idle.delete(queue)
    this.#busy.delete(queue)
    this.#forgetIfUnused(queue)
    // The requests behind it may fit now.
    if (this.#waiting > 0) this.#serve()
  }

  #forgetIfUnused(queue: UserQueue): void {
    if (queue.held === 0 && queue.waiting.size === 0) this.#queues.delete(queue.user)
  }

  /** Admits the next requests as long as they fit. A small request does not overtake a large one. */
  #serve(): void {
    for (;;) {
      const queue = first(this.#idle) ?? first(this.#busy)
      const waiter = queue && first(queue.waiting)
      if (queue === undefined || waiter === undefined || !this.#fits(queue, waiter.amount)) return
      queue.waiting.delete(waiter)
      this.#waiting--
      this.#idle.delete(queue)
      this.#busy.delete(queue)
      this.#used += waiter.amount
      queue.held += waiter.amount
      // The user comes after the other users.
      if (queue.waiting.size > 0) this.#busy.add(queue)
      this.#lastWait = (this.#clock.elapsed() - waiter.since) / 1000
      waiter.admit(queue)
    }
  }

  /**
   * The error of a rejected request. `seconds` is the time that requests now queue until they are admitted: after it a
   * retry has a better chance.
   */
  #rejection(reason: string, seconds: number): HyperslabError {
    this.#rejected++
    const retryAfter = Math.min(Math.max(1, Math.ceil(seconds)), Math.ceil(this.#waitSeconds))
    return new HyperslabError(
      'too-busy',
      `server overloaded: ${reason}; nothing was done, try again after ${retryAfter} s`,
      { retryAfter },
    )
  }
}

function first<T>(items: ReadonlySet<T>): T | undefined {
  for (const item of items) return item
  return undefined
}

/** Hears when the process works on a request that has a slot. */
interface WorkMeter {
  work(isBegun: boolean): void
}

export class Admission {
  readonly reads: FairBudget
  readonly writes: FairBudget
  readonly bytes: FairBudget

  constructor({ requests, bytes, waitSeconds }: AdmissionLimits, pacer: Pick<Pacer, 'begin'>, clock?: Clock) {
    this.reads = new FairBudget(requests, MAX_WAITING, waitSeconds, pacer, clock)
    this.writes = new FairBudget(WRITES_PER_READ * requests, MAX_WAITING, waitSeconds, pacer, clock)
    this.bytes = new FairBudget(bytes, MAX_WAITING, waitSeconds, pacer, clock)
  }

  get working(): number {
    return this.reads.used + this.writes.used
  }
  get waiting(): number {
    return this.reads.waiting + this.writes.waiting + this.bytes.waiting
  }
  get rejected(): number {
    return this.reads.rejected + this.writes.rejected + this.bytes.rejected
  }

  /** Begins to count the request of a user; `end` gives back all that it holds when the request is answered. */
  begin(user: string, client: Client, does: 'read' | 'write', meter?: WorkMeter): AdmittedRequest {
    return new AdmittedRequest(this, user, client, does, meter)
  }
}

/** One request and its share of the budgets: a slot, or bytes, or neither. */
export class AdmittedRequest {
  readonly #bytesBudget: FairBudget
  readonly #slots: FairBudget
  readonly #user: string
  readonly #client: Client
  readonly #meter: WorkMeter | undefined
  /** The thing that the request queues for; undefined: it does not queue. */
  queuesFor: 'slot' | 'memory' | undefined
  #slot: UserQueue | undefined
  #bytes: UserQueue | undefined
  #amount = 0
  /** The part of it that was made from the body. */
  #held = 0

  constructor(
    admission: Admission,
    user: string,
    client: Client,
    does: 'read' | 'write',
    meter: WorkMeter | undefined,
  ) {
    this.#meter = meter
    this.#bytesBudget = admission.bytes
    this.#slots = does === 'read' ? admission.reads : admission.writes
    this.#user = user
    this.#client = client
  }

  /** Takes a slot among the requests that are worked on. Returns nothing when there is room at once. */
  work(): Promise<void> | undefined {
    const taken = this.#slots.take(this.#user, 1, this.#client)
    const begin = (queue: UserQueue): undefined => {
      this.queuesFor = undefined
      this.#slot = queue
      this.#meter?.work(true)
    }
    if (!(taken instanceof Promise)) return begin(taken)
    this.queuesFor = 'slot'
    return taken.then(begin)
  }

  /**
   * Notes that the request goes at the pace of its client from here on: it leaves its slot and takes the bytes that it
   * may hold.
   */
  stream(cost: number): Promise<void> | undefined {
    this.#leave()
    const amount = Math.min(cost, this.#maxAmount)
    const taken = this.#bytesBudget.take(this.#user, amount, this.#client)
    const begin = (queue: UserQueue): undefined => {
      this.queuesFor = undefined
      this.#bytes = queue
      this.#amount = amount
    }
    if (!(taken instanceof Promise)) return begin(taken)
    this.queuesFor = 'memory'
    return taken.then(begin)
  }

  /** Gives back all but `bytesLeft`, the bytes of the answer that are still to be sent. */
  release(bytesLeft: number): void {
    const amount = Math.max(1, bytesLeft)
    if (this.#bytes === undefined || amount >= this.#amount) return
    this.#bytesBudget.give(this.#bytes, this.#amount - amount)
    this.#amount = amount
  }

  /**
   * Counts `bytes` more for the values of the body; adds only those beyond the bytes with which the request was
   * admitted.
   */
  hold(bytes: number): void {
    const budget = this.#bytesBudget
    this.#held += COPIES_OF_VALUES * bytes
    if (this.#held <= this.#amount) return
    if (this.#held > this.#maxAmount) {
      const max = Math.floor(this.#maxAmount / COPIES_OF_VALUES)
      throw new HyperslabError(
        'body-too-large',
        `the values in the body take more than ${max} bytes of memory, the limit of one request (a twelfth of ` +
          `the setting max_request_memory, at most ${Math.floor(MAX_REQUEST_BYTES / COPIES_OF_VALUES)}): send ` +
          'fewer in one request',
      )
    }
    this.#bytes = budget.takeMore(this.#user, this.#held - this.#amount)
    this.#amount = this.#held
  }

  /**
   * Ends the request when it is answered. The bytes that the client has still to receive count until it has received
   * them.
   */
  end(): void {
    this.#leave()
    const unsent = this.#client.writableLength
    if (unsent < MIN_STREAM_BYTES || hasLeft(this.#client)) return
    const queue = this.#bytesBudget.force(this.#user, unsent)
    this.#client.once('close', () => this.#bytesBudget.give(queue, unsent))
  }

  get #maxAmount(): number {
    return Math.min(MAX_REQUEST_BYTES, this.#bytesBudget.maxAmount)
  }

  #leave(): void {
    this.#meter?.work(false)
    if (this.#slot !== undefined) this.#slots.give(this.#slot, 1)
    if (this.#bytes !== undefined) this.#bytesBudget.give(this.#bytes, this.#amount)
    this.#slot = undefined
    this.#bytes = undefined
  }
}

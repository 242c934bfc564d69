// Overload is answered, not suffered: what the process works on at once, and what its requests may hold in memory, have a
// budget each. Who does not fit waits in the line of his user; the lines are served in turn, those first whose user has
// nothing running. Only when the lines are full, or the wait was long, a request is refused, before anything was done.
//
// What is counted is work, not clients. A request that is worked on has one place among the reads or the writes. One that
// moves at the pace of its client (a large body coming in, an answer streaming out) has no place but the bytes that it may
// hold, so that slow clients keep nobody from short requests.
//
// Reads and writes have places of their own, and few: a write waits many times for the disk, and each time for a turn of
// the event loop, which is as long as all that is done in it for reads (docs/decisions/013).

import { HyperslabError } from '../../errors.ts'
import { type Answering, ClientLeft, hasLeft } from './client-left.ts'
import type { Paced } from './paced.ts'

export interface AdmissionLimits {
  /** Reads that are worked on at once, and half the number of writes. */
  readonly requests: number
  /** Bytes that large bodies and streamed answers may hold at once. */
  readonly bytes: number
  /** How long a request waits before it is refused. */
  readonly waitSeconds: number
}

export const DEFAULT_LIMITS: AdmissionLimits = { requests: 64, bytes: 512 * 2 ** 20, waitSeconds: 30 }

/** Who has something running may use so much of a budget and of the lines; the rest is for those who have nothing. */
const SHARE_OF_BUSY = 3 / 4

/** Writes that are worked on, for each read: they mostly wait, and those that wait for the same are committed together. */
const WRITES_PER_READ = 2

/** Requests that may wait for one budget. */
const MOST_WAITING = 4096

/** What a stream is taken to hold: its values in pieces, at least the buffers around them. */
const LEAST_STREAM_BYTES = 2 ** 20
const MOST_STREAM_BYTES = 16 * 2 ** 20

/** What a body of JSON takes for each of its bytes, with what is made of it: less than a batch of links, more than most. */
const BYTES_OF_BODY = 16

/** The values of a body take what they take themselves, and what is kept of them until the commit (decision 013). */
const COPIES_OF_VALUES = 3

/** What a stream of so many bytes, or of nobody knows how many, may hold in memory. */
export function streamCost(length = MOST_STREAM_BYTES): number {
  return Math.max(LEAST_STREAM_BYTES, Math.min(length, MOST_STREAM_BYTES))
}

/** What a body that is kept whole may hold; of untold length: as much as is allowed. */
export function bodyCost(length: number | undefined, limit: number): number {
  return BYTES_OF_BODY * Math.min(length ?? limit, limit)
}

/** A user's part of one budget, and his line. */
interface Line {
  readonly user: string
  held: number
  /** In the order in which they came. */
  readonly waiting: Set<Waiter>
}

interface Waiter {
  readonly amount: number
  readonly since: number
  readonly admit: (line: Line) => void
}

/** Tells when the client of a request leaves, and what it has still to take. */
type Client = Answering & {
  readonly writableLength: number
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

/** An amount that users share fairly. */
export class FairBudget {
  readonly #capacity: number
  readonly #mostWaiting: number
  readonly #waitSeconds: number
  readonly #paced: Pick<Paced, 'begin'>
  /** Users who hold something or wait. */
  readonly #lines = new Map<string, Line>()
  /** Those who wait, the next to be served first: who hold nothing, and who hold something. */
  readonly #idle = new Set<Line>()
  readonly #busy = new Set<Line>()
  #used = 0
  #waiting = 0
  #refused = 0
  /** How long the one had to wait who was admitted last. */
  #lastWait = 0

  /** Those who have waited begin as `paced` lets them: reads of what is in memory end before the event loop turns. */
  constructor(capacity: number, mostWaiting: number, waitSeconds: number, paced: Pick<Paced, 'begin'>) {
    this.#capacity = capacity
    this.#mostWaiting = mostWaiting
    this.#waitSeconds = waitSeconds
    this.#paced = paced
  }

  get used(): number {
    return this.#used
  }
  get waiting(): number {
    return this.#waiting
  }
  get refused(): number {
    return this.#refused
  }

  /** No request is counted with more: so much is kept for those who have nothing running, however slow the others are. */
  get most(): number {
    return Math.floor(this.#capacity * (1 - SHARE_OF_BUSY))
  }

  /** `amount`, at once when there is room: then nothing is waited for. What is returned is to be given back. */
  take(user: string, amount: number, client: Client): Line | Promise<Line> {
    const line = this.#lineOf(user)
    if (this.#waiting === 0 && this.#fits(line, amount)) {
      this.#used += amount
      line.held += amount
      return line
    }
    return this.#wait(line, amount, client)
  }

  give(line: Line, amount: number): void {
    this.#used -= amount
    line.held -= amount
    if (line.held === 0) {
      if (line.waiting.size === 0) this.#lines.delete(line.user)
      else if (this.#busy.delete(line)) this.#idle.add(line)
    }
    if (this.#waiting > 0) this.#serve()
  }

  /** Without waiting, for a request that holds something already: it would wait for itself. Errors when there is no room. */
  takeMore(user: string, amount: number): Line {
    const line = this.#lineOf(user)
    if (this.#fits(line, amount)) return this.force(user, amount)
    this.#forgetIfUnused(line)
    throw this.#refusal('bodies and answers take all the memory that they may', this.#lastWait)
  }

  /** Without waiting: for what is there already. */
  force(user: string, amount: number): Line {
    const line = this.#lineOf(user)
    this.#used += amount
    line.held += amount
    if (this.#idle.delete(line)) this.#busy.add(line)
    return line
  }

  #lineOf(user: string): Line {
    const known = this.#lines.get(user)
    if (known !== undefined) return known
    const line: Line = { user, held: 0, waiting: new Set() }
    this.#lines.set(user, line)
    return line
  }

  #fits({ held }: Line, amount: number): boolean {
    const room = held === 0 ? this.#capacity : this.#capacity * SHARE_OF_BUSY
    return this.#used + amount <= room
  }

  #wait(line: Line, amount: number, client: Client): Promise<Line> {
    if (hasLeft(client)) {
      this.#forgetIfUnused(line)
      return Promise.reject(new ClientLeft())
    }
    const room = line.waiting.size === 0 ? this.#mostWaiting : this.#mostWaiting * SHARE_OF_BUSY
    if (this.#waiting >= room) {
      this.#forgetIfUnused(line)
      return Promise.reject(this.#refusal('so many requests wait already', this.#lastWait))
    }
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        client.off('close', left)
      }
      const waiter: Waiter = {
        amount,
        since: performance.now(),
        admit: admitted => {
          settle()
          this.#paced.begin(() => resolve(admitted))
        },
      }
      const give = (error: Error) => {
        settle()
        this.#leave(line, waiter)
        reject(error)
      }
      const left = () => give(new ClientLeft())
      const timer = setTimeout(() => {
        give(this.#refusal(`there was no room for ${this.#waitSeconds} s`, this.#waitSeconds))
      }, this.#waitSeconds * 1000)
      client.once('close', left)
      line.waiting.add(waiter)
      if (line.waiting.size === 1) (line.held === 0 ? this.#idle : this.#busy).add(line)
      this.#waiting++
      this.#serve()
    })
  }

  #leave(line: Line, waiter: Waiter): void {
    line.waiting.delete(waiter)
    this.#waiting--
    if (line.waiting.size > 0) return
    this.#idle.delete(line)
    this.#busy.delete(line)
    this.#forgetIfUnused(line)
    // It may have been the one that the others waited behind.
    if (this.#waiting > 0) this.#serve()
  }

  #forgetIfUnused(line: Line): void {
    if (line.held === 0 && line.waiting.size === 0) this.#lines.delete(line.user)
  }

  /** Admits those whose turn it is, as long as they fit. Nobody is passed over because he needs much. */
  #serve(): void {
    for (;;) {
      const line = first(this.#idle) ?? first(this.#busy)
      const waiter = line && first(line.waiting)
      if (line === undefined || waiter === undefined || !this.#fits(line, waiter.amount)) return
      line.waiting.delete(waiter)
      this.#waiting--
      this.#idle.delete(line)
      this.#busy.delete(line)
      this.#used += waiter.amount
      line.held += waiter.amount
      // Behind the other users.
      if (line.waiting.size > 0) this.#busy.add(line)
      this.#lastWait = (performance.now() - waiter.since) / 1000
      waiter.admit(line)
    }
  }

  /** Who comes again after `seconds`, which is how long those wait who are let in, has a better chance. */
  #refusal(why: string, seconds: number): HyperslabError {
    this.#refused++
    const retryAfter = Math.min(Math.max(1, Math.ceil(seconds)), Math.ceil(this.#waitSeconds))
    return new HyperslabError(
      'too-busy',
      `the service has too much to do: ${why}; nothing was done, try again after ${retryAfter} s`,
      { retryAfter },
    )
  }
}

function first<T>(items: ReadonlySet<T>): T | undefined {
  for (const item of items) return item
  return undefined
}

export class Admission {
  readonly reads: FairBudget
  readonly writes: FairBudget
  readonly bytes: FairBudget

  constructor({ requests, bytes, waitSeconds }: AdmissionLimits, paced: Pick<Paced, 'begin'>) {
    this.reads = new FairBudget(requests, MOST_WAITING, waitSeconds, paced)
    this.writes = new FairBudget(WRITES_PER_READ * requests, MOST_WAITING, waitSeconds, paced)
    this.bytes = new FairBudget(bytes, MOST_WAITING, waitSeconds, paced)
  }

  get working(): number {
    return this.reads.used + this.writes.used
  }
  get waiting(): number {
    return this.reads.waiting + this.writes.waiting + this.bytes.waiting
  }
  get refused(): number {
    return this.reads.refused + this.writes.refused + this.bytes.refused
  }

  /** What the request of a user has; to be left when it is answered. */
  begin(user: string, client: Client, does: 'read' | 'write'): Admitted {
    return new Admitted(this, user, client, does)
  }
}

/** What one request has of the budgets: a place, or bytes, or neither. */
export class Admitted {
  readonly #bytesBudget: FairBudget
  readonly #places: FairBudget
  readonly #user: string
  readonly #client: Client
  #place: Line | undefined
  #bytes: Line | undefined
  #amount = 0
  /** Of that, what was made of the body. */
  #held = 0

  constructor(admission: Admission, user: string, client: Client, does: 'read' | 'write') {
    this.#bytesBudget = admission.bytes
    this.#places = does === 'read' ? admission.reads : admission.writes
    this.#user = user
    this.#client = client
  }

  /** A place among the requests that are worked on. Nothing is returned when there is room at once. */
  work(): Promise<void> | undefined {
    const taken = this.#places.take(this.#user, 1, this.#client)
    if (!(taken instanceof Promise)) {
      this.#place = taken
      return undefined
    }
    return taken.then(line => {
      this.#place = line
    })
  }

  /** From here on the request goes at the pace of its client: it leaves its place and takes the bytes that it may hold. */
  stream(cost: number): Promise<void> | undefined {
    this.#leave()
    const amount = Math.min(cost, this.#bytesBudget.most)
    const taken = this.#bytesBudget.take(this.#user, amount, this.#client)
    if (!(taken instanceof Promise)) {
      this.#bytes = taken
      this.#amount = amount
      return undefined
    }
    return taken.then(line => {
      this.#bytes = line
      this.#amount = amount
    })
  }

  /** The values of the body take so many bytes more; what they take beyond what the request was admitted with is added. */
  hold(bytes: number): void {
    const budget = this.#bytesBudget
    this.#held += COPIES_OF_VALUES * bytes
    if (this.#held <= this.#amount) return
    if (this.#held > budget.most) {
      const most = Math.floor(budget.most / COPIES_OF_VALUES)
      throw new HyperslabError(
        'body-too-large',
        `the values in the body take more than ${most} bytes of memory, a twelfth of the setting max_request_memory: send fewer in one request`,
      )
    }
    this.#bytes = budget.takeMore(this.#user, this.#held - this.#amount)
    this.#amount = this.#held
  }

  /** The request is answered. What its client has still to take of an answer counts until it is taken. */
  end(): void {
    this.#leave()
    const unsent = this.#client.writableLength
    if (unsent < LEAST_STREAM_BYTES || hasLeft(this.#client)) return
    const line = this.#bytesBudget.force(this.#user, unsent)
    this.#client.once('close', () => this.#bytesBudget.give(line, unsent))
  }

  #leave(): void {
    if (this.#place !== undefined) this.#places.give(this.#place, 1)
    if (this.#bytes !== undefined) this.#bytesBudget.give(this.#bytes, this.#amount)
    this.#place = undefined
    this.#bytes = undefined
  }
}

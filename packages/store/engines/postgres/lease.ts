// The lease of this process: a row by which the other processes know that it is alive and how old a state it may still
// read. A process that has not renewed it for a minute, by the clock of the database, is taken for dead: its open
// snapshots fail, and it continues under another name.

import { randomBytes } from 'node:crypto'
import { type CancelTimer, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Connections } from './connections.ts'
import type { States } from './states.ts'

const RENEW_MILLISECONDS = 2000
/** The same while no process commits: the state that this one may read stays the newest. */
const IDLE_RENEW_MILLISECONDS = 10_000
const NAME_BYTES = 12
/** Rows of history, and commits, that are removed in one statement. */
const SWEEP_ROWS = 5000

export interface LeaseParts {
  readonly connections: Connections
  readonly states: Pick<States, 'oldest' | 'ask' | 'noteCommit'>
  /** Called when the lease has ended, with the error for the open snapshots. */
  readonly onEnd: (reason: Error) => void
  /** Called with failures of the work in the background. */
  readonly report: (error: unknown) => void
}

/** The states that all processes read. */
export interface Readers {
  readonly newest: number
  /** The oldest state that other processes may read; undefined: there is no other process. */
  readonly oldestOfOthers: number | undefined
}

export class Lease {
  readonly #parts: LeaseParts
  #name: string | undefined
  #joining: Promise<string> | undefined
  #isFirst = false
  #token = 0
  #cancelRenewal: CancelTimer | undefined
  /** The newest state at the last renewal, and whether that was the same one as before. */
  #newest = 0
  #isIdle = false
  #isClosed = false

  constructor(parts: LeaseParts) {
    this.#parts = parts
  }

  /** The name of this process; empty while it has no lease. */
  get name(): string {
    return this.#name ?? ''
  }

  /** True: no other process that has a lease has had it for longer. */
  get isFirst(): boolean {
    return this.#isFirst
  }

  /** The name of this process, once it has a lease. */
  async join(): Promise<string> {
    if (this.#name !== undefined) return this.#name
    this.#joining ??= this.#join().finally(() => {
      this.#joining = undefined
    })
    return this.#joining
  }

  /** A number that is new for each call of this process. */
  nextToken(): number {
    return ++this.#token
  }

  /** Notes that the process of that name has no lease any more. Returns the error for its open snapshots. */
  end(name: string): Error {
    const reason = leaseEnded()
    if (name === this.#name) {
      this.#name = undefined
      this.#isFirst = false
      this.#parts.onEnd(reason)
    }
    return reason
  }

  async renew(): Promise<Readers> {
    const { connections, states } = this.#parts
    const name = await this.join()
    await states.ask()
    const [row] = await connections.send('select * from hyperslab.renew($1, $2)', [name, states.oldest])
    const [isAlive, isFirst, newest, others] = row
    if (isAlive !== true) throw this.end(name)
    this.#isFirst = isFirst === true
    states.noteCommit(Number(newest), 0)
    return { newest: Number(newest), oldestOfOthers: others === null ? undefined : Number(others) }
  }

  /** Renews the lease from now on. With `sweeps`, also removes history that no process reads. */
  start(sweeps: boolean): void {
    const renew = () => {
      void this.#upkeep(sweeps)
        .catch(this.#parts.report)
        .finally(() => {
          if (!this.#isClosed) this.start(sweeps)
        })
    }
    const milliseconds = this.#isIdle ? IDLE_RENEW_MILLISECONDS : RENEW_MILLISECONDS
    this.#cancelRenewal = SYSTEM_CLOCK.after(milliseconds, renew, 'while-running')
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelRenewal?.()
    const name = await this.#joining?.catch(() => undefined)
    const id = name ?? this.#name
    if (id === undefined) return
    // If the database does not answer, the lease ends by itself.
    await this.#parts.connections
      .send('delete from hyperslab.nodes where id = $1', [id])
      .catch(() => undefined)
  }

  async #join(): Promise<string> {
    const name = randomBytes(NAME_BYTES).toString('hex')
    // If this is sent twice it fails, and another name is tried later.
    await this.#parts.connections.send('select hyperslab.join_node($1)', [name])
    this.#name = name
    return name
  }

  async #upkeep(sweeps: boolean): Promise<void> {
    const { newest } = await this.renew()
    this.#isIdle = newest === this.#newest
    this.#newest = newest
    for (let isMore: unknown = sweeps && !this.#isIdle; isMore === true && !this.#isClosed; ) {
      ;[[isMore]] = await this.#parts.connections.send('select hyperslab.sweep($1)', [SWEEP_ROWS])
    }
  }
}

function leaseEnded(): HyperslabError {
  return new HyperslabError(
    'storage-conflict',
    'this process was suspended for longer than its lease; nothing was written: try again',
  )
}

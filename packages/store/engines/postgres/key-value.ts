// Records in PostgreSQL, shared by any number of processes. A snapshot is the number of a commit: it holds no
// transaction and no connection (states.ts, reads.ts). Commits go in groups, each one call of the database
// (commits.ts). The design and the measurements: docs/decisions/032-postgres.md.

import { HyperslabError } from '@hyperslab/base/errors'
import type {
  Batch,
  CallFigures,
  CommitResult,
  Entry,
  KeyRange,
  KeyValue,
  OpenSnapshots,
  RemoteFigures,
  Snapshot,
} from '../../interfaces/engine.ts'
import { type KeyText, keyTextOf, successor } from '../../key-range.ts'
import { HeldSnapshot } from '../held-snapshot.ts'
import { Commits } from './commits.ts'
import { Connections } from './connections.ts'
import { MAX_KEY_LENGTH } from './group.ts'
import { Lease } from './lease.ts'
import { RecordReads } from './reads.ts'
import type { RecordAtHand } from './records-at-hand.ts'
import { type HeldState, States } from './states.ts'

export interface PostgresOptions {
  /** Connections for reads, beside three for commits, leases and their checks. */
  readonly readConnections: number
  /** The limit of a statement, and how long sending a commit, or asking for its outcome, is tried again. */
  readonly timeoutMilliseconds: number
  readonly report: (error: unknown) => void
}

const CONTROL_CONNECTIONS = 3

export class PostgresKeyValue implements KeyValue {
  readonly pollMilliseconds = 100
  readonly #connections: readonly Connections[]
  readonly #states: States
  readonly #lease: Lease
  readonly #reads: RecordReads
  readonly #commits: Commits
  readonly #snapshots = new Set<PostgresSnapshot>()
  #isClosed = false

  constructor(address: string, { readConnections, timeoutMilliseconds, report }: PostgresOptions) {
    const control = new Connections({ address, max: CONTROL_CONNECTIONS, timeoutMilliseconds })
    const reading = new Connections({ address, max: readConnections, timeoutMilliseconds })
    this.#connections = [control, reading]
    const node = () => this.#lease.join()
    const onFenced = (name: string) => this.#lease.end(name)
    const onLost = () => {
      report(
        new Error(
          'the database has lost commits that it had acknowledged: a standby that was behind has taken over',
        ),
      )
      this.#expireAll(stateLost())
    }
    this.#states = new States({ connections: control, node, onFenced, onLost })
    this.#lease = new Lease({
      connections: control,
      states: this.#states,
      onEnd: reason => this.#expireAll(reason),
      report,
    })
    this.#reads = new RecordReads({ connections: reading, node, onFenced })
    this.#commits = new Commits({
      connections: control,
      lease: this.#lease,
      states: this.#states,
      reads: this.#reads,
      patienceMilliseconds: timeoutMilliseconds,
    })
  }

  /** Must be called first. With `sweeps`, history that no process reads is removed. */
  async open(sweeps: boolean): Promise<void> {
    await this.#lease.renew()
    this.#lease.start(sweeps)
  }

  get process(): string {
    return this.#lease.name
  }

  get newestTime(): number {
    return this.#states.newestTime
  }

  get isSweeper(): boolean {
    return this.#lease.isFirst
  }

  snapshot(): Snapshot {
    this.#mustBeOpen()
    const snapshot = new PostgresSnapshot(this.#states, this.#reads, () => this.#snapshots.delete(snapshot))
    this.#snapshots.add(snapshot)
    return snapshot
  }

  async openSnapshots(): Promise<OpenSnapshots> {
    this.#mustBeOpen()
    const { newest, oldestOfOthers = newest } = await this.#lease.renew()
    const own = this.#snapshots.size === 0 ? newest : this.#states.oldest
    return { newest, oldest: Math.min(newest, own, oldestOfOthers) }
  }

  snapshotSlots() {
    return { taken: this.#states.heldCount, limit: Number.POSITIVE_INFINITY }
  }

  /** The number of processes that have a lease. */
  async processes(): Promise<number> {
    const [control] = this.#connections
    const [[count]] = await control.send('select count(*) from hyperslab.nodes', [])
    return Number(count)
  }

  /** Bytes of all tables and indexes of the store: the system of the database looks at their files. */
  async bytes(): Promise<number> {
    const [control] = this.#connections
    const [[bytes]] = await control.send(BYTES, [])
    return Number(bytes)
  }

  get figures(): RemoteFigures {
    const calls = this.#connections.map(({ figures }) => figures).reduce(sumOf)
    return { calls, cache: this.#states.atHand.figures }
  }

  async isAlive(name: string): Promise<boolean> {
    this.#mustBeOpen()
    const [control] = this.#connections
    const [[isAlive]] = await control.send('select exists (select from hyperslab.nodes where id = $1)', [
      name,
    ])
    return isAlive === true
  }

  async commit(batch: Batch): Promise<CommitResult> {
    this.#mustBeOpen()
    return this.#commits.commit(batch)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#commits.end()
    for (const snapshot of [...this.#snapshots]) snapshot.close()
    await this.#states.settle()
    await this.#lease.close()
    await Promise.all(this.#connections.map(connections => connections.close()))
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new Error('The engine has been closed')
  }

  /** Expires all snapshots: the history of the states that they read may be gone. */
  #expireAll(reason: Error): void {
    for (const snapshot of [...this.#snapshots]) snapshot.expire(reason)
    this.#commits.rejectAll(reason)
  }
}

const BYTES = `select sum(pg_total_relation_size(oid)) from pg_class
  where relnamespace = 'hyperslab'::regnamespace and relkind = 'r'`

function sumOf(one: CallFigures, other: CallFigures): CallFigures {
  return {
    calls: one.calls + other.calls,
    failures: one.failures + other.failures,
    retries: one.retries + other.retries,
    seconds: one.seconds + other.seconds,
    connections: one.connections + other.connections,
    waiting: one.waiting + other.waiting,
  }
}

/** Entries of the first piece of a range, and of those that follow. */
const FIRST_PIECE = 256
const NEXT_PIECE = 1000

class PostgresSnapshot extends HeldSnapshot<HeldState> implements Snapshot {
  readonly #states: States
  readonly #reads: RecordReads
  readonly #onEnd: () => void
  readonly #reading = new Map<KeyText, Promise<RecordAtHand>>()

  constructor(states: States, reads: RecordReads, onEnd: () => void) {
    super(states.hold())
    this.#states = states
    this.#reads = reads
    this.#onEnd = onEnd
  }

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#get(key, await this.#number())
  }

  async getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]> {
    const number = await this.#number()
    return Promise.all(keys.map(key => this.#get(key, number)))
  }

  /** The value, at once if it is at hand; those that ask for it while it is read share the reading. */
  #get(key: Uint8Array, number: number): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    if (key.length === 0 || key.length > MAX_KEY_LENGTH) return undefined
    const text = keyTextOf(key)
    const known = this.#states.atHand.find(text, number)
    if (known !== undefined) return copyOf(known)
    let reading = this.#reading.get(text)
    if (reading === undefined) {
      reading = this.#read(key, text, number)
      this.#reading.set(text, reading)
    }
    return reading.then(copyOf)
  }

  async #read(key: Uint8Array, text: KeyText, number: number): Promise<RecordAtHand> {
    try {
      const record = await this.#reads.read(key, number)
      this.held()
      this.#states.atHand.keep(key, text, record, number)
      return record
    } finally {
      this.#reading.delete(text)
    }
  }

  async *range(range: KeyRange): AsyncGenerator<Entry> {
    let { start, end } = range
    let left = range.limit ?? Number.POSITIVE_INFINITY
    const number = await this.#number()
    for (let size = FIRST_PIECE; left > 0 && Buffer.compare(start, end) < 0; size = NEXT_PIECE) {
      const limit = Math.min(left, size)
      const entries = await this.#reads.readRange(
        { start, end, limit, reverse: range.reverse === true },
        number,
      )
      for (const entry of entries) {
        this.held()
        yield entry
      }
      this.held()
      const last = entries.at(-1)
      if (last === undefined || entries.length < limit) return
      left -= entries.length
      if (range.reverse) end = last.key
      else start = successor(last.key)
    }
  }

  protected override release(state: HeldState): void {
    state.release()
    this.#onEnd()
  }

  async #number(): Promise<number> {
    const number = await this.held().number
    this.held()
    return number
  }
}

function stateLost(): HyperslabError {
  return new HyperslabError('storage-conflict', 'the database has gone back to an earlier state: try again')
}

function copyOf({ value }: RecordAtHand): Uint8Array | undefined {
  return value && new Uint8Array(value)
}

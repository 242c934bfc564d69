// Commits of batches in groups: while one call is running, new batches wait for the next one. When the connection
// breaks during a call, the database is asked for the outcome before any batch gets an answer.

import { setImmediate as nextRound } from 'node:timers/promises'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { boundExceeded } from '../../batch.ts'
import type { Batch, CommitResult } from '../../interfaces/engine.ts'
import { keyTextOf } from '../../key-range.ts'
import { storageFailed } from '../system-errors.ts'
import { type Connections, NotSent } from './connections.ts'
import { databaseError, isConnectionLost, isOutcomeUnknown } from './failures.ts'
import { type AssumedValues, CommitGroup } from './group.ts'
import type { Lease } from './lease.ts'
import type { RecordReads } from './reads.ts'
import type { States } from './states.ts'

const COMMIT = `select * from hyperslab.commit(
  $1, $2, $3, $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[], $8::bigint[], $9::boolean[], $10::bytea[], $11,
  $12::integer[], $13::bytea[], $14::bytea[], $15::bigint[],
  $16::integer[], $17::text[], $18::bytea[], $19::bytea[], $20::bigint[], $21::bytea[], $22::bigint[])`
const SETTLE = 'select number, is_alive from hyperslab.settle($1, $2, $3)'

/** Changes in one call; a larger batch is alone in its call. @limit safety, changes */
const MAX_GROUP_CHANGES = 10_000
/** Batches in one call. @limit speed, batches, bench/results.md#032-postgresql */
const MAX_GROUP_BATCHES = 256
const RETRY_MILLISECONDS = 100
/**
 * While other processes commit, a process with several writers waits for this time before its next call. Other
 * processes have the lock meanwhile, and the next writes of these writers go into the same call: fewer, larger calls
 * take the database less time.
 */
const GATHERING_MILLISECONDS = 2

interface WaitingBatch {
  readonly batch: Batch
  /** The reason why it must not be sent again: it was running when the open snapshots failed. */
  refused?: Error
  resolve(result: CommitResult): void
  reject(error: unknown): void
}

export interface CommitsParts {
  readonly connections: Connections
  readonly lease: Lease
  readonly states: States
  readonly reads: RecordReads
  /** Milliseconds for which a call that was not sent, or whose outcome is unknown, is tried again. */
  readonly patienceMilliseconds: number
}

export class Commits {
  readonly #parts: CommitsParts
  #waiting: WaitingBatch[] = []
  /** The batches of the running call. */
  #sent: readonly WaitingBatch[] = []
  #committing: Promise<void> | undefined
  /**
   * The number of next groups that have one batch each, because one batch breaks a rule that only the database can
   * check.
   */
  #alone = 0
  /** An assumed value was wrong in the last call, so the next one reads the values that it follows. */
  #isAssumptionWrong = false
  /** The number of the last commit of this process. */
  #lastNumber = 0
  /** Another process has committed between the last two commits of this one, and the last one had several batches. */
  #isGathering = false

  constructor(parts: CommitsParts) {
    this.#parts = parts
  }

  commit(batch: Batch): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject })
      this.#committing ??= this.#commitAll()
    })
  }

  /** Rejects the waiting batches, and the running ones unless they turn out to be committed. */
  rejectAll(reason: Error): void {
    for (const member of this.#sent) member.refused ??= reason
    this.#take(
      this.#waiting.filter(member => !this.#sent.includes(member)),
      ({ reject }) => reject(reason),
    )
  }

  /** Resolves when no batch is running. */
  async end(): Promise<void> {
    await this.#committing
  }

  async #commitAll(): Promise<void> {
    for (;;) {
      for (const member of this.#waiting.filter(({ refused }) => refused)) {
        this.#take([member], ({ reject }) => reject(member.refused))
      }
      if (this.#waiting.length === 0) break
      const members = this.#waiting.slice()
      try {
        await this.#commitGroup()
      } catch (error) {
        // A step for the whole group failed, so none of its batches was committed.
        for (const member of members) {
          if (this.#remove(member)) member.reject(error)
        }
      }
    }
    this.#committing = undefined
  }

  async #commitGroup(): Promise<void> {
    const { lease, states } = this.#parts
    if (this.#isGathering) await SYSTEM_CLOCK.sleep(GATHERING_MILLISECONDS)
    // A snapshot that was opened earlier must not see this commit.
    await states.settle()
    // The changes of writes whose snapshots have just got their number go into the same group.
    await nextRound()
    const name = await lease.join()
    const assumed: AssumedValues = new Map()
    await this.#assumeFollowed(assumed)
    // From here to the call nothing is awaited, so the group has no batch that `rejectAll` has rejected.
    let built = this.#build(assumed)
    while (built instanceof Uint8Array) {
      await this.#assume([built], assumed)
      built = this.#build(assumed)
    }
    if (built.members.length === 0) return
    const { group, members, contradicted } = built
    const parameters = [name, lease.nextToken(), ...group.parameters] as const
    // This keeps the record of the commit from being swept before its outcome is known.
    const kept = states.keep()
    let answer: Answer
    this.#sent = members
    try {
      answer = await this.#call(name, parameters[1], kept.number, parameters)
    } catch (error) {
      this.#fail(members, error)
      return
    } finally {
      this.#sent = []
      kept.release()
    }
    if (answer.outcome === 'fenced') throw lease.end(name)
    if (answer.outcome === 'committed') {
      if (this.#alone > 0) this.#alone--
      this.#isAssumptionWrong = false
      states.noteCommit(answer.number, group.time)
      this.#isGathering = answer.number > this.#lastNumber + 1 && members.length > 1
      this.#lastNumber = answer.number
      this.#take(members, ({ resolve }) => resolve({ committed: true }))
      for (const [loser, conflicts] of contradicted)
        this.#take([loser], ({ resolve }) => resolve({ committed: false, conflicts }))
      return
    }
    // Batches without a conflict of their own go into the next call.
    const { conflicts, isAssumptionWrong } = group.explain(answer.failedKeys, answer.failedRanges)
    this.#isAssumptionWrong = isAssumptionWrong
    const failed = members.filter((_, index) => conflicts[index].length > 0)
    const positions = new Map(members.map((member, index) => [member, conflicts[index]]))
    this.#take(failed, member => member.resolve({ committed: false, conflicts: positions.get(member) ?? [] }))
  }

  /** Assumes the values from which changes of the batches are derived. */
  async #assumeFollowed(assumed: AssumedValues): Promise<void> {
    const keys: Uint8Array[] = []
    for (const { batch } of this.#waiting.slice(0, MAX_GROUP_BATCHES)) {
      for (const change of batch.changes) if (change.op === 'follow') keys.push(change.key)
    }
    await this.#assume(keys, assumed)
  }

  /** Assumes the values that the process has, which the call compares with the stored ones; reads the others. */
  async #assume(keys: readonly Uint8Array[], assumed: AssumedValues): Promise<void> {
    const { states, reads } = this.#parts
    const unknown: Uint8Array[] = []
    for (const key of keys) {
      const text = keyTextOf(key)
      const known = this.#isAssumptionWrong ? undefined : states.atHand.find(text, Number.POSITIVE_INFINITY)
      assumed.set(text, known?.value)
      if (known === undefined) unknown.push(key)
    }
    if (unknown.length === 0) return
    for (const { key, value } of await reads.readNewest(unknown)) assumed.set(keyTextOf(key), value)
  }

  /**
   * Returns a group of the batches that wait, which is empty if each was rejected, or a key whose value must be
   * assumed first.
   */
  #build(assumed: AssumedValues): BuiltGroup | Uint8Array {
    for (;;) {
      const built: BuiltGroup = { group: new CommitGroup(), members: [], contradicted: new Map() }
      const missing = this.#fill(built, assumed)
      if (missing !== 'again') return missing ?? built
    }
  }

  /** Adds batches to the group. Returns a key whose value is needed, or that the group must be filled again. */
  #fill(
    { group, members, contradicted }: BuiltGroup,
    assumed: AssumedValues,
  ): Uint8Array | 'again' | undefined {
    const most = this.#alone > 0 ? 1 : MAX_GROUP_BATCHES
    for (const waiting of this.#waiting) {
      const { batch } = waiting
      if (members.length >= most) return undefined
      if (members.length > 0 && group.weight + batch.changes.length > MAX_GROUP_CHANGES) return undefined
      if (!group.accepts(batch)) {
        const conflicts = group.contradictions(batch)
        if (conflicts.length > 0) contradicted.set(waiting, conflicts)
        continue
      }
      try {
        const missing = group.add(batch, assumed)
        if (missing !== undefined) return missing
      } catch (error) {
        this.#take([waiting], ({ reject }) => reject(error))
        return 'again'
      }
      members.push(waiting)
    }
    return undefined
  }

  async #call(
    name: string,
    token: number,
    after: number,
    parameters: Parameters<Connections['sendOnce']>[1],
  ): Promise<Answer> {
    const { connections } = this.#parts
    const until = SYSTEM_CLOCK.elapsed() + this.#parts.patienceMilliseconds
    for (;;) {
      let failure: unknown
      try {
        return answerOf(await connections.sendOnce(COMMIT, parameters))
      } catch (error) {
        failure = error
      }
      const isSent = !(failure instanceof NotSent)
      const cause = failure instanceof NotSent ? failure.cause : failure
      if (isSent && !isOutcomeUnknown(cause)) throw cause
      if (!isSent && !isConnectionLost(cause)) throw cause
      if (isSent) {
        const number = await this.#settle(name, token, after, cause)
        if (number !== undefined) return { outcome: 'committed', number, failedKeys: [], failedRanges: [] }
        // The commit will never happen under that token.
        throw new Retry()
      }
      if (SYSTEM_CLOCK.elapsed() >= until) throw cause
      await SYSTEM_CLOCK.sleep(RETRY_MILLISECONDS)
      connections.noteRetry()
    }
  }

  /**
   * The number of the commit, or undefined when it has not happened and never will. Rejects with `cause` in an error
   * that says that the outcome is unknown: the database cannot be asked, or this process has lost the lease that keeps
   * the record of the commit.
   */
  async #settle(name: string, token: number, after: number, cause: unknown): Promise<number | undefined> {
    const { connections, lease } = this.#parts
    const until = SYSTEM_CLOCK.elapsed() + this.#parts.patienceMilliseconds
    for (;;) {
      const answer = await connections.send(SETTLE, [name, token, after]).catch((error: unknown) => {
        if (error instanceof HyperslabError) return undefined
        throw error
      })
      if (answer !== undefined) {
        const [[number, isAlive]] = answer
        if (number !== null) return Number(number)
        if (isAlive === true) return undefined
        lease.end(name)
        throw outcomeUnknown(cause)
      }
      if (SYSTEM_CLOCK.elapsed() >= until) throw outcomeUnknown(cause)
      await SYSTEM_CLOCK.sleep(RETRY_MILLISECONDS)
    }
  }

  /** Handles a failed call. Nothing of it was committed unless the error means that. */
  #fail(members: readonly WaitingBatch[], error: unknown): void {
    // The batches are sent again with another token, perhaps in another group.
    if (error instanceof Retry) return
    const rule = ruleOf(error)
    if (rule !== undefined && members.length > 1) {
      this.#alone = members.length
      return
    }
    if (this.#alone > 0) this.#alone--
    const reason = rule === 'bound' ? boundExceeded(messageOf(error)) : databaseError(error)
    this.#take(members, ({ reject }) => reject(reason))
  }

  /** Takes batches out of the queue. */
  #take(members: readonly WaitingBatch[], end: (member: WaitingBatch) => void): void {
    for (const member of members) if (this.#remove(member)) end(member)
  }

  #remove(member: WaitingBatch): boolean {
    const index = this.#waiting.indexOf(member)
    if (index >= 0) this.#waiting.splice(index, 1)
    return index >= 0
  }
}

interface BuiltGroup {
  readonly group: CommitGroup
  readonly members: WaitingBatch[]
  /** Batches that cannot be committed after the group, with the positions of the expectations that do not hold. */
  readonly contradicted: Map<WaitingBatch, readonly number[]>
}

/** The call was not done: it can be sent again under another token. */
class Retry extends Error {}

interface Answer {
  readonly outcome: string
  readonly number: number
  readonly failedKeys: readonly number[]
  readonly failedRanges: readonly number[]
}

function answerOf([[outcome, number, failedKeys, failedRanges]]: Awaited<
  ReturnType<Connections['sendOnce']>
>): Answer {
  return {
    outcome: String(outcome),
    number: Number(number),
    failedKeys: numbersOf(failedKeys),
    failedRanges: numbersOf(failedRanges),
  }
}

function numbersOf(array: unknown): number[] {
  return Array.isArray(array) ? array.map(Number) : []
}

/**
 * The rule whose breach the functions of the schema raise: a change that cannot be applied, or a counter above its
 * bound.
 */
function ruleOf(error: unknown): 'change' | 'bound' | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  return error.code === 'HS001' ? 'change' : error.code === 'HS002' ? 'bound' : undefined
}

/** The message of a counter above its bound is its key. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}

function outcomeUnknown(cause: unknown): HyperslabError {
  return storageFailed(
    'PostgreSQL: the connection broke during the commit; the change may or may not have been made',
    cause,
  )
}

// The records of a data folder that a service has open, as a command uses them: every read and every commit is a
// request to the service. Changes that depend on the value of a key are derived here, from a value that was read, and
// the commit expects that value; if another write was faster, it is read again.

import type { Socket } from 'node:net'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Batch, CommitResult, KeyValue, OpenSnapshots, Snapshot } from '../../interfaces/engine.ts'
import { type KeyText, keyTextOf } from '../../key-range.ts'
import { type DerivedChanges, deriveChanges, UnknownValue } from './derive-changes.ts'
import {
  type Answer,
  type Greeting,
  MAX_BATCH_BYTES,
  messagesOf,
  PROTOCOL,
  partsOf,
  type Question,
  type ReceivedMessage,
  type Request,
  receivedError,
  type SnapshotSlots,
  send,
} from './messages.ts'
import { ServedSnapshot } from './served-snapshot.ts'
import { connectToAll } from './sockets.ts'

/** A service that is stopped, such as one in a frozen container, accepts connections but does not greet. */
const GREETING_MILLISECONDS = 10_000

const CLOSED = 'The engine has been closed'

/**
 * Connects to one of the processes that have the records open, the first one that greets. Undefined: none has, or none
 * of this version.
 */
export async function connectToService(
  records: string,
  format: number,
  greetingMilliseconds = GREETING_MILLISECONDS,
): Promise<ServedKeyValue | undefined> {
  const sockets = await connectToAll(records)
  const disconnect = (kept?: Socket) => {
    for (const socket of sockets) if (socket !== kept) socket.destroy()
  }
  const cancel = SYSTEM_CLOCK.after(greetingMilliseconds, disconnect)
  const greeted = sockets.map(async socket => {
    const messages = messagesOf(socket)
    // The versions are compared before anything else of it is used.
    const greeting = (await messages.next()).value?.message as Partial<Greeting> | undefined
    if (greeting?.protocol !== PROTOCOL || greeting.format !== format) throw new Error('another version')
    return { socket, messages, greeting: greeting as Greeting }
  })
  const first = await Promise.any(greeted).catch(() => undefined)
  cancel()
  disconnect(first?.socket)
  return first && new ServedKeyValue(first.socket, first.messages, first.greeting)
}

interface WaitingRequest {
  resolve(result: unknown): void
  reject(error: Error): void
}

export class ServedKeyValue implements KeyValue {
  readonly process: string
  readonly newestTime = 0
  /** The service is. */
  readonly isSweeper = false
  readonly pollMilliseconds = 20
  readonly #socket: Socket
  readonly #waiting = new Map<number, WaitingRequest>()
  #requests = 0
  readonly #commits = new Set<Promise<CommitResult>>()
  #slots: SnapshotSlots
  #isClosed = false
  /** The reason why nothing can be requested any more. */
  #ended: Error | undefined

  constructor(socket: Socket, messages: AsyncIterable<ReceivedMessage>, { process, slots }: Greeting) {
    this.#socket = socket
    this.process = process
    this.#slots = slots
    socket.unref()
    void this.#receive(messages)
  }

  snapshot(): Snapshot {
    this.#mustBeUsable()
    return this.#snapshot()
  }

  #snapshot(): Snapshot {
    return new ServedSnapshot({
      ask: question => this.#ask(question),
      tell: request => this.#tell(request),
      number: this.#requests++,
    })
  }

  /**
   * Resolves when the service has opened all snapshots so far: a blob that is put earlier could be taken for one that
   * no write needs any more.
   */
  async opened(): Promise<void> {
    await this.#ask({ op: 'isAlive', process: this.process })
  }

  async openSnapshots(): Promise<OpenSnapshots> {
    this.#mustBeUsable()
    const { slots, ...states } = (await this.#ask({ op: 'openSnapshots' })) as OpenSnapshots & {
      readonly slots: SnapshotSlots
    }
    this.#slots = slots
    return states
  }

  /** The numbers of the service, when it was asked for open snapshots last. */
  snapshotSlots(): SnapshotSlots {
    this.#mustBeUsable()
    return this.#slots
  }

  async isAlive(process: string): Promise<boolean> {
    this.#mustBeUsable()
    return (await this.#ask({ op: 'isAlive', process })) as boolean
  }

  async commit(batch: Batch): Promise<CommitResult> {
    this.#mustBeUsable()
    const commit = this.#commit(batch).finally(() => this.#commits.delete(commit))
    this.#commits.add(commit)
    return commit
  }

  async #commit(batch: Batch): Promise<CommitResult> {
    const { expect } = batch
    const followed = batch.changes.flatMap(change => (change.op === 'follow' ? [change.key] : []))
    for (;;) {
      const { changes, assumptions } = await this.#derive(batch, followed)
      const result = await this.#send({ ...batch, expect: [...expect, ...assumptions] }, changes)
      if (result.committed) return result
      const conflicts = result.conflicts.filter(position => position < expect.length)
      if (conflicts.length > 0) return { committed: false, conflicts }
    }
  }

  /** Derives the changes from the newest values. */
  async #derive(batch: Batch, followed: readonly Uint8Array[]): Promise<DerivedChanges> {
    const assumed = new Map<KeyText, Uint8Array | undefined>()
    if (followed.length === 0) return deriveChanges(batch, assumed)
    const snapshot = this.#snapshot()
    try {
      for (let unknown = followed; ; ) {
        const values = await snapshot.getMany(unknown)
        for (const [index, key] of unknown.entries()) assumed.set(keyTextOf(key), values[index])
        try {
          return deriveChanges(batch, assumed)
        } catch (error) {
          if (!(error instanceof UnknownValue)) throw error
          unknown = [error.key]
        }
      }
    } finally {
      snapshot.close()
    }
  }

  async #send({ expect, time }: Batch, changes: DerivedChanges['changes']): Promise<CommitResult> {
    const parts = [...partsOf(expect, changes)]
    const size = parts.reduce((sum, { bytes }) => sum + bytes, 0)
    if (size > MAX_BATCH_BYTES) throw new Error(`a batch of ${size} bytes is too long for the service`)
    for (const { part } of parts) this.#tell({ op: 'part', part })
    return (await this.#ask({ op: 'commit', time })) as CommitResult
  }

  /** Waits for commits under way. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#commits)
    this.#end(new Error(CLOSED))
  }

  #mustBeUsable(): void {
    if (this.#isClosed) throw new Error(CLOSED)
    if (this.#ended !== undefined) throw this.#ended
  }

  #tell(request: Request): void {
    if (this.#ended !== undefined) return
    try {
      send(this.#socket, request)
    } catch (error) {
      // The service has got a part of a batch that cannot be sent.
      this.#end(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async #ask(question: Question): Promise<unknown> {
    if (this.#ended !== undefined) throw this.#ended
    const id = this.#requests++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      // The connection alone does not keep the command from ending.
      this.#socket.ref()
      this.#tell({ ...question, id } as Request)
    })
  }

  async #receive(messages: AsyncIterable<ReceivedMessage>): Promise<void> {
    try {
      for await (const { message } of messages) {
        // The greeting of the service had this version.
        const answer = message as Answer
        const waiting = this.#waiting.get(answer.id)
        this.#waiting.delete(answer.id)
        if (this.#waiting.size === 0) this.#socket.unref()
        if ('error' in answer) waiting?.reject(receivedError(answer.error))
        else waiting?.resolve(answer.result)
      }
    } catch {
      // The service was killed.
    }
    this.#end(new ServiceEnded(this.#commits.size > 0))
  }

  #end(reason: Error): void {
    this.#ended ??= reason
    this.#socket.destroy()
    for (const { reject } of this.#waiting.values()) reject(this.#ended)
    this.#waiting.clear()
  }
}

/** The service was stopped or killed while the command ran. */
export class ServiceEnded extends HyperslabError {
  constructor(isCommitting: boolean) {
    const change = isCommitting ? 'the last change may or may not have been made; ' : ''
    super(
      'storage-failed',
      `the service that has the data folder open has ended; ${change}run the command again`,
    )
  }
}

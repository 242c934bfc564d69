// Lets commands use the records that this process has open, over a socket in the data folder, so that they do not open
// them beside it. Requests of a command are answered in order, in turns of the event loop; only commits run meanwhile.
// A command that does not read its answers gets no more of them; all that it holds then are its snapshots, as if it had
// the folder open itself.

import { chmod, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import type { Expectation, KeyValue, Snapshot } from '../../interfaces/engine.ts'
import {
  type BatchPart,
  MAX_BATCH_BYTES,
  messagesOf,
  PIECE_BYTES,
  PIECE_ENTRIES,
  PROTOCOL,
  pack,
  type Question,
  type RangePiece,
  type Request,
  send,
  sentError,
  unpack,
} from './messages.ts'
import { makeSocketsFolder, newSocketName, openAddresses, removeLeft, removeStale } from './sockets.ts'

/** Commands that may be connected to one process; further ones open the folder themselves. @limit memory, commands */
const MAX_COMMANDS = 32
/** Bytes of batches that wait for their commits, after which nothing more is read from a command. */
const WAITING_BYTES = 16 * 2 ** 20

export interface ServedRecords {
  /** Ends the connections at once; later commands open the folder themselves. */
  close(): Promise<void>
}

/** Undefined: this system has no sockets in folders, or the path is too long. Throws if the socket cannot be made. */
export async function serveRecords(
  records: string,
  keyValue: KeyValue,
  format: number,
): Promise<ServedRecords | undefined> {
  if (process.platform === 'win32') return undefined
  const folder = await makeSocketsFolder(records)
  await removeStale(records)
  const addresses = await openAddresses(folder)
  if (addresses === undefined) return undefined
  const name = newSocketName()
  const commands = new Set<ConnectedCommand>()
  let connected = 0
  const server = createServer(socket => {
    const file = `${name}-${connected++}`
    const command = new ConnectedCommand(socket, keyValue, join(folder, file))
    commands.add(command)
    void command
      .run({ format, process: `${keyValue.process} ${file}` })
      .finally(() => commands.delete(command))
  })
  server.maxConnections = MAX_COMMANDS
  try {
    // A command removes a socket that refuses it: nobody may find this one before it accepts connections.
    const first = `${name}.new`
    await listen(server, addresses.of(first))
    await chmod(join(folder, first), 0o600)
    await rename(join(folder, first), join(folder, name))
  } catch (error) {
    server.close()
    await addresses.close()
    throw error
  }
  return {
    async close() {
      server.close()
      for (const command of commands) command.end()
      await removeLeft(folder, name)
      await addresses.close()
    },
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // Otherwise the supervisor of this process would listen for all of its workers.
    server.listen({ path, exclusive: true }, () => resolve())
  })
}

interface CollectedBatch {
  readonly expect: Expectation[]
  readonly changes: BatchPart['changes']
  bytes: number
}

class ConnectedCommand {
  readonly #socket: Socket
  readonly #keyValue: KeyValue
  readonly #file: string
  readonly #snapshots = new Map<number, Snapshot>()
  /** Parts of a batch whose other parts have not arrived yet. */
  #batch: CollectedBatch = { expect: [], changes: [], bytes: 0 }
  readonly #commits = new Set<Promise<void>>()
  #waitingBytes = 0
  #hasEnded = false

  /** The file is there for as long as the command is connected. */
  constructor(socket: Socket, keyValue: KeyValue, file: string) {
    this.#socket = socket
    this.#keyValue = keyValue
    this.#file = file
    socket.on('error', () => this.end())
  }

  async run(greeting: { readonly format: number; readonly process: string }): Promise<void> {
    const socket = this.#socket
    try {
      await writeFile(this.#file, '', { mode: 0o600 })
      send(socket, { protocol: PROTOCOL, ...greeting, slots: this.#keyValue.snapshotSlots() })
      for await (const { message, bytes } of messagesOf(socket)) {
        if (isTurnOver()) await nextTurn()
        if (this.#hasEnded) break
        // The owner of the folder has sent it, and a command of another version disconnects when it is greeted.
        await this.#handle(message as Request, bytes)
        if (socket.writableNeedDrain) await this.#drained()
      }
    } catch {
      // The command was killed, or has sent a wrong message: it is disconnected.
    } finally {
      this.end()
      await rm(this.#file, { force: true }).catch(() => undefined)
    }
  }

  /** Closes the snapshots, and the connection without an answer to what is under way. */
  end(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    for (const snapshot of this.#snapshots.values()) snapshot.close()
    this.#snapshots.clear()
    this.#socket.destroy()
  }

  async #handle(request: Request, bytes: number): Promise<void> {
    switch (request.op) {
      case 'close':
        this.#snapshots.get(request.snapshot)?.close()
        this.#snapshots.delete(request.snapshot)
        break
      case 'part':
        this.#collect(request.part, bytes)
        break
      case 'commit':
        this.#commit(request.id, request.time)
        if (this.#waitingBytes > WAITING_BYTES) await Promise.race(this.#commits)
        break
      default:
        await this.#answer(request.id, () => this.#resultOf(request))
    }
  }

  async #answer(id: number, work: () => Promise<unknown>): Promise<void> {
    const answer = await work().then(
      result => ({ id, result }),
      (error: unknown) => ({ id, error: sentError(error) }),
    )
    if (!this.#hasEnded) send(this.#socket, answer)
  }

  async #resultOf(request: Question): Promise<unknown> {
    const keyValue = this.#keyValue
    switch (request.op) {
      case 'open':
        this.#snapshots.set(request.snapshot, keyValue.snapshot())
        return undefined
      case 'get':
        return getPiece(this.#snapshot(request.snapshot), unpack(request.keys))
      case 'range':
        return readPiece(this.#snapshot(request.snapshot), request.range)
      case 'openSnapshots':
        return { ...(await keyValue.openSnapshots()), slots: keyValue.snapshotSlots() }
      case 'isAlive':
        return keyValue.isAlive(request.process)
      default:
        throw new Error('a request that is not known')
    }
  }

  #snapshot(number: number): Snapshot {
    const snapshot = this.#snapshots.get(number)
    if (snapshot === undefined) throw new Error('The snapshot is not open')
    return snapshot
  }

  #collect({ expect, more, changes }: BatchPart, bytes: number): void {
    const batch = this.#batch
    batch.bytes += bytes
    if (batch.bytes > MAX_BATCH_BYTES) throw new Error(`a batch of ${batch.bytes} bytes is too long`)
    const last = batch.expect.at(-1)
    if (last !== undefined && 'range' in last && more.length > 0)
      batch.expect[batch.expect.length - 1] = { range: last.range, entries: last.entries.concat(more) }
    for (const expectation of expect) batch.expect.push(expectation)
    for (const change of changes) batch.changes.push(change)
  }

  #commit(id: number, time: number | undefined): void {
    const { expect, changes, bytes } = this.#batch
    this.#batch = { expect: [], changes: [], bytes: 0 }
    this.#waitingBytes += bytes
    const commit = this.#answer(id, () => this.#keyValue.commit({ expect, changes, time })).finally(() => {
      this.#waitingBytes -= bytes
      this.#commits.delete(commit)
    })
    this.#commits.add(commit)
  }

  #drained(): Promise<void> {
    const socket = this.#socket
    return new Promise(resolve => {
      const isOver = () => {
        socket.off('drain', isOver).off('close', isOver)
        resolve()
      }
      socket.on('drain', isOver).on('close', isOver)
    })
  }
}

/** The values of the first keys, as many as a piece may have. */
async function getPiece(snapshot: Snapshot, keys: readonly (Uint8Array | undefined)[]) {
  const values: (Uint8Array | undefined)[] = []
  let bytes = 0
  for (const key of keys) {
    const value = key && (await snapshot.get(key))
    values.push(value)
    bytes += value?.length ?? 0
    if (bytes >= PIECE_BYTES) break
  }
  return pack(values)
}

async function readPiece(
  snapshot: Snapshot,
  { limit = PIECE_ENTRIES, ...range }: Parameters<Snapshot['range']>[0],
): Promise<RangePiece> {
  const most = Math.min(limit, PIECE_ENTRIES)
  const found: Uint8Array[] = []
  let bytes = 0
  for await (const { key, value } of snapshot.range({ ...range, limit: most })) {
    found.push(key, value)
    bytes += value.length
    if (bytes >= PIECE_BYTES) break
  }
  return { entries: pack(found), isLast: found.length < 2 * most && bytes < PIECE_BYTES }
}

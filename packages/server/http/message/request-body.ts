// The body of a request: read once: as JSON, as bytes in the order of arrival, or spooled so that it can be read from
// any offset. Small bodies stay in memory, large ones go to a temporary file that vanishes with the request.

import { randomBytes } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { systemCode } from '@hyperslab/base/files'
import {
  JsonParser,
  type JsonValue,
  MemoryCount,
  parseJson,
  partOfText,
  readRange,
} from '@hyperslab/model/json'
import { ClientLeft } from '../connection/client-left.ts'

/**
 * The length of a short body: the request waits for all of it first, so that it has no slot while it waits for the
 * client, and parses it as a whole.
 */
export const SHORT_BODY = 1 << 16

/** A body that can be read from any offset. */
export interface SpooledBody {
  readonly length: number
  /** Fills `into` from `offset`; returns the number of bytes read. */
  read(offset: number, into: Uint8Array): Promise<number>
}

/** `complete`: the whole body has arrived, as an `IncomingMessage` says. */
type BodyStream = Readable & { readonly complete?: boolean }

/** Bodies up to this many bytes are spooled in memory. */
export const SPOOL_IN_MEMORY = 4 << 20

export class RequestBody {
  readonly contentType: string | undefined
  /** The length in `Content-Length`, 0 without a body; undefined when the request has no length. */
  readonly announcedLength: number | undefined
  /** The setting max_json_body: bytes of JSON that are read into memory. */
  readonly maxJson: number
  /** Counts the memory of the values made of the body. */
  readonly memory: MemoryCount
  /** True: the service waits for the next bytes. */
  isAwaited = false
  /** Bytes that have arrived. */
  received = 0
  readonly #contentEncoding: string
  readonly #stream: BodyStream
  readonly #invite: () => void
  readonly #temporaryFolder: string
  #file: FileHandle | undefined
  /** Bytes that are kept in memory, and in the file. */
  #inMemory = 0
  #inFile = 0
  #check: ((json: JsonValue) => Promise<void>) | undefined
  /** The whole body, once it is in memory. */
  #held: Uint8Array | undefined

  /**
   * Calls `invite` before the first byte is read, since a client may wait for `100 Continue`. Calls `takeMemory` with
   * the size of the values made of the body; it throws when that is too large.
   */
  constructor(
    stream: BodyStream,
    headers: Pick<
      IncomingHttpHeaders,
      'content-type' | 'content-encoding' | 'content-length' | 'transfer-encoding'
    >,
    maxJson: number,
    invite: () => void,
    takeMemory: (bytes: number) => void,
    temporaryFolder = tmpdir(),
  ) {
    this.#temporaryFolder = temporaryFolder
    this.#stream = stream
    this.#invite = invite
    this.maxJson = maxJson
    this.memory = new MemoryCount(takeMemory)
    this.contentType = headers['content-type']
    this.#contentEncoding = headers['content-encoding'] ?? 'identity'
    const { 'content-length': length = 0, 'transfer-encoding': encoding } = headers
    this.announcedLength = encoding === undefined ? Number(length) : undefined
  }

  /** Whether the body is announced to have at most that many bytes. */
  isShort(limit: number): boolean {
    return this.announcedLength !== undefined && this.announcedLength <= limit
  }

  /**
   * Reads a body that is announced to be short, and keeps it, so that reading it later takes no time; false: it is
   * long.
   */
  async hold(limit: number): Promise<boolean> {
    if (!this.isShort(limit)) return false
    this.#held = await this.buffer(limit)
    return true
  }

  /** Sets the function that checks JSON after it is read. */
  checkJson(check: (json: JsonValue) => Promise<void>): void {
    this.#check = check
  }

  /** The JSON of the body, or its part without values, once it is checked. */
  async checked<Json extends JsonValue | undefined>(json: Json): Promise<Json> {
    if (json !== undefined) await this.#check?.(json)
    return json
  }

  /** The body as JSON whatever its content type; undefined when it is empty. */
  async json(): Promise<JsonValue | undefined> {
    requireBodyLength(this.announcedLength, this.maxJson)
    if (this.#held !== undefined) {
      return this.checked(this.#held.length === 0 ? undefined : parseJson(this.#held, this.memory))
    }
    const parser = new JsonParser(this.memory)
    for await (const piece of this.bytes()) {
      requireBodyLength(this.received, this.maxJson)
      parser.push(piece)
      await nextTurn()
    }
    return this.checked(this.received === 0 ? undefined : parser.finish())
  }

  /** The whole body; more than `limit` bytes is `body-too-large`. */
  async buffer(limit: number): Promise<Uint8Array> {
    requireBodyLength(this.announcedLength, limit)
    if (this.#held !== undefined) return this.#held
    const arrived = this.#takeArrived()
    if (arrived !== undefined) {
      requireBodyLength(arrived.length, limit)
      return arrived
    }
    const pieces: Uint8Array[] = []
    for await (const piece of this.bytes()) {
      requireBodyLength(this.received, limit)
      pieces.push(piece)
    }
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces, this.received)
  }

  /** A body that has arrived whole, as most short ones have: waiting for its pieces takes longer than reading them. */
  #takeArrived(): Uint8Array | undefined {
    const { complete = false, readableLength } = this.#stream
    if (!complete || readableLength === 0) return undefined
    this.#requireNoCoding()
    this.received = readableLength
    const bytes: Uint8Array | null = this.#stream.read()
    return bytes ?? undefined
  }

  /**
   * The bytes as they arrive. Throws ClientLeft when the client leaves before the end, `unsupported-media-type` for a
   * content coding.
   */
  async *bytes(): AsyncGenerator<Uint8Array> {
    if (this.#held !== undefined) return yield this.#held
    this.#requireNoCoding()
    this.#invite()
    try {
      // The stream is not destroyed: a caller that stops in the middle still sends an answer, and the connection reads
      // the stream to its end.
      this.isAwaited = true
      for await (const piece of this.#stream.iterator({ destroyOnReturn: false })) {
        this.isAwaited = false
        this.received += piece.length
        yield piece
        this.isAwaited = true
      }
    } catch (error) {
      if (this.#stream.errored !== null || this.#stream.readableAborted) throw new ClientLeft()
      throw error
    } finally {
      this.isAwaited = false
    }
  }

  /** Compressed bytes would be stored as if they were the values. */
  #requireNoCoding(): void {
    const coding = this.#contentEncoding.trim()
    if (coding === '' || coding.toLowerCase() === 'identity' || this.announcedLength === 0) return
    throw new HyperslabError(
      'unsupported-media-type',
      `Content-Encoding: ${coding}: a body must be sent as it is, without a content coding`,
    )
  }

  /** A spooled body as JSON, of the size that JSON may have. */
  async jsonOf(spooled: SpooledBody): Promise<JsonValue> {
    requireBodyLength(spooled.length, this.maxJson)
    const parser = new JsonParser(this.memory)
    for await (const piece of readRange(spooled, { from: 0, to: spooled.length })) parser.push(piece)
    return this.checked(parser.finish())
  }

  spool(): Promise<SpooledBody> {
    return this.keep(this.bytes())
  }

  /** Keeps bytes until the body is closed; those of several calls, one after another, have one file. */
  async keep(bytes: AsyncIterable<Uint8Array>): Promise<SpooledBody> {
    const pieces: Uint8Array[] = []
    let length = 0
    let file: FileHandle | undefined
    const from = this.#inFile
    const write = async (to: FileHandle, piece: Uint8Array) => {
      await writeFully(to, this.#inFile, piece)
      this.#inFile += piece.length
    }
    for await (const piece of bytes) {
      length += piece.length
      if (file === undefined && this.#inMemory + length > SPOOL_IN_MEMORY) {
        file = this.#file ??= await this.#openFile()
        for (const earlier of pieces) await write(file, earlier)
      }
      if (file === undefined) pieces.push(piece)
      else await write(file, piece)
    }
    if (file !== undefined) return partOfText(inFile(file, this.#inFile), { from, to: this.#inFile })
    this.#inMemory += length
    return inMemory(Buffer.concat(pieces, length))
  }

  /** Closes the temporary file. */
  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }

  /** The file has no name once it is open, so that nothing is left behind however the process ends. */
  async #openFile(): Promise<FileHandle> {
    const path = join(this.#temporaryFolder, `body-${randomBytes(12).toString('hex')}`)
    const file = await open(path, 'wx+', 0o600)
    // Another process that starts may have removed it.
    await rm(path, { force: true })
    return file
  }
}

function requireBodyLength(length: number | undefined, limit: number): void {
  if (length !== undefined && length > limit) throw bodyTooLarge(limit)
}

/** The error for a body that is longer than the setting allows. */
export function bodyTooLarge(limit: number): HyperslabError {
  return new HyperslabError(
    'body-too-large',
    `the body must not be larger than ${limit} bytes, the setting max_json_body`,
  )
}

async function writeFully(file: FileHandle, offset: number, piece: Uint8Array): Promise<void> {
  let done = 0
  try {
    while (done < piece.length) {
      done += (await file.write(piece, done, piece.length - done, offset + done)).bytesWritten
    }
  } catch (error) {
    const isFull = ['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '')
    const rule = 'the disk of the data folder is full; nothing was changed'
    throw isFull ? new HyperslabError('storage-full', rule, { cause: error }) : error
  }
}

function inMemory(bytes: Uint8Array): SpooledBody {
  return {
    length: bytes.length,
    async read(offset, into) {
      // Between the pieces of a long body other requests run. A short body is read at once: where many small writes are
      // committed together, each would wait for the next turn of a busy event loop.
      if (offset >= SHORT_BODY) await setImmediate()
      const part = bytes.subarray(offset, offset + into.length)
      into.set(part)
      return part.length
    },
  }
}

function inFile(file: FileHandle, length: number): SpooledBody {
  return {
    length,
    async read(offset, into) {
      let done = 0
      while (done < into.length) {
        const { bytesRead } = await file.read(into, done, into.length - done, offset + done)
        if (bytesRead === 0) break
        done += bytesRead
      }
      return done
    },
  }
}

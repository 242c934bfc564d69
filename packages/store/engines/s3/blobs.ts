// Blobs as objects of an S3 store: plain PUT, GET of ranges, HEAD, DELETE and lists, which every such store has. No
// function needs conditional writes or entity tags. Names are fresh, so a PUT that is repeated writes the same bytes.

import { parseListing } from '@hyperslab/base/outgoing'
import { type BlobPieces, type Blobs, checkBlobName, checkBlobPrefix } from '../../interfaces/engine.ts'
import { noBlob, storageFailed, valuesDamaged } from '../system-errors.ts'
import { areIntact, CHECKSUM_HEADER, checksumsOf, MAX_CHECKED, UNCHECKED } from './checksums.ts'
import type { S3Answer, S3Client } from './client.ts'
import { unusableAnswer } from './failures.ts'
import { type Part, Parts, putInParts } from './multipart.ts'
import { RangeJoiner } from './range-joiner.ts'

export class S3Blobs implements Blobs {
  /** A request spends most of its time waiting, so more of them run at once than reads of a disk. */
  readonly parallelism = 16
  readonly #client: S3Client
  readonly #ranges = new RangeJoiner((name, offset, into) => this.#readRange(name, offset, into))

  constructor(client: S3Client) {
    this.#client = client
  }

  /** Stores the blob; an object of the same name is replaced. */
  async put(name: string, pieces: BlobPieces): Promise<void> {
    checkBlobName(name)
    if (Array.isArray(pieces)) {
      const bytes = joined(pieces)
      if (bytes) return putWhole(this.#client, name, bytes)
    }
    const parts = new Parts(pieces)
    const all = parts[Symbol.asyncIterator]()
    try {
      await this.#putParts(name, parts, all)
    } finally {
      // The source must end also when the store has failed.
      await all.return(undefined)
    }
  }

  async #putParts(name: string, parts: Parts, all: AsyncGenerator<Part>): Promise<void> {
    const first = await all.next()
    if (first.done) return
    const second = await all.next()
    if (second.done) return putWhole(this.#client, name, first.value.bytes)
    const every = (async function* () {
      yield first.value
      yield second.value
      yield* all
    })()
    await putInParts(this.#client, name, every, part => parts.giveBack(part))
  }

  /** Reads a range. Each whole MiB of the blob within the range is compared with its checksum. */
  async read(name: string, offset: number, into: Uint8Array): Promise<number> {
    checkBlobName(name)
    if (into.length > 0) return this.#ranges.read(name, offset, into)
    if ((await this.size(name)) === undefined) throw noBlob(name)
    return 0
  }

  readCompared(name: string, offset: number, into: Uint8Array): Promise<number> {
    return this.read(name, offset, into)
  }

  async size(name: string): Promise<number | undefined> {
    checkBlobName(name)
    const { status, headers } = await this.#client.send({ method: 'HEAD', key: name })
    return status === 404 ? undefined : Number(headers['content-length'])
  }

  async hasChecksums(name: string): Promise<boolean> {
    checkBlobName(name)
    const { headers } = await this.#client.send({ method: 'HEAD', key: name })
    const checksums = headers[CHECKSUM_HEADER]
    return checksums !== undefined && checksums !== UNCHECKED
  }

  async delete(name: string): Promise<void> {
    checkBlobName(name)
    await this.#client.send({ method: 'DELETE', key: name })
  }

  async *list(prefix: string): AsyncIterable<string> {
    checkBlobPrefix(prefix)
    let continuation: string | undefined
    do {
      const page = await listPage(this.#client, prefix, {
        ...(continuation !== undefined && { 'continuation-token': continuation }),
      })
      yield* page.names
      continuation = page.continuation
    } while (continuation !== undefined)
  }

  async #readRange(name: string, offset: number, into: Uint8Array): Promise<number> {
    const answer = await this.#client.send({
      method: 'GET',
      key: name,
      headers: { range: `bytes=${offset}-${offset + into.length - 1}` },
      into,
      check: answer => requireRange(name, offset, into, answer),
    })
    if (answer.status === 404) throw noBlob(name)
    return answer.status === 416 ? 0 : answer.received
  }
}

/** Puts a blob of up to 64 MiB, with its checksums. */
export async function putWhole(client: S3Client, name: string, body: Uint8Array): Promise<void> {
  const headers = { [CHECKSUM_HEADER]: checksumsOf(name, body) }
  const { status } = await client.send({ method: 'PUT', key: name, headers, body })
  if (status === 404) throw storageFailed('S3: 404', new Error(`PUT ${name} was answered with 404`))
}

export interface ListedNames {
  /** The keys of the page that are names of blobs. */
  readonly names: readonly string[]
  readonly continuation: string | undefined
}

/** One page of the names that begin with `prefix`. */
export async function listPage(
  client: S3Client,
  prefix: string,
  parameters: Readonly<Record<string, string>>,
): Promise<ListedNames> {
  const { text } = await client.send({
    method: 'GET',
    query: { 'list-type': '2', 'encoding-type': 'url', prefix: client.prefix + prefix, ...parameters },
    check: ({ text }) => {
      if (!parseListing(text)) throw unusableAnswer('the answer of the S3 store is not a listing')
    },
  })
  const listing = parseListing(text)
  const names = listing?.objects.map(({ key }) => key.slice(client.prefix.length)) ?? []
  return { names: names.filter(isBlobName), continuation: listing?.continuation }
}

/** Throws unless the answer is the range, up to the end of the blob, and its parts with checksums are intact. */
function requireRange(name: string, offset: number, into: Uint8Array, answer: S3Answer): void {
  const total = totalOf(answer, offset)
  if (answer.received !== Math.min(into.length, total - offset))
    throw unusableAnswer('the S3 store answers with another range than that asked for')
  const checksums = answer.headers[CHECKSUM_HEADER]
  if (typeof checksums !== 'string') {
    const rule = `The blob ${name} has no checksum: another program wrote it`
    throw unusableAnswer(rule, valuesDamaged(rule))
  }
  const bytes = into.subarray(0, answer.received)
  if (checksums === UNCHECKED || areIntact({ name, offset, bytes, total }, checksums)) return
  const rule = `The blob ${name} is damaged: its bytes are not those that were written`
  throw unusableAnswer(rule, valuesDamaged(rule))
}

/** Bytes of the whole blob. Some stores answer 200 to a request for the whole object. */
function totalOf({ status, headers, received }: S3Answer, offset: number): number {
  if (status === 200 && offset === 0) return received
  const [, start, end, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? []
  const isExact = Number(start) === offset && Number(end) - Number(start) + 1 === received
  if (status === 206 && isExact) return Number(total)
  throw unusableAnswer(`the S3 store answers with ${status} instead of the requested range`)
}

function isBlobName(name: string): boolean {
  try {
    checkBlobName(name)
    return true
  } catch {
    return false
  }
}

/** The pieces as one array; undefined: they are too long for one request. */
function joined(pieces: readonly Uint8Array[]): Uint8Array | undefined {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length > MAX_CHECKED) return undefined
  const filled = pieces.filter(piece => piece.length > 0)
  return filled.length === 1 ? filled[0] : Buffer.concat(filled)
}

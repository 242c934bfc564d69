// Files on other machines by address: the last known state of each, for about a second, and whether it is an HDF5 file,
// as long as it is in that state. The first request for a file takes its first bytes too, which are all that a small
// file has.

import { BoundedMap } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { AnswerHead, RequestHeaders } from '@hyperslab/base/outgoing'
import {
  type ByteSource,
  HDF5_SIGNATURE,
  isSignature,
  LONGEST_SUPERBLOCK,
  readRange,
  signaturePositions,
} from '@hyperslab/h5/reader'
import { type FileTest, testAt } from '../../transfer/file-source.ts'
import { type FileState, rangeOf, stampOf, stateOf, type Validators, validatorsOf } from './file-state.ts'
import { HttpSource } from './http-source.ts'
import { type RemoteRequests, refused } from './remote-requests.ts'

/** Bytes that are read of a file that is about to be used. */
const HEAD_LENGTH = 2 ** 20
/** The signature is searched after user blocks up to this length. @limit safety, bytes */
const MAX_USER_BLOCK = 64 * 1024
/** The memory of the known states of all files, including their first bytes. @limit memory, bytes */
const MAX_KNOWN_BYTES = 32 * 2 ** 20
/** The approximate memory of a known file without its first bytes. */
const ENTRY_BYTES = 1024
/**
 * Milliseconds after which a file that could not be read is tried again: a server that does not answer takes a long
 * time.
 */
const FAILURE_AGE = 3000

export interface RemoteFile {
  readonly state: FileState
  readonly source: HttpSource
  readonly test: FileTest
}

/** The state of a file in a listing of another machine. */
export interface ListedState extends Validators {
  readonly size: number
}

/** `head`: the first bytes, so that opening takes no more requests. `signature`: whether it is an HDF5 file. */
export type Need = 'head' | 'signature'

type Outcome =
  | { readonly file: RemoteFile }
  | { readonly missing: true }
  | { readonly failure: HyperslabError }

interface Knowledge {
  readonly outcome: Outcome
  /** The time of the answer, by `elapsed` of the clock. */
  readonly seen: number
}

/** A part of a file from its beginning. */
interface FirstBytes {
  readonly state: FileState
  readonly head: Uint8Array
}

export interface RemoteFilesOptions {
  readonly requests: RemoteRequests
  /** Milliseconds after which the state of a file is requested again. */
  readonly maxAge: number
}

export class RemoteFiles {
  readonly #requests: RemoteRequests
  readonly #maxAge: number
  /** States and first bytes of remote files, a request each. @limit speed, bytes, bench/mounts.bench.mjs */
  readonly #known = new BoundedMap<string, Knowledge>(MAX_KNOWN_BYTES, {
    weightOf: ({ outcome }) => ENTRY_BYTES + ('file' in outcome ? outcome.file.source.head.length : 0),
  })
  /** Running requests for states; one for each address at a time. */
  readonly #looks = new Map<string, Promise<Outcome>>()

  constructor({ requests, maxAge }: RemoteFilesOptions) {
    this.#requests = requests
    this.#maxAge = maxAge
  }

  /**
   * The file in a state that it had at most `maxAge` ago; undefined: there is none. Throws `file-unavailable` when the
   * server does not answer, `file-unreadable` when it does not let the file be read in parts. `listed` is the state
   * that the server has just reported.
   */
  async look(url: URL, subject: string, need: Need, listed?: ListedState): Promise<RemoteFile | undefined> {
    const outcome = this.#fresh(url, need, listed) ?? (await this.#lookOnce(url, subject, need))
    if ('failure' in outcome) throw outcome.failure
    return 'file' in outcome ? outcome.file : undefined
  }

  /** The same file with its first bytes. Undefined: it is in another state now. */
  async withHead(file: RemoteFile, url: URL, subject: string): Promise<RemoteFile | undefined> {
    if (hasHead(file) && !file.source.isChanged) return file
    const now = await this.look(url, subject, 'head')
    return now?.state.stamp === file.state.stamp ? now : undefined
  }

  #fresh(url: URL, need: Need, listed: ListedState | undefined): Outcome | undefined {
    const entry = this.#known.use(url.href)
    if (!entry) return undefined
    const { outcome } = entry
    if ('file' in outcome) {
      if (need === 'head' && !hasHead(outcome.file)) return undefined
      if (listed) return stampOf(listed, listed.size) === outcome.file.state.stamp ? outcome : undefined
    }
    const maxAge = 'failure' in outcome ? FAILURE_AGE : this.#maxAge
    return SYSTEM_CLOCK.elapsed() - entry.seen < maxAge ? outcome : undefined
  }

  async #lookOnce(url: URL, subject: string, need: Need): Promise<Outcome> {
    const key = `${need} ${url.href}`
    const pending = this.#looks.get(key)
    if (pending) return pending
    const look = this.#lookNow(url, subject, need)
    this.#looks.set(key, look)
    try {
      return await look
    } finally {
      this.#looks.delete(key)
    }
  }

  async #lookNow(url: URL, subject: string, need: Need): Promise<Outcome> {
    const seen = SYSTEM_CLOCK.elapsed()
    const cached = this.#known.get(url.href)?.outcome
    try {
      const isEnough = cached && 'file' in cached && (need === 'signature' || hasHead(cached.file))
      const file = await (isEnough
        ? this.#lookAgain(url, subject, need, cached.file)
        : this.#readFirst(url, subject, need))
      const outcome: Outcome = file ? { file } : { missing: true }
      this.#known.set(url.href, { outcome, seen })
      return outcome
    } catch (failure) {
      if (!(failure instanceof HyperslabError) || failure.code === 'file-changed') throw failure
      const outcome: Outcome = { failure }
      this.#known.set(url.href, { outcome, seen: SYSTEM_CLOCK.elapsed() })
      return outcome
    }
  }

  async #lookAgain(url: URL, subject: string, need: Need, file: RemoteFile): Promise<RemoteFile | undefined> {
    const { etag, lastModified } = file.state.validators
    const condition: RequestHeaders =
      etag === undefined ? { 'if-modified-since': lastModified ?? '' } : { 'if-none-match': etag }
    const now = await this.#get(url, subject, HDF5_SIGNATURE.length, condition)
    if (now === 'unchanged' || now?.state.stamp === file.state.stamp) return file
    return now && this.#readFirst(url, subject, need)
  }

  async #readFirst(url: URL, subject: string, need: Need): Promise<RemoteFile | undefined> {
    const first = await this.#get(url, subject, need === 'head' ? HEAD_LENGTH : LONGEST_SUPERBLOCK)
    if (!first || first === 'unchanged') return undefined
    const onChange = () => this.#known.forget(url.href)
    const source = new HttpSource({ requests: this.#requests, ...first, subject, onChange })
    const base = await findBase(source)
    return { state: first.state, source, test: await testAt(source, base) }
  }

  /** Undefined: there is no such file, or it is empty. */
  async #get(
    url: URL,
    subject: string,
    length: number,
    condition: RequestHeaders = {},
  ): Promise<FirstBytes | 'unchanged' | undefined> {
    const headers = { ...condition, range: `bytes=0-${length - 1}` }
    let [head, filled, size] = [new Uint8Array(0), 0, 0]
    const answer = await this.#requests.get({ url, headers, subject }, answered => {
      if (answered.status !== 206) return undefined
      size = sizeOf(answered, subject)
      head = new Uint8Array(Math.min(length, size))
      filled = 0
      return piece => {
        if (filled + piece.length > head.length)
          throw refused(subject, 'its server sends more than was asked for')
        head.set(piece, filled)
        filled += piece.length
      }
    })
    const { status } = answer
    if (status === 304) return 'unchanged'
    if (status === 206) {
      if (filled < head.length) throw refused(subject, 'its server sends less than was asked for')
      return { state: stateOf(answer.url, validatorsOf(answer), size, subject), head }
    }
    // An empty file has no first byte to request.
    if ([404, 410, 416].includes(status) || answer.headers['content-length'] === '0') return undefined
    if (status === 200) {
      throw refused(subject, 'its server sends it only as a whole: it must support range requests')
    }
    throw refused(subject, `its server answers ${status}`)
  }
}

function hasHead({ source, state }: RemoteFile): boolean {
  return source.head.length >= Math.min(HEAD_LENGTH, state.size)
}

function sizeOf(answer: AnswerHead, subject: string): number {
  const range = rangeOf(answer)
  const { 'content-encoding': encoding = 'identity' } = answer.headers
  if (range?.position === 0 && encoding === 'identity') return range.size
  throw refused(subject, 'its server does not say which range of how many bytes it sends, or compresses it')
}

/** The position of the signature. Most files have it at 0, which is known already. */
async function findBase(source: ByteSource): Promise<number | undefined> {
  if (isSignature(await readRange(source, 0, HDF5_SIGNATURE.length))) return 0
  const bytes = await readRange(source, 0, MAX_USER_BLOCK + HDF5_SIGNATURE.length)
  return [...signaturePositions(MAX_USER_BLOCK + 1)].find(position => isSignature(bytes.subarray(position)))
}

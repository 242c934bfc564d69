// The bytes of a file at an address, by requests with a Range (RFC 9110, 14). A server that ignores Range is an error
// before the file is downloaded, and so is a file that changes while it is read: each request carries If-Range where
// the server gives a strong tag, and each answer is compared with the first.

import type { ByteRange } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ByteSource } from '../byte-source.ts'
import { readJoined } from './byte-sources.ts'

/** The first request, of metadata that most reads need. */
const FIRST_BYTES = 64 * 1024
const GAP = 128 * 1024
const LONGEST_READ = 8 * 2 ** 20

export interface UrlOptions {
  /** Default: that of the platform. */
  readonly fetch?: typeof globalThis.fetch
  /** Headers of each request, such as Authorization. */
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The properties of the file in the first answer. */
interface Version {
  readonly size: number
  readonly tag: string | undefined
  readonly modified: string | undefined
}

/** Requests the beginning of the file, and so learns its length and its version. */
export async function urlSource(url: string | URL, options: UrlOptions = {}): Promise<ByteSource> {
  const first = await request(url, { position: 0, length: FIRST_BYTES }, options)
  const beginning = first.status === 416 ? new Uint8Array(0) : await bytesOf(first)
  const version: Version = {
    size: await sizeOf(url, first, options),
    tag: first.headers.get('etag') ?? undefined,
    modified: first.headers.get('last-modified') ?? undefined,
  }
  const readRange = async ({ position, length }: ByteRange): Promise<Uint8Array> => {
    const end = Math.min(position + length, version.size)
    if (end <= position) return new Uint8Array(0)
    if (end <= beginning.length) return beginning.subarray(position, end)
    const response = await request(url, { position, length: end - position }, options, version)
    requireSame(url, response, version)
    const bytes = await bytesOf(response)
    if (bytes.length === end - position) return bytes
    throw unreadable(url, `the answer has ${bytes.length} of ${end - position} bytes`)
  }
  return {
    size: version.size,
    stamp: `${version.tag ?? version.modified ?? ''} ${version.size}`,
    read: ranges => readJoined(ranges, GAP, LONGEST_READ, readRange),
    async readInto(target, position) {
      const bytes = await readRange({ position, length: target.length })
      target.set(bytes)
      return bytes.length
    },
  }
}

async function request(
  url: string | URL,
  { position, length }: ByteRange,
  { fetch = globalThis.fetch, headers, signal }: UrlOptions,
  version?: Version,
): Promise<Response> {
  const isStrong = version?.tag !== undefined && !version.tag.startsWith('W/')
  const response = await fetch(url, {
    headers: {
      ...headers,
      range: `bytes=${position}-${position + length - 1}`,
      ...(isStrong && { 'if-range': version.tag ?? '' }),
    },
    ...(signal && { signal }),
  })
  if (response.status === 206 || (response.status === 416 && !version)) return response
  // The rest of the file is not wanted.
  await response.body?.cancel()
  if (version && [200, 412, 416].includes(response.status)) throw changed(url)
  if (response.status === 200) throw unreadable(url, 'its server ignores Range and sends the whole file')
  throw unreadable(url, `its server answers ${response.status} ${response.statusText}`.trimEnd())
}

async function bytesOf(response: Response): Promise<Uint8Array> {
  return new Uint8Array(await response.arrayBuffer())
}

const CONTENT_RANGE = /^bytes (?:\d+-\d+|\*)\/(\d+)$/

/** Pages of other origins often cannot see Content-Range: then a request of HEAD gives the length. */
async function sizeOf(
  url: string | URL,
  first: Response,
  { fetch = globalThis.fetch, headers, signal }: UrlOptions,
): Promise<number> {
  const total = CONTENT_RANGE.exec(first.headers.get('content-range') ?? '')?.[1]
  if (total !== undefined) return Number(total)
  const head = await fetch(url, { method: 'HEAD', ...(headers && { headers }), ...(signal && { signal }) })
  const length = head.ok ? head.headers.get('content-length') : null
  if (length !== null) return Number(length)
  throw unreadable(url, 'its server does not tell the length of the file')
}

function requireSame(url: string | URL, { headers }: Response, version: Version): void {
  const total = CONTENT_RANGE.exec(headers.get('content-range') ?? '')?.[1]
  const isOther = (known: string | undefined, now: string | null) =>
    known !== undefined && now !== null && known !== now
  if (
    (total !== undefined && Number(total) !== version.size) ||
    isOther(version.tag, headers.get('etag')) ||
    isOther(version.modified, headers.get('last-modified'))
  )
    throw changed(url)
}

function changed(url: string | URL): HyperslabError {
  return new HyperslabError('file-changed', `${url} changed while it was read: open it again`)
}

function unreadable(url: string | URL, reason: string): HyperslabError {
  return new HyperslabError('file-unreadable', `${url} cannot be read by ranges: ${reason}`)
}

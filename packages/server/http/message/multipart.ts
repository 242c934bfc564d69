// A multipart body (RFC 2046, 5.1) while it arrives: its parts one after another, found by the boundary.

import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'

export interface BodyPart {
  readonly contentType: string | undefined
  /** The name of a field of a form (RFC 7578). */
  readonly name: string | undefined
  readonly fileName: string | undefined
  /** Can be read once, before the next part is taken, which skips the rest. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Bytes of the headers of a part. @limit memory, bytes */
const MAX_HEADERS = 16 << 10

/** Whether a body of this media type has parts that are read here. */
export function isMultipart(type: string): boolean {
  return type === 'multipart/mixed' || type === 'multipart/form-data'
}

/** The parts in their order; `bytes` are those of the body. */
export async function* partsOf(
  bytes: AsyncIterable<Uint8Array>,
  contentType: string,
): AsyncGenerator<BodyPart, void, void> {
  const body = new DividedBytes(bytes, Buffer.from(`\r\n--${boundaryIn(contentType)}`))
  for (let number = 1; ; number++) {
    await body.skip()
    const head = await body.peek(MAX_HEADERS)
    if (isLast(head)) return
    const location = `part ${number}`
    // The line of the delimiter may end with blanks; without headers its end is also the end of the headers.
    const end = head.indexOf('\r\n\r\n')
    const line = /^[ \t]*(?=\r\n)/.exec(head.toString('latin1', 0, 80))?.[0]
    if (line === undefined || end < 0) {
      throw malformed(`the headers of ${location} must end with an empty line, within ${MAX_HEADERS} bytes`)
    }
    const headers = head.toString('utf8', line.length + 2, Math.max(end, line.length + 2))
    body.begin(end + 4)
    yield { ...readHeaders(headers, location), bytes: body.rest() }
  }
}

/** Bytes between delimiters. */
class DividedBytes {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #delimiter: Buffer
  /** The next bytes; a delimiter at the beginning of the body has no line before it. */
  #next = Buffer.from('\r\n')
  /** True: the next bytes are behind a delimiter. */
  #isDelimited = false

  constructor(bytes: AsyncIterable<Uint8Array>, delimiter: Buffer) {
    this.#source = bytes[Symbol.asyncIterator]()
    this.#delimiter = delimiter
  }

  /** The first bytes behind a delimiter: up to the next one, the end, or `length`. */
  async peek(length: number): Promise<Buffer> {
    for (;;) {
      const end = this.#next.indexOf(this.#delimiter)
      if (end >= 0) return this.#next.subarray(0, Math.min(end, length))
      if (this.#next.length >= length) return this.#next.subarray(0, length)
      if (await this.#takeMore()) continue
      if (isLast(this.#next)) return this.#next
      throw noLastBoundary()
    }
  }

  /** Leaves out the first bytes behind a delimiter. */
  begin(length: number): void {
    this.#next = this.#next.subarray(length)
    this.#isDelimited = false
  }

  /** The bytes up to the next delimiter. */
  async *rest(): AsyncGenerator<Uint8Array> {
    while (!this.#isDelimited) {
      const end = this.#next.indexOf(this.#delimiter)
      this.#isDelimited = end >= 0
      const length = this.#isDelimited ? end : Math.max(0, this.#next.length - this.#delimiter.length + 1)
      const piece = this.#next.subarray(0, length)
      this.#next = this.#next.subarray(this.#isDelimited ? end + this.#delimiter.length : length)
      if (length > 0) yield piece
      if (!this.#isDelimited && !(await this.#takeMore())) throw noLastBoundary()
    }
  }

  /** Goes behind the next delimiter. */
  async skip(): Promise<void> {
    for await (const _ of this.rest()) await nextTurn()
  }

  async #takeMore(): Promise<boolean> {
    const { done, value } = await this.#source.next()
    if (!done) this.#next = Buffer.concat([this.#next, value])
    return !done
  }
}

const DASHES = Buffer.from('--')

/** Whether the bytes behind a delimiter say that it is the last one. */
function isLast(bytes: Buffer): boolean {
  return bytes.subarray(0, 2).equals(DASHES)
}

function boundaryIn(contentType: string): string {
  const boundary = parameterIn(contentType, 'boundary')
  if (boundary !== undefined && /^[ -~]{1,70}$/.test(boundary)) return boundary
  throw new HyperslabError(
    'unsupported-media-type',
    `Content-Type: ${contentType} must have a boundary of 1 to 70 ASCII characters`,
  )
}

function readHeaders(text: string, location: string): Omit<BodyPart, 'bytes'> {
  const headers = new Map<string, string>()
  // A line that begins with a blank continues the one before it.
  for (const line of text.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  const coding = headers.get('content-transfer-encoding')?.toLowerCase() ?? 'binary'
  if (!['binary', '8bit', '7bit'].includes(coding)) {
    throw new HyperslabError(
      'unsupported-media-type',
      `${location}: Content-Transfer-Encoding: ${excerpt(coding)} must be binary: send the bytes as they are`,
    )
  }
  const disposition = headers.get('content-disposition') ?? ''
  return {
    contentType: headers.get('content-type'),
    name: parameterIn(disposition, 'name'),
    fileName: parameterIn(disposition, 'filename'),
  }
}

/** A parameter of a header: the one with all characters (RFC 8187), or the plain one. */
function parameterIn(header: string, name: string): string | undefined {
  const values = new Map<string, string>()
  for (const [, key, quoted, token] of header.matchAll(PARAMETER)) {
    // Browsers and others write the characters that would end the string with a percent sign.
    const text = quoted?.replace(/\\(.)/g, '$1').replace(/%(?:22|0D|0A)/gi, decodeURIComponent) ?? token
    values.set(key.toLowerCase(), text)
  }
  const extended = /^utf-8'[^']*'(.*)$/i.exec(values.get(`${name}*`) ?? '')?.[1]
  return extended === undefined ? values.get(name) : decoded(extended)
}

const PARAMETER = /;\s*([\w-]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw malformed(`${excerpt(text)} is not UTF-8 in percent signs`)
  }
}

function noLastBoundary(): HyperslabError {
  return malformed('it has no last boundary, with two hyphens behind it')
}

function malformed(reason: string): HyperslabError {
  return new HyperslabError('malformed-body', `the multipart body is malformed: ${reason}`)
}

// A multipart body (RFC 2046, 5.1) that is stored: its parts, found by the boundary, stay where the body is.

import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, partOfText, readRange, type StoredText } from '@hyperslab/model/json'

export interface BodyPart {
  readonly contentType: string | undefined
  /** The name of a field of a form (RFC 7578). */
  readonly name: string | undefined
  readonly fileName: string | undefined
  readonly text: StoredText
}

/** Bytes of the headers of a part. @limit memory, bytes */
const MAX_HEADERS = 16 << 10

/** Whether a body of this media type has parts that are read here. */
export function isMultipart(type: string): boolean {
  return type === 'multipart/mixed' || type === 'multipart/form-data'
}

/** The parts in their order, at most `maxCount`. */
export async function partsOf(
  body: StoredText,
  contentType: string,
  maxCount: number,
): Promise<readonly BodyPart[]> {
  const delimiter = Buffer.from(`\r\n--${boundaryIn(contentType)}`)
  const delimiters = await positionsOf(delimiter, body, maxCount + 1)
  const parts: BodyPart[] = []
  for (const [i, position] of delimiters.entries()) {
    await nextTurn()
    const from = position + delimiter.length
    const next = delimiters[i + 1]
    const head = Buffer.alloc(Math.min(MAX_HEADERS, (next ?? body.length) - from))
    await body.read(from, head)
    if (head.subarray(0, 2).equals(DASHES)) return parts
    if (next === undefined) break
    if (parts.length === maxCount) {
      throw new HyperslabError(
        'body-too-large',
        `the body must not have more than ${maxCount} parts: send several requests`,
      )
    }
    const location = `part ${parts.length + 1}`
    // The line of the delimiter may end with blanks; without headers its end is also the end of the headers.
    const end = head.indexOf('\r\n\r\n')
    const line = /^[ \t]*(?=\r\n)/.exec(head.toString('latin1', 0, 80))?.[0]
    if (line === undefined || end < 0) {
      throw malformed(`the headers of ${location} must end with an empty line, within ${MAX_HEADERS} bytes`)
    }
    const headers = head.toString('utf8', line.length + 2, Math.max(end, line.length + 2))
    parts.push({
      ...readHeaders(headers, location),
      text: partOfText(body, { from: from + end + 4, to: next }),
    })
  }
  throw malformed('it has no last boundary, with two hyphens behind it')
}

const DASHES = Buffer.from('--')

function boundaryIn(contentType: string): string {
  const boundary = parameterIn(contentType, 'boundary')
  if (boundary !== undefined && /^[ -~]{1,70}$/.test(boundary)) return boundary
  throw new HyperslabError(
    'unsupported-media-type',
    `Content-Type: ${contentType} must have a boundary of 1 to 70 ASCII characters`,
  )
}

/** The positions of the delimiter, at most `maxCount`; one at the beginning of the body has no line before it. */
async function positionsOf(
  delimiter: Buffer,
  body: StoredText,
  maxCount: number,
): Promise<readonly number[]> {
  const positions: number[] = []
  let pending = Buffer.from('\r\n')
  let before = -pending.length
  for await (const block of readRange(body, { from: 0, to: body.length })) {
    await nextTurn()
    const bytes = Buffer.concat([pending, block])
    let end = 0
    for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, end)) {
      positions.push(before + at)
      if (positions.length > maxCount) return positions
      end = at + delimiter.length
    }
    const kept = Math.max(end, bytes.length - delimiter.length + 1)
    pending = bytes.subarray(kept)
    before += kept
  }
  return positions
}

function readHeaders(text: string, location: string): Omit<BodyPart, 'text'> {
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

function malformed(reason: string): HyperslabError {
  return new HyperslabError('malformed-body', `the multipart body is malformed: ${reason}`)
}

// Sends replies: JSON with its entity tag, streams with back-pressure, errors in the form of the dialect.

import { type ServerResponse, STATUS_CODES } from 'node:http'
import { nextTurn } from '@hyperslab/base/bounded'
import type { HyperslabError } from '@hyperslab/base/errors'
import { type NonFinite, stringifyJson } from '@hyperslab/model/json'
import { ClientLeft, hasLeft } from '../connection/client-left.ts'
import { lingerIfUnread } from '../connection/linger.ts'
import type { Body, Dialect } from '../dialect/dialect.ts'
import { isKnown, requireMatch, tagged, tagOf } from '../message/entity-tag.ts'
import { escapeHtml } from '../message/html.ts'
import { isLong, streamJson } from '../message/json-stream.ts'
import {
  type ByteStream,
  isJsonReply,
  type JsonText,
  type LiveReply,
  type Reply,
  type Request,
} from '../message/message.ts'
import { prefixOf } from '../message/path-prefix.ts'
import { slices } from '../message/pieces.ts'
import { type ErrorBody, errorBody } from '../output/error-body.ts'
import { counted } from './counted.ts'
import { type ByteRange, partOf, requestedRange } from './ranges.ts'

/**
 * The headers of an answer, names and values alternately, passed to Node at once, because setting them one by one costs
 * microseconds. They are sent unchanged, so each name occurs once, except for `Set-Cookie`.
 */
export type Head = string[]

/** The memory that an answer holds while it is sent at the pace of its client. */
export interface AnswerMemory {
  /** Returns nothing when it is free at once. */
  take(stream: ByteStream): Promise<void> | undefined
  /** Gives back the memory beyond `bytesLeft`, the bytes that are still to be sent. */
  release(bytesLeft: number): void
  /** Called when the process begins to make a piece, and when it has made it. Absent: nothing counts its time. */
  readonly work?: (isBegun: boolean) => void
}

/**
 * Throws when the data of an answer are of two states, so that it is invalid. Returns nothing when that is impossible.
 */
export type Confirm = () => Promise<void> | undefined

const CONFIRMED: Confirm = () => undefined

/** A request that is being answered. `head` has the headers of any answer to it. */
export interface Answering {
  readonly response: ServerResponse
  readonly head: Head
  readonly request: Request
}

/**
 * Sends a reply; resolves when its last byte has been passed to the socket. A reply that is read while it is sent is
 * confirmed before its last bytes are sent. When this fails before the first byte, another reply can be sent.
 */
export async function sendReply(
  { response, head, request }: Answering,
  reply: Reply,
  nonFinite: NonFinite,
  memory: AnswerMemory,
  confirm = CONFIRMED,
): Promise<void> {
  const common = head.length
  for (const [name, value] of Object.entries(reply.headers ?? {})) head.push(name, value)
  for (const cookie of reply.cookies ?? []) head.push('Set-Cookie', cookie)
  if ('text' in reply) {
    sendText(
      response,
      head,
      { status: reply.status, contentType: reply.text.contentType },
      measured(reply.text.text),
    )
    return
  }
  const answering = { response, head, request }
  if ('live' in reply) return sendLive(answering, reply, memory)
  const json = 'json' in reply ? reply.json : undefined
  const made = json ? undefined : streamOf(request, reply, nonFinite)
  const stream = made && memory.work ? counted(made, memory.work) : made
  const text =
    json ?? (stream === undefined && isJsonReply(reply) ? jsonText(reply.body, nonFinite) : undefined)
  try {
    if (stream) return await sendStream(answering, reply.status, stream, memory, confirm)
    if (text) {
      const sending = sendJson(answering, reply.status, text, memory)
      return sending && (await sending)
    }
  } catch (error) {
    head.length = common
    throw error
  }
  writeHead(response, reply.status, head)
  response.end()
}

/** The reply with its JSON as text, unless that is long: such a reply can be sent several times. */
export function withText(reply: Reply, nonFinite: NonFinite): Reply {
  if (!isJsonReply(reply) || isLong(reply.body)) return reply
  const { body, ...rest } = reply
  const json = jsonText(body, nonFinite)
  return { ...rest, json: { ...json, entityTag: tagOf(json.text) } }
}

/** The reply to a client that has the stream already, which can be sent several times. Undefined: it is sent. */
export function notModified(request: Request, reply: Reply): Reply | undefined {
  const entityTag = 'stream' in reply ? reply.stream.entityTag : undefined
  if (entityTag === undefined || !isKnown(request, entityTag)) return undefined
  requireMatch(request, entityTag)
  return { status: 304, headers: { ...reply.headers, Etag: entityTag } }
}

/** The entity tag that GET would send with the reply; undefined: it has none. */
export async function entityTagOfReply(
  request: Request,
  reply: Reply,
  nonFinite: NonFinite,
): Promise<string | undefined> {
  const stream = streamOf(request, reply, nonFinite)
  if (stream === undefined)
    return isJsonReply(reply) ? tagOf(jsonText(reply.body, nonFinite).text) : undefined
  if (hasOwnTag(stream)) return stream.entityTag
  const { entityTag, pieces } = await tagged(stream)
  const iterator = pieces[Symbol.asyncIterator]()
  await iterator.next()
  await iterator.return?.()
  return entityTag
}

/** Whether its tag, or that it has none, is known before its bytes. */
function hasOwnTag({ entityTag, length, isUntagged = false }: ByteStream): boolean {
  return entityTag !== undefined || length !== undefined || isUntagged
}

function jsonText(body: Body, nonFinite?: NonFinite): JsonText {
  return measured(stringifyJson(body, nonFinite))
}

function measured(text: string): JsonText {
  return { text, length: String(Buffer.byteLength(text)) }
}

/** The stream of a reply that is sent piece by piece: a stream, or a body that is too long for one string. */
function streamOf({ dialect }: Request, reply: Reply, nonFinite: NonFinite): ByteStream | undefined {
  if ('stream' in reply) return reply.stream
  if (!isJsonReply(reply) || !isLong(reply.body)) return undefined
  const { body, entityTag } = reply
  const pieces = streamJson(body, nonFinite)
  return { contentType: dialect.jsonContentType, pieces, ...(entityTag && { entityTag }) }
}

function writeHead(
  response: ServerResponse,
  status: number,
  head: Head,
  reason = STATUS_CODES[status] ?? '',
): void {
  lingerIfUnread(response)
  response.writeHead(status, reason, head)
}

/** Sends a body as JSON; returns nothing when it is sent at once. */
function sendJson(
  { response, head, request }: Answering,
  status: number,
  json: JsonText,
  memory: AnswerMemory,
): Promise<void> | undefined {
  const contentType = request.dialect.jsonContentType
  if (request.method === 'GET' && status === 200) {
    const entityTag = json.entityTag ?? tagOf(json.text)
    if (request.headers.range !== undefined) {
      const bytes = Buffer.from(json.text)
      const stream = { contentType, entityTag, length: bytes.length, pieces: slices(bytes) }
      return sendStream({ response, head, request }, status, stream, memory, CONFIRMED)
    }
    requireMatch(request, entityTag)
    head.push('Etag', entityTag, 'Accept-Ranges', 'bytes')
    if (isKnown(request, entityTag)) {
      sendNotModified(response, head)
      return undefined
    }
  }
  sendText(response, head, { status, contentType }, json)
  return undefined
}

interface TextStatus {
  readonly status: number
  readonly contentType: string
  /** The phrase after the status. */
  readonly reason?: string | undefined
}

/** Sends a body as a string, not bytes: then the head and a short body are one write. */
function sendText(
  response: ServerResponse,
  head: Head,
  { status, contentType, reason }: TextStatus,
  { text, length }: JsonText,
): void {
  head.push('Content-Type', contentType, 'Content-Length', length)
  writeHead(response, status, head, reason)
  response.end(text)
}

function sendNotModified(response: ServerResponse, head: Head): void {
  writeHead(response, 304, head)
  response.end()
}

/**
 * Sends a stream, or the requested range of it, or 304 if the client has it already. HEAD gets the head that GET would
 * get, without reading a stream whose tag or length is known.
 */
async function sendStream(
  { response, head, request }: Answering,
  status: number,
  stream: ByteStream,
  memory: AnswerMemory,
  confirm: Confirm,
): Promise<void> {
  if (request.method !== 'GET') {
    await memory.take(stream)
    return sendPieces(response, head, status, stream, memory, confirm)
  }
  if (hasOwnTag(stream)) {
    return sendTagged({ response, head, request }, status, stream, memory, confirm)
  }
  // Pieces of a known length cannot be held back: each is valid until the next one is requested.
  await memory.take(stream)
  const held = await tagged(stream)
  try {
    // If it has a tag, all of it has been read.
    if (held.entityTag !== undefined) await confirm()
    const last = held.entityTag === undefined ? confirm : CONFIRMED
    const taken: AnswerMemory = { take: () => undefined, release: bytesLeft => memory.release(bytesLeft) }
    await sendTagged({ response, head, request }, status, held, taken, last)
  } finally {
    await held.pieces[Symbol.asyncIterator]().return?.()
  }
}

async function sendTagged(
  { response, head, request }: Answering,
  status: number,
  stream: ByteStream,
  memory: AnswerMemory,
  confirm: Confirm,
): Promise<void> {
  const { entityTag, length } = stream
  const isHead = response.req.method === 'HEAD'
  let range: ByteRange | undefined
  if (entityTag !== undefined) {
    requireMatch(request, entityTag)
    head.push('Etag', entityTag)
    if (isKnown(request, entityTag)) {
      await confirm()
      return sendNotModified(response, head)
    }
    if (status === 200 && length !== undefined) {
      head.push('Accept-Ranges', 'bytes')
      // Only GET has ranges (RFC 9110, 14.2).
      if (!isHead) range = requestedRange(request.headers, { length, entityTag })
      if (range)
        head.push('Content-Range', `bytes ${range.first}-${range.first + range.length - 1}/${length}`)
    }
  }
  if (isHead) {
    await confirm()
    head.push('Content-Type', stream.contentType)
    if (length !== undefined) head.push('Content-Length', String(length))
    writeHead(response, status, head)
    response.end()
    return
  }
  const part = range ? partOf(stream, range) : stream
  await memory.take(part)
  await sendPieces(response, head, range ? 206 : status, part, memory, confirm)
}

/**
 * Sends the pieces at the pace of the socket. After a failure before the first byte the caller sends an error; after a
 * later one the connection is broken, so that no client takes a part of an answer for all of it.
 */
async function sendPieces(
  response: ServerResponse,
  head: Head,
  status: number,
  stream: ByteStream,
  memory: AnswerMemory,
  confirm: Confirm,
): Promise<void> {
  const pieces = stream.pieces[Symbol.asyncIterator]()
  let isDone = false
  try {
    const first = await pieces.next()
    // If a stream of unknown length has no second piece, its length is known after all.
    const second = stream.length === undefined ? await pieces.next() : undefined
    const length = stream.length ?? (second?.done ? byteLength(first) : undefined)
    const isRead = first.done || first.value.length === length
    if (isRead) await confirm()
    head.push('Content-Type', stream.contentType)
    if (length !== undefined) head.push('Content-Length', String(length))
    writeHead(response, status, head)
    let left = length ?? Number.POSITIVE_INFINITY
    const send = async (bytes: Uint8Array): Promise<void> => {
      memory.release(left)
      left -= bytes.length
      if (left === 0 && !isRead) await confirm()
      return write(response, bytes, left === 0)
    }
    if (!first.done) await send(first.value)
    // If the socket takes all bytes at once and the pieces are ready, this loop would block other requests.
    for (let piece = second ?? (await pieces.next()); !piece.done; piece = await pieces.next()) {
      await send(piece.value)
      await nextTurn()
    }
    isDone = true
    if (response.writableEnded) return
    // The end of an answer of unknown length is sent last.
    if (!isRead) await confirm()
    response.end()
  } catch (error) {
    if (response.headersSent) response.destroy()
    throw error
  } finally {
    if (!isDone) await pieces.return?.()
  }
}

/** Sends pieces as they come, and nothing is kept of them: no cache, no tag. */
async function sendLive(
  { response, head, request }: Answering,
  { status, live }: LiveReply,
  memory: AnswerMemory,
): Promise<void> {
  const left = new AbortController()
  response.once('close', () => left.abort())
  if (hasLeft(response)) throw new ClientLeft()
  // It gives its slot away, and holds next to nothing.
  await memory.take({ contentType: live.contentType, length: 0, pieces: NO_PIECES })
  memory.release(0)
  const { contentType, follow } = live
  try {
    const first = await live.first({ address: request.address, signal: left.signal })
    head.push('Content-Type', contentType, 'Cache-Control', 'no-store', 'X-Accel-Buffering', 'no')
    // A stream without an end needs no chunks: the connection ends with it, and each write is one piece for the socket.
    // Behind a prefix there may be jupyter-server-proxy, which waits for the end of a body without chunks.
    if (follow === undefined) head.push('Content-Length', String(first.length))
    else if (prefixOf(request.headers) === '') response.useChunkedEncodingByDefault = false
    writeHead(response, status, head)
    if (follow === undefined || response.req.method === 'HEAD') {
      response.end(first)
      return
    }
    response.write(first)
    await followed(response, follow)
    response.end()
  } catch (error) {
    if (response.headersSent) response.destroy()
    throw error
  } finally {
    live.end()
  }
}

/** Resolves when the answer ends, or the client has left. */
function followed(response: ServerResponse, follow: Required<LiveReply['live']>['follow']): Promise<void> {
  return new Promise((resolve, reject) => {
    if (hasLeft(response)) return resolve()
    response.once('close', resolve)
    follow({
      send: bytes => response.write(bytes),
      drained: () => drained(response),
      end: error => (error === undefined ? resolve() : reject(error)),
    })
  })
}

/** Resolves when the socket takes more, or the client has left. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const settle = (): void => {
      response.off('drain', settle).off('close', settle)
      resolve()
    }
    if (hasLeft(response)) resolve()
    else response.once('drain', settle).once('close', settle)
  })
}

const NO_PIECES: AsyncIterable<Uint8Array> = slices(new Uint8Array(0))

function byteLength(piece: IteratorResult<Uint8Array>): number {
  return piece.done ? 0 : piece.value.length
}

/**
 * Resolves when the socket has taken the bytes, so that their buffer may be used again. The last bytes end the answer,
 * so that a short one is sent together with its head.
 */
function write(response: ServerResponse, bytes: Uint8Array, isLast: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    if (hasLeft(response)) return reject(new ClientLeft())
    const left = (): void => reject(new ClientLeft())
    response.once('close', left)
    const written = (error?: Error | null): void => {
      response.off('close', left)
      if (error) reject(new ClientLeft())
      else resolve()
    }
    if (isLast) response.end(bytes, written)
    else response.write(bytes, written)
  })
}

/** Sends an error as JSON `{status, code, message}`; in one dialect the reason phrase has the message, too. */
export function sendError(
  response: ServerResponse,
  head: Head,
  dialect: Dialect,
  error: HyperslabError,
  operation: string | undefined,
): void {
  sendErrorBody(response, head, dialect, errorBody(error, dialect, operation))
}

/** Sends an error to a person that opened the address; `base` is the beginning of addresses of the service. */
export function sendErrorPage(
  response: ServerResponse,
  head: Head,
  { status, message }: ErrorBody,
  { title, base }: { readonly title: string; readonly base: string },
): void {
  const links = [
    ['/ui', 'The data'],
    ['/docs/guide', 'The guide'],
    ['/docs', 'The API'],
  ].map(([path, text]) => `<p><a href="${escapeHtml(base + path)}">${text}</a>`)
  const page =
    `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${title} – Hyperslab</title>\n` +
    '<meta name="viewport" content="width=device-width">\n' +
    `<h1>${title}</h1>\n<p>${escapeHtml(message)}\n${links.join('\n')}\n`
  head.push('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'", 'Vary', 'Accept')
  // Its address may have secrets.
  if (!head.includes('Cache-Control')) head.push('Cache-Control', 'no-store')
  if (!head.includes('Referrer-Policy')) head.push('Referrer-Policy', 'no-referrer')
  const contentType = 'text/html; charset=utf-8'
  sendText(response, head, { status, contentType, reason: STATUS_CODES[status] }, measured(page))
}

/** Sends the answer to a defect of the service, which contains only an id to look up in the log. */
export function sendDefect(response: ServerResponse, head: Head, dialect: Dialect, id: string): void {
  const message = `internal error: the log of the service has the cause, under the request id ${id}`
  sendErrorBody(response, head, dialect, { status: 500, code: 'internal', message })
}

function sendErrorBody(response: ServerResponse, head: Head, dialect: Dialect, body: ErrorBody): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { status, message } = body
  const reason = dialect.rules.requests.reasonPhrase ? reasonPhrase(message) : STATUS_CODES[status]
  sendText(response, head, { status, contentType: dialect.jsonContentType, reason }, jsonText(body))
}

/** One line of printable ASCII, of a length that every client accepts. */
function reasonPhrase(message: string): string {
  return message.replace(/[^\x20-\x7e]+/g, '?').slice(0, 400)
}

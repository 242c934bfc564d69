// Sending replies: JSON with its entity tag, streams with back-pressure, errors in the words of the dialect.

import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { HyperslabError } from '../errors.ts'
import { type JsonOutput, type NonFinite, stringifyJson } from '../hdf5/json.ts'
import type { ObjectId, ObjectKind } from '../hdf5/object-id.ts'
import { ClientLeft } from './client-left.ts'
import type { Dialect } from './dialect/dialect.ts'
import type { ByteStream, Reply, Request } from './route.ts'

/** Sends a reply; resolves when its last byte has been handed to the socket. */
export async function sendReply(
  response: ServerResponse,
  request: Request,
  reply: Reply,
  nonFinite: NonFinite,
): Promise<void> {
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value)
  if (reply.stream !== undefined) return sendStream(response, request, reply.status, reply.stream)
  if (reply.body !== undefined) {
    return sendJson(response, request, reply.status, stringifyJson(reply.body, nonFinite))
  }
  response.statusCode = reply.status
  response.end()
}

function sendJson(response: ServerResponse, request: Request, status: number, text: string): void {
  if (request.method === 'GET' && status === 200) {
    if (sendNotModified(response, request, `"${hash('sha1', text)}"`)) return
  }
  response.statusCode = status
  sendText(response, request.dialect, text)
}

/** Sent as text, not bytes: the head and a short body then leave in one write. */
function sendText(response: ServerResponse, dialect: Dialect, text: string): void {
  response.setHeader('Content-Type', dialect.jsonContentType)
  response.setHeader('Content-Length', Buffer.byteLength(text))
  response.end(text)
}

/** True when the client has these very bytes already. Sets the `Etag` header in any case. */
function sendNotModified(response: ServerResponse, request: Request, tag: string): boolean {
  response.setHeader('Etag', tag)
  const known = request.headers['if-none-match']
  if (known === undefined) return false
  const tags = known.split(',').map(item => item.trim().replace(/^W\//, ''))
  if (!tags.includes(tag) && !tags.includes('*')) return false
  response.statusCode = 304
  response.end()
  return true
}

/**
 * Sends the pieces as fast as the socket takes them. A failure before the first byte is the caller's to answer; after
 * it the connection is broken off, so that nobody takes half an answer for a whole one.
 */
async function sendStream(
  response: ServerResponse,
  request: Request,
  status: number,
  stream: ByteStream,
): Promise<void> {
  if (request.method === 'GET' && sendNotModified(response, request, stream.entityTag)) return
  const pieces = stream.pieces[Symbol.asyncIterator]()
  try {
    const first = await pieces.next()
    // A stream of unknown length is looked at one piece ahead: if there is no second, the length is known after all.
    const second = stream.length === undefined ? await pieces.next() : undefined
    const length = stream.length ?? (second?.done ? byteLength(first) : undefined)
    response.statusCode = status
    response.setHeader('Content-Type', stream.contentType)
    if (length !== undefined) response.setHeader('Content-Length', length)
    if (!first.done) await write(response, first.value)
    for (let piece = second ?? (await pieces.next()); !piece.done; piece = await pieces.next()) {
      await write(response, piece.value)
    }
    response.end()
  } catch (error) {
    if (response.headersSent) response.destroy()
    throw error
  } finally {
    await pieces.return?.()
  }
}

function byteLength(piece: IteratorResult<Uint8Array>): number {
  return piece.done ? 0 : piece.value.length
}

/** Resolves when the bytes have left our hands, so that their buffer may be used again. */
function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    if (response.destroyed) return reject(new ClientLeft())
    const left = (): void => reject(new ClientLeft())
    response.once('close', left)
    response.write(bytes, error => {
      response.off('close', left)
      if (error) reject(new ClientLeft())
      else resolve()
    })
  })
}

/** Sends an error as JSON `{status, code, message}`; in dialects that want it, the reason phrase says the same. */
export function sendError(
  response: ServerResponse,
  dialect: Dialect,
  error: HyperslabError,
  operation: string | undefined,
): void {
  const status = dialect.statusOf(error, operation)
  sendErrorBody(response, dialect, status, {
    status,
    code: error.code,
    message: respelled(error.message, dialect),
  })
}

/** Ids in a message as the dialect spells them: the service writes 32 digits behind the kind. */
function respelled(message: string, { formatId }: Dialect): string {
  const ids = /\b(group|dataset|datatype) ([0-9a-f]{32})\b/g
  return message.replace(ids, (_, kind: ObjectKind, id: ObjectId) => `${kind} ${formatId({ kind, id })}`)
}

/** Sends the answer to our own defect: an id to look up in the log, nothing else. */
export function sendDefect(response: ServerResponse, dialect: Dialect, id: string): void {
  const message = `an error inside the service; its log tells more under ${id}`
  sendErrorBody(response, dialect, 500, { status: 500, code: 'internal', message })
}

function sendErrorBody(
  response: ServerResponse,
  dialect: Dialect,
  status: number,
  body: { readonly [name: string]: JsonOutput; readonly message: string },
): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.statusCode = status
  if (dialect.rules.reasonPhrase) response.statusMessage = reasonPhrase(body.message)
  response.removeHeader('Etag')
  sendText(response, dialect, stringifyJson(body))
}

/** One line of printable ASCII, of a length that every client takes. */
function reasonPhrase(message: string): string {
  return message.replace(/[^\x20-\x7e]+/g, '?').slice(0, 400)
}

// A small HTTP client on node:http that sends what the test gives it and nothing else: request targets with brackets,
// `%2F` or double slashes and Host values such as `a b.test.hdfgroup.org` go out unchanged, a body goes out without
// a Content-Type unless one is given (common 5), and no Accept header is sent unless one is given.

import http from 'node:http'
import { inject } from 'vitest'
import { descriptionOf } from './api-description.ts'

export const BASE_DOMAIN = process.env.HYPERSLAB_TEST_BASE_DOMAIN ?? 'hdfgroup.org'

const agent = new http.Agent({ keepAlive: true, maxSockets: 64 })
/** Less than the time that a test may take, so that the request is named that is not answered. */
const SILENCE_DEADLINE_MS = 60_000

/** The accounts that the server under test must have, each with its password. */
export const USER1 = 'test_user1'
export const USER2 = 'test_user2'
export const ADMIN = 'admin'
const PASSWORDS: Readonly<Record<string, string>> = { test_user1: 'test', test_user2: 'test', admin: 'admin' }

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD' | 'PATCH' | 'OPTIONS'

/** The members of a JSON object of which a test knows nothing yet. */
export interface Fields {
  readonly [name: string]: unknown
}

export interface Options {
  /** Sent as `Authorization: Basic`; absent: anonymous. */
  readonly user?: string | undefined
  readonly headers?: http.OutgoingHttpHeaders
  /** On a connection of its own, which the server may end as it likes. */
  readonly alone?: boolean
  /** It sends, or is answered, what the description of the API does not declare. */
  readonly undeclared?: boolean
}

export interface Reply {
  readonly status: number
  readonly reason: string
  readonly headers: http.IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** The request and the answer, for the message of a failing test. */
  readonly story: string
  json<T = Fields>(): T
}

/** Whether the process of the connection was killed, or none was there to accept it. */
export function hasLostConnection(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(String(at.code))) return true
  }
  return false
}

export function basic(user: string, password = PASSWORDS[user] ?? ''): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
}

/** Text and bytes go out as they are, everything else as JSON; undefined is no body at all. */
function bodyBytes(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) return Buffer.from(body)
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Sends to the server under test. */
export function send(method: Method, target: string, body?: unknown, options?: Options): Promise<Reply> {
  return sendTo(inject('address'), method, target, body, options)
}

/** The address of the server under test as a Host header has it: a name that is no domain. */
export function ownHost(): string {
  return new URL(inject('address')).host
}

/** Sends a request; throws when the request or its answer is not as the server's description of the API declares. */
export async function sendTo(
  address: string,
  method: Method,
  target: string,
  body?: unknown,
  options: Options = {},
): Promise<Reply> {
  const sent = bodyBytes(body)
  const headers: http.OutgoingHttpHeaders = { ...options.headers }
  if (options.user !== undefined) headers.authorization = basic(options.user)
  if (sent !== undefined) headers['content-length'] = sent.length
  const reply = await exchange(address, method, target, headers, sent, options.alone ?? false)
  if (options.undeclared) return reply
  const api = await descriptionOf(address, path => exchange(address, 'GET', path, {}, undefined, false))
  const { status, headers: answerHeaders, bytes: answer } = reply
  // Below a share the API is the same.
  const declared = target.replace(/^\/s\/[^/?]*\/*/, '/')
  const wrong = api.check({ method, target: declared, headers, body: sent, status, answerHeaders, answer })
  if (wrong !== undefined) throw new Error(`${wrong}\n${reply.story}`)
  return reply
}

function exchange(
  address: string,
  method: Method,
  target: string,
  headers: http.OutgoingHttpHeaders,
  body: Buffer | undefined,
  alone: boolean,
): Promise<Reply> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    const isKept = !alone && !inject('severalProcesses')
    const connection = { hostname, port, agent: isKept && agent, timeout: SILENCE_DEADLINE_MS }
    const request = http.request({ ...connection, method, path: target, headers }, response => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => resolve(replyOf(`${method} ${target}`, response, Buffer.concat(pieces))))
    })
    request.on('timeout', () =>
      request.destroy(new Error(`nothing came for ${SILENCE_DEADLINE_MS / 1000} s`)),
    )
    request.on('error', cause => reject(new Error(`${method} ${target.slice(0, 200)}`, { cause })))
    request.end(body)
  })
}

function replyOf(asked: string, response: http.IncomingMessage, bytes: Buffer): Reply {
  const status = response.statusCode ?? 0
  return {
    status,
    reason: response.statusMessage ?? '',
    headers: response.headers,
    bytes,
    // Made when they are asked for: many answers are megabytes that a test reads as bytes.
    get text() {
      return bytes.toString('utf8')
    },
    get story() {
      return `${asked.slice(0, 300)} -> ${status} ${bytes.toString('utf8', 0, 500)}`
    },
    json<T>(): T {
      return JSON.parse(bytes.toString('utf8')) as T // the boundary: what the wire holds is what the test says it expects
    },
  }
}

/** Numbers of one's own: names that no other test, run or server has. */
export function uniqueName(): string {
  return `w${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`
}

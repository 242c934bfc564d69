// A request, as routes read it, and the replies that they make.

import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../../service/context.ts'
import type { Identity } from '../auth/authenticate.ts'
import type { Buckets } from '../dialect/buckets.ts'
import type { Body, Dialect } from '../dialect/dialect.ts'
import type { RequestBody } from './request-body.ts'
import type { Target } from './target.ts'

export const METHODS = ['GET', 'PUT', 'POST', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** The part of a request before its body; parameters are read from it. */
export interface RequestHead {
  readonly method: Method
  readonly target: Target
  /** The path of the share before that of the target, or empty. */
  readonly prefix: string
  /** Parameters of the path, undecoded, by the names in the route's pattern. */
  readonly parameters: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly dialect: Dialect
  readonly caller: Caller
  readonly buckets: Buckets
}

export interface Request extends RequestHead {
  readonly body: RequestBody
  /** The caller, and how the caller was proved. */
  readonly identity: Identity
  /** The address of the connection. */
  readonly address: string
}

/** A stream of bytes. */
export interface ByteStream {
  readonly contentType: string
  /** The approximate length if it is not known exactly, to estimate the memory of sending. */
  readonly estimatedLength?: number
  /**
   * The exact length. Without it, the pieces belong to the receiver; with it, each is valid until the next one is
   * requested.
   */
  readonly length?: number
  /**
   * The entity tag: same tag, same bytes. Absent: there is none or, without a length, the tag is made of the bytes if
   * they are few enough to be kept in memory.
   */
  readonly entityTag?: string
  /** True: nothing is kept for a tag, so that a client reads while it is made. */
  readonly isUntagged?: boolean
  readonly pieces: AsyncIterable<Uint8Array>
  /**
   * The given number of bytes from a position on, for a stream with a length. Absent: the bytes before the position
   * must be read.
   */
  readonly piecesOf?: (position: number, length: number) => AsyncIterable<Uint8Array>
}

/** The text of a body. */
export interface JsonText {
  readonly text: string
  /** Its bytes. */
  readonly length: string
  /** The tag of text that may be sent again, made once. */
  readonly entityTag?: string
}

interface ReplyHead {
  readonly status: number
  /** The headers, in ASCII. */
  readonly headers?: Readonly<Record<string, string>>
  /** The values of `Set-Cookie`, which may occur several times. */
  readonly cookies?: readonly string[]
  /** For the audit: what the request has changed, apart from what its target names. No secrets, no values. */
  readonly changed?: () => Readonly<Record<string, unknown>>
  /** True: it contains the time of the request, so it is not kept for another one. */
  readonly hasTime?: boolean
}

export interface JsonReply extends ReplyHead {
  readonly body: Body
  /** The tag of a body that is read in parts while it is sent. The same tag means the same bytes. */
  readonly entityTag?: string
}

/** A reply whose JSON is text already. */
export interface WrittenReply extends ReplyHead {
  readonly json: JsonText
}

export interface TextReply extends ReplyHead {
  readonly text: { readonly contentType: string; readonly text: string }
}

export interface StreamReply extends ReplyHead {
  readonly stream: ByteStream
}

/** A reply without a body. */
export interface EmptyReply extends ReplyHead {
  readonly body?: never
}

/** The way to a client that listens. */
export interface LiveClient {
  /** Sends bytes; false: no more should be sent before `drained`. */
  readonly send: (bytes: Uint8Array) => boolean
  /** Resolves when the client takes more, or has left. */
  readonly drained: () => Promise<void>
  /** Ends the answer; with an error, it is broken off. */
  readonly end: (error?: unknown) => void
}

/** The connection of such a client. */
export interface LiveConnection {
  readonly address: string
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
}

/** A reply that waits for something, or goes on for as long as the client listens, without a snapshot. */
export interface LiveReply extends ReplyHead {
  readonly live: {
    readonly contentType: string
    /** The first bytes. A failure is an error of the request. */
    readonly first: (connection: LiveConnection) => Promise<Uint8Array>
    /** Goes on after them; absent: they are all. */
    readonly follow?: (client: LiveClient) => void
    /** Is called once at the end, also after a failure. */
    readonly end: () => void
  }
}

export type Reply = LiveReply | JsonReply | WrittenReply | TextReply | StreamReply | EmptyReply

export function jsonReply(body: Body, status = 200): JsonReply {
  return { status, body }
}

export function isJsonReply(reply: Reply): reply is JsonReply {
  return 'body' in reply && reply.body !== undefined
}

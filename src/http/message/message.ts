// A request as routes read it, and the replies that they make.

import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../../service/context.ts'
import type { Buckets } from '../dialect/buckets.ts'
import type { Body, Dialect } from '../dialect/dialect.ts'
import type { RequestBody } from './request-body.ts'
import type { Target } from './target.ts'

export const METHODS = ['GET', 'PUT', 'POST', 'DELETE'] as const
export type Method = (typeof METHODS)[number]

/** What comes before the body; parameters are read from it. */
export interface RequestHead {
  readonly method: Method
  readonly target: Target
  /** Parameters of the path, undecoded, by the names in the route's pattern. */
  readonly parameters: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly dialect: Dialect
  readonly caller: Caller
  readonly buckets: Buckets
}

export interface Request extends RequestHead {
  readonly body: RequestBody
}

/** Bytes sent one after another. */
export interface ByteStream {
  readonly contentType: string
  /** Where the length is not known: about how many bytes, for the memory that they take on their way. */
  readonly estimatedLength?: number
  /** Without it, the pieces belong to the receiver; with it, each is valid until the next is asked for. */
  readonly length?: number
  /**
   * Same tag, same bytes; absent: none or, without a length, that of the bytes if there are few enough to be held until
   * it is known.
   */
  readonly entityTag?: string
  readonly pieces: AsyncIterable<Uint8Array>
  /** With a length: that many bytes from a position on. Absent: those before it must be read. */
  readonly piecesOf?: (position: number, length: number) => AsyncIterable<Uint8Array>
}

/** A body as it is sent. */
export interface JsonText {
  readonly text: string
  /** Its bytes. */
  readonly length: string
  /** Made already for what may be sent again. */
  readonly entityTag?: string
}

interface ReplyHead {
  readonly status: number
  /** In ASCII. */
  readonly headers?: Readonly<Record<string, string>>
  /** It has the time of the request in it, so it is never kept for another one. */
  readonly hasTime?: boolean
}

export interface JsonReply extends ReplyHead {
  readonly body: Body
  /** The tag of a body that is read in parts while it is sent. The same tag means the same bytes. */
  readonly entityTag?: string
}

/** JSON whose text has been written before. */
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

export type Reply = JsonReply | WrittenReply | TextReply | StreamReply | EmptyReply

export function isJsonReply(reply: Reply): reply is JsonReply {
  return 'body' in reply && reply.body !== undefined
}

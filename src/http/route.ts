// What a route is: data plus three small functions. The router, the list of routes in docs/routes.md and the
// permission matrix are made from the list of routes and cannot drift from it.

import type { IncomingHttpHeaders } from 'node:http'
import type { Permission } from '../hdf5/acl.ts'
import type { DomainPath } from '../hdf5/domain-path.ts'
import type { ObjectReference } from '../hdf5/object-id.ts'
import type { Caller, Context, OpenDomain, WriteContext } from '../service/context.ts'
import type { RequestBody } from './body/request-body.ts'
import type { Buckets } from './dialect/buckets.ts'
import type { Body, Dialect } from './dialect/dialect.ts'
import type { Place } from './dialect/hrefs.ts'
import type { Target } from './target.ts'

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE'

/** A request as routes see it. */
export interface Request {
  readonly method: Method
  readonly target: Target
  /** Parameters of the path, undecoded, by the names in the route's pattern. */
  readonly parameters: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly body: RequestBody
  readonly dialect: Dialect
  readonly caller: Caller
  readonly buckets: Buckets
  /** The route of GET at the same path. */
  readonly get?: Route | undefined
}

/** Bytes sent one after another. */
export interface ByteStream {
  readonly contentType: string
  /** Where the length is not known: about how many bytes, for the memory that they take on their way. */
  readonly about?: number
  /** Without it, the pieces belong to the receiver; with it, each is valid until the next is asked for. */
  readonly length?: number
  /** Same tag, same bytes; absent: it is that of the bytes, if there are few enough to be held until it is known. */
  readonly entityTag?: string
  readonly pieces: AsyncIterable<Uint8Array>
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Body
  /** Of a body of which a part is read while it is sent. Same tag, same bytes. */
  readonly entityTag?: string
  /** It tells what time it is, so it is never given again. */
  readonly tellsTime?: boolean
  /** Instead of a body: its text, written before. */
  readonly json?: JsonText
  /** Instead of a body. */
  readonly text?: { readonly contentType: string; readonly text: string }
  readonly stream?: ByteStream
}

/** A body as it is sent. */
export interface JsonText {
  readonly text: string
  /** Its bytes. */
  readonly length: string
  /** Made already for what may be sent again. */
  readonly entityTag?: string
}

export interface Answer {
  readonly place: Place
  readonly request: Request
}

export interface RouteData {
  /** The operation's name in logs. */
  readonly name: string
  readonly method: Method
  readonly path: string
  /** The permission that the operation asks for, or none. */
  readonly access: Permission | 'none'
  /** Whose permission that is; absent: that of the object in the path or, where there is none, of the root group. */
  readonly accessTo?: (request: Request) => ObjectReference | undefined
  /** Only one dialect knows it. */
  readonly only?: 'classic' | 'hsds'
  /** Bodies of any length are taken in piece by piece; others are kept whole. */
  readonly streamsBody?: boolean
}

type Parse<Input> = (request: Request) => Input | Promise<Input>
type Respond<Output, Input> = (output: Output, answer: Answer, input: Input) => Reply

interface Repeatable {
  /** The reply depends on nothing but the target, the headers, the caller and the records that are read. */
  readonly repeatable?: true
}

/** Reads within one committed state; the reply, streamed or not, is sent before it is let go. */
export interface ReadRoute<Input = unknown, Output = unknown> extends RouteData, Repeatable {
  readonly opens: 'reader'
  readonly parse: Parse<Input>
  readonly run: (context: Context, domain: OpenDomain, input: Input) => Promise<Output>
  readonly respond: Respond<Output, Input>
}

/** Runs in one transaction; the reply is sent when it is durable. */
export interface WriteRoute<Input = unknown, Output = unknown> extends RouteData {
  readonly opens: 'writer'
  readonly parse: Parse<Input>
  /** True when the input can be read only once, so that the work cannot be repeated after a conflict. */
  readonly once?: (input: Input) => boolean
  readonly run: (context: WriteContext, domain: OpenDomain, input: Input) => Promise<Output>
  readonly respond: Respond<Output, Input>
}

/** About a place in the namespace rather than an open domain. */
export interface NamespaceReadRoute<Input = unknown, Output = unknown> extends RouteData, Repeatable {
  readonly opens: 'namespace-reader'
  readonly parse: Parse<Input>
  readonly run: (context: Context, path: DomainPath, input: Input, dialect: Dialect) => Promise<Output>
  readonly respond: Respond<Output, Input>
}

export interface NamespaceWriteRoute<Input = unknown, Output = unknown> extends RouteData {
  readonly opens: 'namespace-writer'
  /** Requires what any such request needs, whatever its body says; absent where no body is read. */
  readonly permit?: (context: Context, path: DomainPath) => Promise<void>
  readonly parse: Parse<Input>
  readonly run: (context: WriteContext, path: DomainPath, input: Input, dialect: Dialect) => Promise<Output>
  readonly respond: Respond<Output, Input>
}

/**
 * About the service itself: no domain, no transaction, no turn to be waited for. Credentials are not looked at, must be
 * right, or count if they are right.
 */
export interface ServiceRoute<Output = unknown> extends RouteData {
  readonly opens: 'nothing'
  readonly identifies: 'no' | 'yes' | 'if-right'
  readonly answer: (request: Request) => Output | Promise<Output>
  readonly respond: (output: Output, request: Request) => Reply
}

export type Route = ReadRoute | WriteRoute | NamespaceReadRoute | NamespaceWriteRoute | ServiceRoute

/** Checks a route's three functions against one another, then forgets their types. */
export function readRoute<Input, Output>(route: Omit<ReadRoute<Input, Output>, 'opens'>): Route {
  return { opens: 'reader', ...route } as unknown as Route
}
export function writeRoute<Input, Output>(route: Omit<WriteRoute<Input, Output>, 'opens'>): Route {
  return { opens: 'writer', ...route } as unknown as Route
}
export function namespaceReadRoute<Input, Output>(
  route: Omit<NamespaceReadRoute<Input, Output>, 'opens'>,
): Route {
  return { opens: 'namespace-reader', ...route } as unknown as Route
}
export function namespaceWriteRoute<Input, Output>(
  route: Omit<NamespaceWriteRoute<Input, Output>, 'opens'>,
): Route {
  return { opens: 'namespace-writer', ...route } as unknown as Route
}
export function serviceRoute<Output>(route: Omit<ServiceRoute<Output>, 'opens'>): Route {
  return { opens: 'nothing', ...route } as unknown as Route
}

// Routes. Each is a declaration of its parameters, body and answers, and two functions that run the operation and make
// its reply. The router, the typed input, the description of the API (openapi.ts), docs/routes.md and the permission
// matrix are made from the list of routes and cannot drift from it.

import { runInTurns } from '../../bounded/turns.ts'
import type { Permission } from '../../hdf5/acl.ts'
import type { DomainPath } from '../../hdf5/domain-path.ts'
import type { LinkedFiles } from '../../hdf5/linked-files.ts'
import type { ObjectId, ObjectReference } from '../../hdf5/object-id.ts'
import type { Context, OpenDomain, WriteContext } from '../../service/context.ts'
import type { FileLoss } from '../../service/domains/domain-files.ts'
import type { Buckets } from '../dialect/buckets.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { Place } from '../dialect/hrefs.ts'
import { checkMembers, isClosed, memberNames } from '../input/known-members.ts'
import { OCTETS } from '../message/content-types.ts'
import type { Method, Reply, Request, RequestHead } from '../message/message.ts'
import type { RequestBody } from '../message/request-body.ts'
import type { Target } from '../message/target.ts'
import { DESCRIPTIONS } from './dialect-descriptions.ts'
import {
  type Parameters,
  type ParameterValues,
  readParameters,
  requireKnownFormat,
  requireKnownParameters,
} from './parameter.ts'

/** A body of JSON or bytes that a route reads. */
export interface BodyData {
  readonly description: string
  /** False: the request may come without a body. */
  readonly required: boolean
  /** The schema of its JSON in each dialect that takes JSON. */
  readonly json: string
  /** What it means as `application/octet-stream`; absent: it is JSON only. */
  readonly bytes?: string
}

/** What a route answers with a status. */
export interface AnswerData {
  readonly description: string
  /** The schema of its JSON, by its name in the dialect; absent: it has no JSON form. */
  readonly json?: string
  /** What it means as `application/octet-stream`. */
  readonly bytes?: string
  /** What it means in other content types. */
  readonly formats?: Readonly<Record<string, string>>
  /** What it means as `application/x-hdf5`. */
  readonly file?: string
  /** The content type of an answer that is text. */
  readonly text?: string
  /** The only dialect that answers so. */
  readonly only?: Dialect['name']
}

/** The part of a route that is data. */
export interface RouteData {
  /** The operation's name in logs. */
  readonly name: string
  readonly method: Method
  readonly path: string
  /** What it does, in a sentence. */
  readonly summary: string
  /** The permission that the operation requires, or none. */
  readonly access: Permission | 'none'
  /** Only one dialect knows it. */
  readonly only?: Dialect['name']
  readonly parameters: Parameters
  readonly body?: BodyData
  /** Answers other than errors, by status. */
  readonly answers: Readonly<Record<number, AnswerData>>
  /** What a body that is an HDF5 file means; absent: there is none. */
  readonly upload?: string
  /** Bodies of any length are taken in piece by piece; others are kept whole. */
  readonly streamsBody?: boolean
  /** It answers values, whose NaN is a bare word by default; in descriptions it is a string (common 5). */
  readonly answersValues?: true
  /** The reply depends on nothing but the target, the headers, the caller and the records that are read. */
  readonly repeatable?: true
}

/** What the form of a reply depends on, besides the output of its operation. */
export interface Answer {
  /** What its hrefs are written against. */
  readonly place: Place
  readonly dialect: Dialect
  readonly method: Method
  readonly target: Pick<Target, 'path' | 'rawQuery'>
  /** Values are sent as bytes where they can be. */
  readonly acceptsBytes: boolean
}

/** A request whose parameters and body have been read: it can be run, again and again unless `once`. */
export interface ParsedRequest<In extends Context, Subject> {
  readonly once: boolean
  readonly run: (context: In, subject: Subject) => Promise<Respond>
}

/** Makes the reply from the output of the operation. */
export type Respond = (place: Place) => Reply

/** A request whose parameters have been read, and its body not yet. */
export interface RequestWithoutBody<In extends Context, Subject> {
  /**
   * The object whose permission is required; undefined: the object in the path or, where there is none, the root group.
   */
  readonly accessed: ObjectReference | undefined
  /** Errors when the body is not what it must be. */
  readonly readBody: () => Promise<ParsedRequest<In, Subject>>
}

interface RequestParser<In extends Context, Subject> {
  /** Reads the parameters; errors when they are not what they must be. */
  readonly readHead: (request: Request) => RequestWithoutBody<In, Subject>
}

/** Reads one snapshot; the reply, streamed or not, is sent before the snapshot is released. */
export interface ReadRoute extends RouteData, RequestParser<Context, OpenDomain> {
  readonly opens: 'reader'
}

/** Runs in one transaction; the reply is sent when it is durable. */
export interface WriteRoute extends RouteData, RequestParser<WriteContext, OpenDomain> {
  readonly opens: 'writer'
}

/** About a path of the namespace rather than an open domain. */
export interface NamespaceReadRoute extends RouteData, RequestParser<Context, DomainPath> {
  readonly opens: 'namespace-reader'
}

/**
 * A body that is an HDF5 file, which becomes a domain. It is stored in many transactions, and becomes one in the last.
 */
export interface UploadRequest {
  readonly strict: boolean
  readonly linkedFiles?: LinkedFiles
  /** What the file may call itself that becomes the domain at the path. */
  readonly namesFor: (path: DomainPath) => readonly string[]
  /** Before the body is read: throws unless the caller may do this. */
  readonly permit: (context: Context, path: DomainPath) => Promise<void>
  /** Makes the contents with that root group the domain, in the last transaction. */
  readonly publish: (context: WriteContext, path: DomainPath, contents: ObjectId) => Promise<RespondToUpload>
}

export type RespondToUpload = (place: Place, losses: readonly FileLoss[]) => Reply

export interface NamespaceWriteRoute extends RouteData, RequestParser<WriteContext, DomainPath> {
  readonly opens: 'namespace-writer'
  /**
   * How a body that is an HDF5 file is taken; absent: like any other. Errors when the parameters are not what they must
   * be.
   */
  readonly readUpload?: (request: RequestHead) => UploadRequest
  /** Requires the permissions that any such request needs, whatever its body is; absent where no body is read. */
  readonly permit?: (context: Context, path: DomainPath) => Promise<void>
}

/**
 * About the service itself: no domain, no transaction, no queue. Credentials are ignored, must be right, or count if
 * they are right.
 */
export interface ServiceRoute extends RouteData {
  readonly opens: 'nothing'
  readonly identifies: 'no' | 'yes' | 'if-right'
  readonly answer: (head: RequestHead) => Promise<Reply>
}

/** HEAD is accepted wherever GET is: the answer is that of GET without its body. */
export function methodsOf({ method }: Pick<Route, 'method'>): readonly (Method | 'HEAD')[] {
  return method === 'GET' ? [method, 'HEAD'] : [method]
}

export type Route = ReadRoute | WriteRoute | NamespaceReadRoute | NamespaceWriteRoute | ServiceRoute

/** The input of a route: its parameters by their names, and what was read from its body. */
export type Input<P extends Parameters, B> = ParameterValues<P> & { readonly body: B }

type RouteDeclaration<P extends Parameters> = Omit<RouteData, 'parameters' | 'body'> & {
  readonly parameters: P
}

interface ReadBody<P extends Parameters, B> extends BodyData {
  /** Reads the body, once. */
  readonly read: (
    body: RequestBody,
    dialect: Dialect,
    values: ParameterValues<P>,
    buckets: Buckets,
  ) => B | Promise<B>
}

/** A route as it is declared. Its functions are checked against each other and against its parameters. */
export interface Definition<In extends Context, Subject, P extends Parameters, B, Output>
  extends RouteDeclaration<P> {
  readonly body?: ReadBody<P, B>
  /** True when the input can be read only once, so that the work cannot be repeated after a conflict. */
  readonly once?: (input: Input<P, B>) => boolean
  readonly run: (context: In, subject: Subject, input: Input<P, B>, dialect: Dialect) => Promise<Output>
  readonly respond: (output: Output, answer: Answer, input: Input<P, B>) => Reply
}

interface AccessTo<P extends Parameters> {
  /** The object whose permission is required, where it is named by a parameter of the query. */
  readonly accessTo?: (values: ParameterValues<P>) => ObjectReference | undefined
}

/** Closes over the types of a definition. */
function headReader<In extends Context, Subject, P extends Parameters, B, Output>({
  parameters,
  access,
  body,
  once,
  run,
  respond,
  accessTo,
}: Definition<In, Subject, P, B, Output> & AccessTo<P>): RequestParser<In, Subject>['readHead'] {
  return request => {
    const { dialect, buckets, method, target } = request
    const acceptsBytes = request.headers.accept === OCTETS
    if (dialect.rules.requests.refusesUnknown) requireKnown(request, { parameters, access }, body)
    const values = readParameters(parameters, request)
    return {
      accessed: accessTo?.(values),
      async readBody() {
        const content = body && (await body.read(request.body, dialect, values, buckets))
        const input = { ...values, body: content } as Input<P, B> // without a body B is undefined
        return {
          once: once?.(input) ?? false,
          async run(context, subject) {
            const output = await run(context, subject, input, dialect)
            return place => respond(output, { place, dialect, method, target, acceptsBytes }, input)
          },
        }
      },
    }
  }
}

/** Members and parameters without meaning are errors where they will have been meant (hsds-objects 1.3). */
function requireKnown(
  { dialect, target, body }: Request,
  { parameters, access }: Pick<RouteData, 'parameters' | 'access'>,
  data: BodyData | undefined,
): void {
  const { schemas, domainParameters } = DESCRIPTIONS[dialect.name]
  const schema = data && schemas[data.json]
  if (schema && isClosed(schema, schemas)) {
    body.checkJson(json => runInTurns(checkMembers(json, schema, schemas)))
  }
  if (target.rawQuery === '') return
  const known = [...Object.values(parameters), ...domainParameters]
  requireKnownFormat(target, known)
  if (access !== 'create' && access !== 'delete') return
  requireKnownParameters(target, known, schema ? memberNames(schema, schemas) : [])
}

function data<P extends Parameters, B>(
  definition: RouteDeclaration<P> & { readonly body?: ReadBody<P, B> },
): RouteData {
  const { name, method, path, summary, access, only, parameters, body, answers } = definition
  const { upload, streamsBody, repeatable, answersValues } = definition
  return {
    name,
    method,
    path,
    summary,
    access,
    parameters,
    answers,
    ...(only && { only }),
    ...(body && { body }),
    ...(upload !== undefined && { upload }),
    ...(streamsBody && { streamsBody }),
    ...(repeatable && { repeatable }),
    ...(answersValues && { answersValues }),
  }
}

export function readRoute<const P extends Parameters, B, Output>(
  definition: Definition<Context, OpenDomain, P, B, Output> & AccessTo<P>,
): ReadRoute {
  return { ...data(definition), opens: 'reader', readHead: headReader(definition) }
}

export function writeRoute<const P extends Parameters, B, Output>(
  definition: Definition<WriteContext, OpenDomain, P, B, Output> & AccessTo<P>,
): WriteRoute {
  return { ...data(definition), opens: 'writer', readHead: headReader(definition) }
}

export function namespaceReadRoute<const P extends Parameters, B, Output>(
  definition: Definition<Context, DomainPath, P, B, Output>,
): NamespaceReadRoute {
  return { ...data(definition), opens: 'namespace-reader', readHead: headReader(definition) }
}

export function namespaceWriteRoute<const P extends Parameters, B, Output>({
  permit,
  uploadOf,
  ...definition
}: Definition<WriteContext, DomainPath, P, B, Output> &
  Pick<NamespaceWriteRoute, 'permit'> & {
    readonly uploadOf?: (values: ParameterValues<P>, head: RequestHead) => UploadRequest
  }): NamespaceWriteRoute {
  const { parameters } = definition
  return {
    ...data(definition),
    opens: 'namespace-writer',
    ...(permit && { permit }),
    ...(uploadOf && { readUpload: head => uploadOf(readParameters(parameters, head), head) }),
    readHead: headReader(definition),
  }
}

export function serviceRoute<const P extends Parameters>({
  answer,
  identifies,
  ...definition
}: RouteDeclaration<P> &
  Pick<ServiceRoute, 'identifies'> & {
    readonly answer: (values: ParameterValues<P>, head: RequestHead) => Reply | Promise<Reply>
  }): ServiceRoute {
  const { parameters } = definition
  return {
    ...data(definition),
    opens: 'nothing',
    identifies,
    answer: async head => answer(readParameters(parameters, head), head),
  }
}

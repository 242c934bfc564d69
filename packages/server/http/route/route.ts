// Routes. Each is a declaration of its parameters, body and answers, and two functions that run the operation and make
// its reply. The router, the typed input, the description of the API (openapi.ts), docs/routes.md and the permission
// matrix are made from the list of routes and cannot drift from it.

import { runInTurns } from '@hyperslab/base/bounded'
import type { FileLoss } from '@hyperslab/files/export'
import type { LinkedFiles } from '@hyperslab/model/dataset'
import type { DomainPath, ObjectId, ObjectReference, Permission } from '@hyperslab/model/names'
import type { Context, OpenDomain, WriteContext } from '../../service/context.ts'
import type { Buckets } from '../dialect/buckets.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { Place } from '../dialect/hrefs.ts'
import { checkMembers, isClosed, memberNames } from '../input/known-members.ts'
import { OCTETS } from '../message/content-types.ts'
import type { Method, Reply, Request, RequestHead } from '../message/message.ts'
import type { RequestBody } from '../message/request-body.ts'
import type { Target } from '../message/target.ts'
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
  /** The meaning of a body of `application/octet-stream`; absent: the body is JSON only. */
  readonly bytes?: string
  /** The meanings of bodies of other content types. */
  readonly formats?: Readonly<Record<string, string>>
}

/** An answer of a route with a status. */
export interface AnswerData {
  readonly description: string
  /** The schema of its JSON, by its name in the dialect; absent: it has no JSON form. */
  readonly json?: string
  /** The meaning of an answer of `application/octet-stream`. */
  readonly bytes?: string
  /** The meanings of answers of other content types. */
  readonly formats?: Readonly<Record<string, string>>
  /** The meaning of an answer of `application/x-hdf5`. */
  readonly file?: string
  /** The content type of an answer that is text. */
  readonly text?: string
  /** The only dialect with this answer. */
  readonly only?: Dialect['name']
}

/** The part of a route that is data. */
export interface RouteData {
  /** The operation's name in logs. */
  readonly name: string
  readonly method: Method
  readonly path: string
  /** A sentence that describes the operation. */
  readonly summary: string
  /** The permission that the operation requires, or none. */
  readonly access: Permission | 'none'
  /** The only dialect that has the route. */
  readonly only?: Dialect['name']
  readonly parameters: Parameters
  readonly body?: BodyData
  /** Answers other than errors, by status. */
  readonly answers: Readonly<Record<number, AnswerData>>
  /** The meaning of a body that is an HDF5 file; absent: such a body is not accepted. */
  readonly upload?: string
  /** True: bodies of any length are read piece by piece; else a body is kept whole. */
  readonly streamsBody?: boolean
  /** True: it answers values, in which NaN is a bare word by default; in descriptions it is a string (common 5). */
  readonly answersValues?: true
  /**
   * The reply depends only on the target, the headers, the caller and the records that are read, if no file is read.
   * `if-known`: of its replies, only 304 is short.
   */
  readonly repeatable?: true | 'if-known'
  /** True: the answer lasts for as long as the client listens. */
  readonly isLive?: true
  /** True: the path has the name of the domain, which the operation reads. */
  readonly hasDomainInPath?: true
  /** People open the address: an error is a page for them, of this title. */
  readonly errorTitle?: string
}

/** All that the form of a reply depends on, apart from the output of its operation. */
export interface Answer {
  /** The place for which its hrefs are written. */
  readonly place: Place
  readonly dialect: Dialect
  readonly method: Method
  readonly target: Pick<Target, 'path' | 'rawQuery'>
  /** True: values are sent as bytes if possible. */
  readonly acceptsBytes: boolean
}

/** A request whose parameters and body have been read: it can run several times unless `once`. */
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
  /** Reads the body; throws when it is invalid. */
  readonly readBody: () => Promise<ParsedRequest<In, Subject>>
}

interface RequestParser<In extends Context, Subject> {
  /** Reads the parameters; throws when they are invalid. */
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

/** A route for a path of the namespace rather than an open domain. */
export interface NamespaceReadRoute extends RouteData, RequestParser<Context, DomainPath> {
  readonly opens: 'namespace-reader'
}

/**
 * A body that is an HDF5 file, which becomes a domain. It is stored in many transactions, and becomes one in the last.
 */
export interface UploadRequest {
  /** The path of the new domain, where the path of the request has it. */
  readonly path?: DomainPath
  readonly strict: boolean
  readonly linkedFiles?: LinkedFiles
  /** The names that a file which becomes the domain at the path may use for itself. */
  readonly namesFor: (path: DomainPath) => readonly string[]
  /** Is called before the body is read, and throws unless the caller may do this. */
  readonly permit: (context: Context, path: DomainPath) => Promise<void>
  /** Makes the contents with that root group the domain, in the last transaction. */
  readonly publish: (context: WriteContext, path: DomainPath, contents: ObjectId) => Promise<RespondToUpload>
}

export type RespondToUpload = (place: Place, losses: readonly FileLoss[]) => Reply

export interface NamespaceWriteRoute extends RouteData, RequestParser<WriteContext, DomainPath> {
  readonly opens: 'namespace-writer'
  /**
   * Reads the request of a body that is an HDF5 file; absent: such a body is read like any other. Throws when the
   * parameters are invalid.
   */
  readonly readUpload?: (request: RequestHead) => UploadRequest
  /** Requires the permissions that any such request needs, whatever its body is; absent where no body is read. */
  readonly permit?: (context: Context, path: DomainPath, request: RequestHead) => Promise<void>
}

/**
 * A route about the service itself: it has no domain, no transaction and no queue. The route decides whether
 * credentials are ignored, must be right, or count if they are right.
 */
export interface ServiceRoute extends RouteData {
  readonly opens: 'nothing'
  readonly identifies: 'no' | 'yes' | 'if-right'
  readonly answer: (request: Request) => Promise<Reply>
}

/** HEAD is accepted wherever GET is: the answer is that of GET without its body. */
export function methodsOf({ method }: Pick<Route, 'method'>): readonly (Method | 'HEAD')[] {
  return method === 'GET' ? [method, 'HEAD'] : [method]
}

/** Whether the request may change something: then pages of other origins may not send it. */
export function isWrite({ opens, method }: Pick<Route, 'opens' | 'method'>): boolean {
  return opens === 'nothing' ? method !== 'GET' : opens.endsWith('writer')
}

export type Route = ReadRoute | WriteRoute | NamespaceReadRoute | NamespaceWriteRoute | ServiceRoute

/** The input of a route: its parameters by their names, and the values read from its body. */
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

/** The declaration of a route. Its functions are checked against each other and against its parameters. */
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

/** Throws for unknown members and parameters that were probably meant to have an effect (hsds-objects 1.3). */
function requireKnown(
  { dialect, target, body }: Request,
  { parameters, access }: Pick<RouteData, 'parameters' | 'access'>,
  data: BodyData | undefined,
): void {
  const { schemas, domainParameters } = dialect.description
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
  const { upload, streamsBody, repeatable, answersValues, isLive, hasDomainInPath, errorTitle } = definition
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
    ...(isLive && { isLive }),
    ...(hasDomainInPath && { hasDomainInPath }),
    ...(answersValues && { answersValues }),
    ...(errorTitle !== undefined && { errorTitle }),
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

export function serviceRoute<const P extends Parameters = Record<never, never>, B = undefined>({
  answer,
  identifies,
  permit,
  parameters = {} as P, // the type that it has by default
  ...definition
}: Omit<RouteDeclaration<P>, 'access' | 'parameters'> &
  Pick<ServiceRoute, 'identifies'> & {
    /** Absent: there are none. */
    readonly parameters?: P
    readonly body?: ReadBody<P, B>
    /** Requires what any such request needs, before its body is read. */
    readonly permit?: (request: Request) => void
    readonly answer: (input: Input<P, B>, request: Request) => Reply | Promise<Reply>
  }): ServiceRoute {
  const access = 'none'
  const { body } = definition
  return {
    ...data({ ...definition, parameters, access }),
    opens: 'nothing',
    identifies,
    async answer(request) {
      const { dialect, buckets } = request
      permit?.(request)
      // No client of another server sends these bodies: both dialects refuse what has no meaning.
      if (body) requireKnown(request, { parameters, access }, body)
      const values = readParameters(parameters, request)
      const content = body && (await body.read(request.body, dialect, values, buckets))
      return answer({ ...values, body: content } as Input<P, B>, request) // without a body B is undefined
    },
  }
}

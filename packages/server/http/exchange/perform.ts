// The work of an admitted request: it finds the domain, parses the input, runs the operation in one transaction of the
// store, and makes its answer. An answer that reads the snapshot while it is sent is sent before the transaction ends.

import type { ServerResponse } from 'node:http'
import type { AbortCheck } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ObjectReference } from '@hyperslab/model/names'
import type { Reader, Recall, Writer } from '@hyperslab/store/store'
import { requireInScope, requireNoToken, requireWriteScope } from '../../service/access/scope.ts'
import {
  type Caller,
  type Context,
  isAnonymous,
  type OpenDomain,
  type WriteContext,
} from '../../service/context.ts'
import { MAX_ATTEMPTS } from '../../service/domains/folder-listing.ts'
import { requireAccess } from '../../service/objects/objects.ts'
import { sharedPart } from '../../service/shares.ts'
import { ClientLeft, hasLeft, requireClient } from '../connection/client-left.ts'
import type { Place } from '../dialect/hrefs.ts'
import { isHdf5File } from '../message/content-types.ts'
import { isReadWhileSent } from '../message/json-stream.ts'
import { isJsonReply, type Reply, type Request } from '../message/message.ts'
import { SHORT_BODY } from '../message/request-body.ts'
import { shownPath } from '../message/target.ts'
import { objectOf } from '../route/common-parameters.ts'
import {
  isWrite,
  type NamespaceReadRoute,
  type NamespaceWriteRoute,
  type ParsedRequest,
  type ReadRoute,
  type RequestWithoutBody,
  type Route,
  type UploadRequest,
  type WriteRoute,
} from '../route/route.ts'
import type { RequestSteps } from '../watch/request-steps.ts'
import { RequestContext, RequestWriteContext } from './contexts.ts'
import type { ExchangeParts } from './parts.ts'
import { type Preconditions, preconditionsOf, requirePreconditions } from './preconditions.ts'
import { type Outcome, recallOf } from './recall.ts'
import { type Confirm, notModified, withText } from './reply.ts'
import { RequestedDomain } from './requested-domain.ts'

type PerformParts = Pick<ExchangeParts, 'store' | 'files' | 'service' | 'http'>

export type Send = (reply: Reply, nonFinite: Place['nonFinite'], confirm?: Confirm) => Promise<void>

/** Runs the route and makes its reply; sends it too if it can be sent only while the snapshot that it reads is open. */
export async function perform(
  parts: PerformParts,
  /** `get`: the route of GET at the same path. */
  { route, get }: { readonly route: Route; readonly get: Route | undefined },
  request: Request,
  response: ServerResponse,
  send: Send,
  steps: RequestSteps,
): Promise<Outcome> {
  if (request.caller.sharedBy) requireSharedRoute(route, request.caller)
  if (route.opens === 'nothing') return { reply: await route.answer(request), nonFinite: 'bare' }
  const { dialect, target, caller, method } = request
  if (dialect.rules.requests.writesNeedIdentity && route.opens.endsWith('writer') && isAnonymous(caller)) {
    const message = `${method} ${shownPath(target.path)} needs credentials: send an Authorization header`
    throw new HyperslabError('credentials-required', message)
  }
  if (route.opens.endsWith('writer')) requireWriteScope(caller)
  const operation = new StoreOperation(parts, request, get, response, send, steps)
  switch (route.opens) {
    case 'reader':
      return operation.read(route)
    case 'writer':
      return operation.write(route)
    case 'namespace-reader':
      return operation.readNamespace(route)
    case 'namespace-writer':
      return operation.writeNamespace(route)
  }
}

/** Throws unless a share is good for the route: it reads, but not access control lists, and begins no login. */
function requireSharedRoute(route: Route, caller: Caller): void {
  if (isWrite(route)) requireWriteScope(caller)
  if (route.path.startsWith('/login/')) requireNoToken(caller, 'logging in')
  if (route.access === 'readACL') requireNoToken(caller, 'access control lists')
}

/** A request that reads or writes the store. */
class StoreOperation {
  readonly #parts: PerformParts
  readonly #request: Request
  readonly #get: Route | undefined
  readonly #response: ServerResponse
  /** Throws when the client has left. */
  readonly #signal: AbortCheck
  readonly #send: Send
  readonly #steps: RequestSteps
  readonly #conditions: Preconditions | undefined
  readonly #domain: RequestedDomain

  constructor(
    parts: PerformParts,
    request: Request,
    get: Route | undefined,
    response: ServerResponse,
    send: Send,
    steps: RequestSteps,
  ) {
    this.#parts = parts
    this.#request = request
    this.#get = get
    this.#response = response
    this.#signal = { throwIfAborted: () => requireClient(response) }
    this.#send = send
    this.#steps = steps
    this.#conditions = preconditionsOf(request)
    this.#domain = new RequestedDomain(request, parts.http)
  }

  async read(route: ReadRoute): Promise<Outcome> {
    const recall = recallOf(route, this.#request)
    // The body is awaited before the snapshot is opened. When it is short, the domain is looked up once, not twice.
    const isHere = route.method === 'GET' || (await this.#request.body.hold(SHORT_BODY))
    const head = readOnce(() => route.readHead(this.#request))
    let parsed = isHere ? undefined : await this.#parseForDomain(route, head)
    const isRepeatable = () => !parsed?.once
    return this.#readUnchanged(recall, isRepeatable, async reader => {
      const context = this.#toRead(reader)
      const domain = await this.#domain.open(context)
      this.#steps.end('find')
      parsed ??= await head().readBody()
      const respond = await parsed.run(context, domain)
      this.#steps.end('run')
      const place = this.#domain.placeAt(route, domain)
      return this.#sendNow(reader, respond(place), place, recall !== undefined)
    })
  }

  async write(route: WriteRoute): Promise<Outcome> {
    this.#domain.name()
    // A short body is parsed within the transaction. Then the domain is looked up once, not twice.
    const isHere = await this.#request.body.hold(SHORT_BODY)
    const head = readOnce(() => route.readHead(this.#request))
    let parsed = isHere ? undefined : await this.#parseForDomain(route, head)
    const run = async (writer: Writer): Promise<Outcome> => {
      const context = this.#toWrite(writer)
      const domain = await this.#domain.open(context)
      if (this.#conditions !== undefined) await this.#requireAccess(context, domain, route, head())
      await this.#requireConditions(context)
      this.#steps.end('find')
      parsed ??= await head().readBody()
      const respond = await parsed.run(context, domain)
      this.#steps.end('run')
      const place = this.#domain.placeAt(route, domain)
      return { reply: respond(place), nonFinite: place.nonFinite }
    }
    const written = this.#write(run, parsed?.once ?? false)
    return this.#conditions === undefined ? written : written.catch(error => this.#onConflict(error))
  }

  async readNamespace(route: NamespaceReadRoute): Promise<Outcome> {
    const recall = recallOf(route, this.#request)
    // A malformed name is rejected before other errors.
    const parse = () => {
      this.#domain.name()
      return route.readHead(this.#request).readBody()
    }
    let parsed = route.method === 'GET' ? undefined : await parse()
    const isRepeatable = () => !parsed?.once
    return this.#readUnchanged(recall, isRepeatable, async reader => {
      const context = this.#toRead(reader)
      parsed ??= await parse()
      const path = await this.#domain.resolve(context)
      // A path of the route that has the name of a domain is read by the operation.
      if (!route.hasDomainInPath) {
        requireInScope(context.caller, path)
        await this.#domain.requireStateAt(context, path)
      }
      this.#steps.end('find')
      const respond = await parsed.run(context, path)
      this.#steps.end('run')
      const place = this.#domain.placeAt(route)
      return this.#sendNow(reader, respond(place), place, recall !== undefined)
    })
  }

  async writeNamespace(route: NamespaceWriteRoute): Promise<Outcome> {
    this.#domain.name()
    // A route that reads no other body takes every body as a file: clients of file servers declare no type.
    if (route.readUpload && (route.hasDomainInPath || isHdf5File(this.#request)))
      return this.#upload(route.readUpload(this.#request))
    const { permit } = route
    if (permit && !(await this.#request.body.hold(SHORT_BODY))) {
      await this.#read(async context => permit(context, await this.#domain.resolve(context), this.#request))
    }
    const parsed = await route.readHead(this.#request).readBody()
    const place = this.#domain.placeAt(route)
    const run = async (writer: Writer) => {
      const context = this.#toWrite(writer)
      await this.#requireConditions(context)
      const path = await this.#domain.resolve(context)
      if (!route.hasDomainInPath) {
        requireInScope(context.caller, path)
        await this.#domain.requireStateAt(context, path)
      }
      this.#steps.end('find')
      const respond = await parsed.run(context, path)
      this.#steps.end('run')
      return respond
    }
    const respond = await this.#write(run, false)
    return { reply: respond(place), nonFinite: place.nonFinite }
  }

  async #upload({ path: given, namesFor, permit, publish, ...options }: UploadRequest): Promise<Outcome> {
    const { files } = this.#parts
    const { body } = this.#request
    const path = await this.#read(async context => {
      await this.#requireConditions(context)
      const path = given ?? (await this.#domain.resolve(context))
      requireInScope(context.caller, path)
      await permit(context, path)
      return path
    })
    const { published, losses } = await files.take({
      pieces: body.bytes(),
      length: body.announcedLength,
      ...options,
      names: namesFor(path),
      signal: signalOf(this.#response),
      publish: async (writer, contents) => {
        const context = this.#toWrite(writer)
        await this.#requireConditions(context)
        await this.#domain.requireStateAt(context, path)
        return publish(context, path, contents)
      },
    })
    const place = this.#domain.placeAt({})
    return { reply: published(place, losses), nonFinite: place.nonFinite }
  }

  /** Reads a long body only if the caller has the permission of the route and the conditions hold. */
  async #parseForDomain<In extends Context>(
    route: Route,
    head: () => RequestWithoutBody<In, OpenDomain>,
  ): Promise<ParsedRequest<In, OpenDomain>> {
    await this.#read(async context => {
      await this.#requireAccess(context, await this.#domain.open(context), route, head())
      await this.#requireConditions(context)
    })
    return head().readBody()
  }

  async #requireAccess(
    context: Context,
    domain: OpenDomain,
    { access }: Route,
    { accessed = objectInPath(this.#request) }: Pick<RequestWithoutBody<Context, OpenDomain>, 'accessed'>,
  ): Promise<void> {
    if (access !== 'none') await requireAccess(context, domain, access, accessed)
  }

  async #requireConditions(context: Context): Promise<void> {
    if (this.#conditions === undefined) return
    await requirePreconditions(this.#conditions, this.#get, this.#request, context, this.#domain)
  }

  /** Reports a conflict of a write that cannot run again as its condition, if that does not hold any more. */
  async #onConflict(error: unknown): Promise<never> {
    if (error instanceof HyperslabError && error.code === 'storage-conflict') {
      await this.#read(context => this.#requireConditions(context))
    }
    throw error
  }

  /** Reads again when a file has changed during the read, unless a part of the answer is sent already. */
  async #readUnchanged(
    recall: Recall<Outcome> | undefined,
    isRepeatable: () => boolean,
    work: (reader: Reader) => Promise<Outcome>,
  ): Promise<Outcome> {
    const read = (reader: Reader) =>
      work(reader).catch(async (error: unknown) => {
        // Data that seem to be damaged may be parts of two states.
        if (!this.#response.headersSent) await reader.requireUnchanged()
        throw error
      })
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#parts.store.read(read, { recall, ...this.#storeOptions })
      } catch (error) {
        const isChanged = error instanceof HyperslabError && error.code === 'file-changed'
        const mayRepeat = attempt < MAX_ATTEMPTS && isRepeatable() && !this.#response.headersSent
        if (!isChanged || !mayRepeat) throw error
      }
    }
  }

  /** Sends a reply that reads while it is sent, since the snapshot that it reads is still open. */
  async #sendNow(reader: Reader, reply: Reply, { nonFinite }: Place, isKept: boolean): Promise<Outcome> {
    const known = isKept ? notModified(this.#request, reply) : undefined
    if (!known && ('stream' in reply || (isJsonReply(reply) && isReadWhileSent(reply.body)))) {
      await this.#send(reply, nonFinite, () => reader.requireUnchanged())
      return { nonFinite }
    }
    const unchanged = reader.requireUnchanged()
    if (unchanged !== undefined) await unchanged
    const dependsOnAccounts = this.#domain.name().meanings?.dependsOnAccounts ?? false
    return {
      reply: known ?? (isKept ? withText(reply, nonFinite) : reply),
      nonFinite,
      dependsOnAccounts,
    }
  }

  #read<T>(work: (context: Context) => Promise<T>): Promise<T> {
    return this.#parts.store.read(reader => work(this.#toRead(reader)), this.#storeOptions)
  }

  /** Runs the write; the time after its last run is that of its commit. */
  async #write<T>(work: (writer: Writer) => Promise<T>, once: boolean): Promise<T> {
    const written = await this.#parts.store.write(work, { once, ...this.#storeOptions })
    this.#steps.end('commit')
    return written
  }

  get #storeOptions() {
    return { signal: this.#signal, trace: this.#steps.isTraced ? this.#steps : undefined }
  }

  #toRead(reader: Reader): Context {
    const { caller } = this.#request
    const shown = sharedPart(caller, reader)
    return new RequestContext(this.#parts.service, caller, this.#domain.names, this.#signal, shown)
  }

  #toWrite(writer: Writer): WriteContext {
    const { service, store } = this.#parts
    return new RequestWriteContext(
      service,
      this.#request.caller,
      this.#domain.names,
      this.#signal,
      writer,
      store,
    )
  }
}

/** Reads the parameters once, when they are first needed: a write may run several times. */
function readOnce<T>(read: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= read()
    return value
  }
}

function objectInPath(request: Request): ObjectReference | undefined {
  return 'id' in request.parameters ? objectOf(request) : undefined
}

/** Aborted when the client leaves. */
function signalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (hasLeft(response)) controller.abort(new ClientLeft())
  else response.once('close', () => controller.abort(new ClientLeft()))
  return controller.signal
}

// What is done for a request that has its turn: the domain is found, the input parsed, the operation run in one
// transaction of the store, and its answer made. What can be streamed or remembered only while that is open, is.

import type { ServerResponse } from 'node:http'
import { HyperslabError } from '../../errors.ts'
import { type DomainPath, isTopLevel } from '../../hdf5/domain-path.ts'
import type { ObjectReference } from '../../hdf5/object-id.ts'
import type { Timestamp } from '../../hdf5/timestamp.ts'
import type { Caller, Context, OpenDomain, ServiceSettings, WriteContext } from '../../service/context.ts'
import { openDomain, resolveDomain } from '../../service/domains/domains.ts'
import type { Reader, Recall, Store, Writer } from '../../service/model.ts'
import { requireAccess } from '../../service/objects/objects.ts'
import { isReadWhileSent } from '../body/json-stream.ts'
import { requireClient } from '../connection/client-left.ts'
import { placeOf } from '../dialect/choose.ts'
import type { Naming, NamingSettings } from '../dialect/dialect.ts'
import type { Place } from '../dialect/hrefs.ts'
import { isJsonReply, type Reply, type Request } from '../message.ts'
import { objectOf } from '../parameters.ts'
import type { ParsedRequest, ReadRoute, Route, WriteRoute } from '../route.ts'
import { SHORT_BODY } from '../short-body.ts'
import { shownPath } from '../target.ts'
import { preconditionsOf, requirePreconditions } from './preconditions.ts'
import { withText } from './reply.ts'

export interface PerformParts {
  readonly store: Store
  readonly service: ServiceSettings
  readonly http: NamingSettings
}

export type Send = (reply: Reply, nonFinite: Place['nonFinite']) => Promise<void>

export interface Performed {
  /** Still to be sent; absent when it was sent already, while the state that it reads was open. */
  readonly reply?: Reply
  readonly nonFinite: Place['nonFinite']
}

/** Characters of an answer that is kept for those who ask the same again. */
const SHORT_ANSWER = 4096

/** ... and of what names it: with an unusually long head nothing is kept, or heads would fill the memory. */
const SHORT_NAME = 2048

function isKept({ reply }: Performed): boolean {
  return reply !== undefined && 'json' in reply && reply.json.text.length <= SHORT_ANSWER && !reply.tellsTime
}

/** All of a request that an answer can depend on besides the records: any header, and of credentials what they tell. */
function nameOf({ target, headers, caller }: Request): string {
  let name = `${target.path}?${target.rawQuery}\n${JSON.stringify(caller)}`
  for (const header in headers) {
    // The id of a request differs each time, and is told in the head only.
    if (header !== 'authorization' && header !== 'x-request-id') name += `\n${header}:${headers[header]}`
  }
  return name
}

function recallOf(route: Route, request: Request): Recall<Performed> | undefined {
  if (!route.repeatable) return undefined
  const name = nameOf(request)
  return name.length <= SHORT_NAME ? { name, isKept } : undefined
}

export async function perform(
  { store, service, http }: PerformParts,
  route: Route,
  request: Request,
  /** The route of GET at the same path. */
  get: Route | undefined,
  response: ServerResponse,
  send: Send,
): Promise<Performed> {
  if (route.opens === 'nothing') {
    return { reply: await route.answer(request), nonFinite: 'bare' }
  }
  const { dialect, target, headers, caller } = request
  const { rules } = dialect
  const { access } = route
  if (rules.requests.writesNeedIdentity && route.opens.endsWith('writer') && caller.name === undefined) {
    throw new HyperslabError(
      'credentials-required',
      `${request.method} ${shownPath(target.path)} needs credentials`,
    )
  }
  let named: Naming | undefined
  /** Told when it is asked for, which it is not where an answer is remembered: it costs a microsecond. */
  const naming = (): Naming => {
    named ??= dialect.nameDomain(target, headers, http)
    return named
  }
  const placeAt = (domain?: OpenDomain, as = request): Place => placeOf(naming(), as, http, domain?.root.id)
  const open = async (context: Context): Promise<OpenDomain> => openNamed(context, naming())
  const resolve = (context: Context): Promise<DomainPath> =>
    resolveDomain(context, naming().path, naming().otherPaths)
  const recall = recallOf(route, request)
  const toRead = (reader: Reader): Context => new RequestContext(caller, service, response, reader)
  const toWrite = (writer: Writer): WriteContext =>
    new RequestWriteContext(caller, service, response, writer, store)

  const conditions = preconditionsOf(request)
  const requireConditions = async (context: Context): Promise<void> => {
    if (conditions === undefined) return
    const surroundings = { open, resolve, placeAt }
    await requirePreconditions(conditions, get, request, context, surroundings)
  }
  /** A conflict of a write that cannot be run again is that of its condition, if that holds no more. */
  const onConflict = async (error: unknown): Promise<never> => {
    if (error instanceof HyperslabError && error.code === 'storage-conflict') {
      await store.read(reader => requireConditions(toRead(reader)))
    }
    throw error
  }

  /** A long body is read for those only who may do what the route does, whatever the body says, and whose conditions hold. */
  const parseForDomain = async <In extends Context>(
    route: ReadRoute | WriteRoute,
    parse: () => Promise<ParsedRequest<In, OpenDomain>>,
  ): Promise<ParsedRequest<In, OpenDomain>> => {
    await store.read(async reader => {
      const context = toRead(reader)
      const domain = await open(context)
      if (access !== 'none') await requireAccess(context, domain, access, accessedObject(route, request))
      await requireConditions(context)
    })
    return parse()
  }

  /** What reads while it is sent is sent at once, while the state that it reads is open. */
  const sendNow = async (reply: Reply, { nonFinite }: Place): Promise<Performed> => {
    if ('stream' in reply || (isJsonReply(reply) && isReadWhileSent(reply.body))) {
      await send(reply, nonFinite)
      return { nonFinite }
    }
    if (recall === undefined) return { reply, nonFinite }
    return { reply: withText(reply, nonFinite), nonFinite }
  }

  switch (route.opens) {
    case 'reader': {
      // A body is waited for before the state is opened that is read; a short one saves the first look for the domain.
      const isHere = route.method === 'GET' || (await request.body.hold(SHORT_BODY))
      const early = isHere ? undefined : await parseForDomain(route, () => route.parse(request))
      return store.read(async reader => {
        const context = toRead(reader)
        const domain = await open(context)
        const parsed = early ?? (await route.parse(request))
        const respond = await parsed.run(context, domain)
        const place = placeAt(domain)
        return sendNow(respond(place), place)
      }, recall)
    }
    case 'writer': {
      naming()
      // A short body is waited for and parsed within the transaction, which saves the first look for the domain.
      const isHere = await request.body.hold(SHORT_BODY)
      let parsed = isHere ? undefined : await parseForDomain(route, () => route.parse(request))
      const written = store.write(
        async writer => {
          const context = toWrite(writer)
          const domain = await open(context)
          if (conditions !== undefined && access !== 'none') {
            await requireAccess(context, domain, access, accessedObject(route, request))
          }
          await requireConditions(context)
          parsed ??= await route.parse(request)
          const respond = await parsed.run(context, domain)
          const place = placeAt(domain)
          return { reply: respond(place), nonFinite: place.nonFinite }
        },
        { once: parsed?.once ?? false },
      )
      return conditions === undefined ? written : written.catch(onConflict)
    }
    case 'namespace-reader': {
      // A name that cannot be one is told before what else is wrong.
      const parse = () => {
        naming()
        return route.parse(request)
      }
      const early = route.method === 'GET' ? undefined : await parse()
      return store.read(async reader => {
        const context = toRead(reader)
        const parsed = early ?? (await parse())
        const respond = await parsed.run(context, await resolve(context))
        const place = placeAt()
        return sendNow(respond(place), place)
      }, recall)
    }
    case 'namespace-writer': {
      naming()
      const { permit } = route
      if (permit && !(await request.body.hold(SHORT_BODY))) {
        await store.read(async reader => {
          const context = toRead(reader)
          await permit(context, await resolve(context))
        })
      }
      const parsed = await route.parse(request)
      const place = placeAt()
      const respond = await store.write(async writer => {
        const context = toWrite(writer)
        await requireConditions(context)
        return parsed.run(context, await resolve(context))
      })
      return { reply: respond(place), nonFinite: place.nonFinite }
    }
  }
}

function accessedObject(route: ReadRoute | WriteRoute, request: Request): ObjectReference | undefined {
  if (route.accessTo) return route.accessTo(request)
  return 'id' in request.parameters ? objectOf(request) : undefined
}

/** What an operation is given. */
class RequestContext implements Context {
  readonly caller: Caller
  readonly settings: ServiceSettings
  readonly reader: Reader
  readonly signal: Context['signal']

  constructor(caller: Caller, settings: ServiceSettings, response: ServerResponse, reader: Reader) {
    this.caller = caller
    this.settings = settings
    this.reader = reader
    this.signal = { throwIfAborted: () => requireClient(response) }
  }
}

class RequestWriteContext extends RequestContext implements WriteContext {
  readonly writer: Writer
  readonly now: Timestamp
  readonly random: WriteContext['random']

  constructor(
    caller: Caller,
    settings: ServiceSettings,
    response: ServerResponse,
    writer: Writer,
    store: Store,
  ) {
    super(caller, settings, response, writer)
    this.writer = writer
    this.now = writer.time
    this.random = length => store.random(length)
  }
}

/** The domain that the request names; a request about objects has to name one. */
async function openNamed(context: Context, { path, otherPaths }: Naming): Promise<OpenDomain> {
  if (isTopLevel(path)) {
    throw new HyperslabError(
      'domain-not-named',
      'the request names no domain, only the server itself (where ids begin with g-, d- or t-, ?domain=/path names it)',
    )
  }
  return openDomain(context, path, otherPaths)
}

// The route of the feed of changes: server-sent events, or one answer with the events that there are.

import { HyperslabError } from '@hyperslab/base/errors'
import { stringifyJson } from '@hyperslab/model/json'
import type { EventId } from '@hyperslab/store/store'
import type { Caller } from '../../service/context.ts'
import type { Batch, Follower } from '../../service/feed/channel.ts'
import type { Listener, Listeners } from '../../service/feed/listeners.ts'
import { findScope, type Scope } from '../../service/feed/scope.ts'
import { callerKey } from '../connection/client-address.ts'
import type { Body, Dialect } from '../dialect/dialect.ts'
import type { LiveReply, RequestHead } from '../message/message.ts'
import { STRING } from '../message/schema.ts'
import { optionalQuery, type Parameter } from '../route/parameter.ts'
import { namespaceReadRoute, type Route } from '../route/route.ts'

const EVENT_STREAM = 'text/event-stream'
/** The time after which an `EventSource` connects again. */
const RETRY_MILLISECONDS = 1000
/** Seconds of `wait` of `GET /events`. @limit safety, seconds */
const MAX_WAIT_SECONDS = 600
/** The time for which one answer looks for events among those that are not for its listener, also without `wait`. */
const CATCH_UP_MILLISECONDS = 1000

export interface EventFacts {
  readonly listeners: Listeners
}

const PARAMETERS = {
  object: optionalQuery({
    name: 'object',
    description: 'The id of an object of the domain: the events have only its changes.',
    schema: STRING,
    parse: (text, dialect) => dialect.parseTarget(text).id,
  }),
  objectPath: optionalQuery({
    name: 'h5path',
    description: 'The path of an object of the domain: the events have only its changes.',
    schema: STRING,
    parse: text => text,
  }),
  since: optionalQuery({
    name: 'since',
    description:
      'The id of the last event that the client has: the events after it come. Without it, those from now on.',
    schema: STRING,
    parse: text => text,
  }),
  lastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The same as `since`: an `EventSource` sends it when it connects again.',
    schema: STRING,
    read: ({ headers }: RequestHead) => headers['last-event-id']?.toString(),
  } satisfies Parameter<string | undefined>,
  wait: optionalQuery({
    name: 'wait',
    description:
      'One answer in JSON instead of a stream: as soon as there are events, or after this number of seconds.',
    schema: { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?$', examples: ['30'] },
    parse: waitOf,
  }),
}

export function eventRoutes({ listeners }: EventFacts): readonly Route[] {
  return [
    namespaceReadRoute({
      name: 'get-events',
      method: 'GET',
      path: '/events',
      summary:
        'Tells every change of a domain, of an object in it, or of a folder with all below it, in order.',
      access: 'read',
      isLive: true,
      parameters: PARAMETERS,
      answers: {
        200: {
          description: 'The events.',
          json: 'Events',
          formats: { [EVENT_STREAM]: 'Server-sent events; the data of each is JSON.' },
        },
      },
      async run(context, path, { object, objectPath, since, lastEventId, wait }) {
        const scope = await findScope(context, path, object, objectPath)
        return { caller: context.caller, scope, since, lastEventId, wait }
      },
      respond({ wait, ...requested }, { dialect }) {
        const feed = { ...requested, listeners, dialect }
        return { status: 200, live: wait === undefined ? eventStream(feed) : onePage(feed, wait) }
      },
    }),
  ]
}

function waitOf(text: string): number {
  const seconds = /^[0-9]{1,9}(\.[0-9]{1,9})?$/.test(text) ? Number(text) : Number.NaN
  if (seconds <= MAX_WAIT_SECONDS) return seconds
  const message = `wait=${text} must be a number of seconds, at most ${MAX_WAIT_SECONDS}`
  throw new HyperslabError('malformed-parameter', message)
}

interface RequestedFeed {
  readonly listeners: Listeners
  readonly dialect: Dialect
  readonly caller: Caller
  readonly scope: Scope
  readonly since: string | undefined
  readonly lastEventId: string | undefined
}

/** A listener that begins when the answer does. */
class LazyListener {
  readonly #feed: RequestedFeed
  #listener: Listener | undefined

  constructor(feed: RequestedFeed) {
    this.#feed = feed
  }

  begin(address: string): Listener {
    const { listeners, caller, scope, dialect } = this.#feed
    this.#listener = listeners.begin(caller, scope, { user: userOf(caller, address), form: dialect.name })
    return this.#listener
  }

  follow(follower: Follower): void {
    this.#listener?.follow(follower)
  }

  end(): void {
    this.#listener?.end()
  }
}

/** The user for which a listener counts: a name, a share, or else an address. */
function userOf(caller: Caller, address: string): string {
  const { sharedBy, login } = caller
  return sharedBy && login ? `share ${login.id}` : callerKey(caller, address)
}

/**
 * Server-sent events, until the client leaves, the service ends or the caller may not listen any more: then a client
 * that connects again gets the reason. The head is sent at once, and events as they are made.
 */
function eventStream(feed: RequestedFeed): LiveReply['live'] {
  const listener = new LazyListener(feed)
  const requested = (feed.since ?? feed.lastEventId) as EventId | undefined
  let position: EventId | undefined
  let beginning: 'start' | 'gone' = requested === undefined ? 'start' : 'gone'
  return {
    contentType: EVENT_STREAM,
    async first({ address }) {
      const begun = listener.begin(address)
      if (requested !== undefined && (await isKnown(begun, requested, feed))) position = requested
      return Buffer.from(`retry: ${RETRY_MILLISECONDS}\n${signOfLife(position)}`)
    },
    follow(client) {
      const send = (bytes: Uint8Array): boolean => {
        const takesMore = bytes.length === 0 || client.send(bytes)
        if (!takesMore) void client.drained().then(() => listener.follow(follower))
        return takesMore
      }
      const follower: Follower = {
        position,
        take: batch => {
          if (batch.isGone) {
            const name = beginning
            beginning = 'gone'
            return send(Buffer.from(messageOf(name, positionOf(batch))))
          }
          // A client that has to come back goes on behind the events that are not for it.
          const isWorking = batch.events.length === 0 && batch.hasMore
          return send(isWorking ? Buffer.from(signOfLife(batch.position)) : messagesOf(batch, feed.dialect))
        },
        // Events that are not for this listener have moved its position.
        beat: () => send(Buffer.from(signOfLife(follower.position))),
        stop: error => client.end(error instanceof HyperslabError ? undefined : error),
      }
      listener.follow(follower)
    },
    end: () => listener.end(),
  }
}

/** False: no event has the position, which an `EventSource` cannot forget; it gets the answer that events are gone. */
async function isKnown(listener: Listener, position: EventId, { since }: RequestedFeed): Promise<boolean> {
  try {
    await listener.requireKnown(position)
    return true
  } catch (error) {
    if (isUnknown(error) && since === undefined) return false
    throw error
  }
}

function isUnknown(error: unknown): boolean {
  return error instanceof HyperslabError && error.code === 'event-unknown'
}

/** A comment, and the position. */
function signOfLife(position: EventId | undefined): string {
  return `:\n${position === undefined ? '' : idLine(position)}\n`
}

/**
 * One answer with the first events, as soon as there are any, or without events after some seconds. It has the position
 * that was reached then, although more events may follow.
 */
function onePage(feed: RequestedFeed, seconds: number): LiveReply['live'] {
  const listener = new LazyListener(feed)
  return {
    contentType: feed.dialect.jsonContentType,
    async first({ address, signal }) {
      const { clock } = feed.listeners
      const begun = clock.elapsed()
      const until = begun + seconds * 1000
      const listening = listener.begin(address)
      let batch = await firstBatch(listening, feed, signal)
      while (batch.events.length === 0 && !batch.isGone && !signal.aborted) {
        const now = clock.elapsed()
        if (batch.hasMore && now > Math.max(until, begun + CATCH_UP_MILLISECONDS)) break
        const next = await listening.next(batch.position, until - now, signal)
        if (next === undefined) break
        // Events that are not for this listener move its position; the state of the domain stays.
        batch = next.events.length === 0 ? { ...batch, ...next } : next
      }
      return Buffer.from(stringifyJson(pageOf(batch, feed.dialect)))
    },
    end: () => listener.end(),
  }
}

/** The events after the position that the client has; without one, the present position. */
async function firstBatch(
  listener: Listener,
  { since, lastEventId }: RequestedFeed,
  signal: AbortSignal,
): Promise<Batch> {
  const position = (since ?? lastEventId) as EventId | undefined
  if (position === undefined) return { ...(await listener.begin()), isGone: false }
  try {
    const batch = await listener.next(position, 0, signal)
    return batch ?? { events: [], position, hasMore: false, isGone: false }
  } catch (error) {
    if (isUnknown(error) && since === undefined) return listener.begin()
    throw error
  }
}

/** The messages of batches: listeners of one channel get the same batch. */
const messages = new WeakMap<Batch, Uint8Array>()

function messagesOf(batch: Batch, { present }: Dialect): Uint8Array {
  const made = messages.get(batch)
  if (made) return made
  const { events } = batch
  let text = ''
  for (const [i, event] of events.entries()) {
    // Parts of one commit have one id: a client that has not got the last part does not have the event.
    const isLastPart = events[i + 1]?.id !== event.id
    text += `${isLastPart ? idLine(event.id) : ''}data: ${stringifyJson(present.events.shown(event))}\n\n`
  }
  const bytes = Buffer.from(text)
  messages.set(batch, bytes)
  return bytes
}

function idLine(id: EventId): string {
  return `id: ${id}\n`
}

function messageOf(name: 'start' | 'gone', data: Body & { readonly id: EventId }): string {
  return `event: ${name}\n${idLine(data.id)}data: ${stringifyJson(data)}\n\n`
}

function positionOf({ position, state }: Batch): Body & { readonly id: EventId } {
  return { id: position, ...(state !== undefined && { state }) }
}

function pageOf(batch: Batch, { present }: Dialect): Body {
  const { id, ...rest } = positionOf(batch)
  const events = batch.events.map(event => present.events.shown(event))
  return { events, next: id, ...(batch.isGone && { gone: true }), ...rest }
}

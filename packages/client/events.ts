// The feed of changes over `fetch`, which goes on by itself after the connection has ended: each change comes, in
// order, or `gone` says that some are not kept any more. Server-sent events are read here, since Node has no
// `EventSource`, and that of browsers sends no `Authorization`.

import type { Event } from './api.ts'
import { type Connection, type ParametersOf, RequestError, wait } from './connection.ts'

/** The changes of one domain in one commit. */
export interface FeedEvent extends Event {
  readonly type: 'event'
  /** The position to go on from when this event has been handled. */
  readonly since: string
}

/**
 * Nothing is known of what was before this position: read the domain now, then handle the events that follow.
 * `start`: the feed begins, from now on. `gone`: changes were missed, which are not kept any more.
 */
export interface FeedPosition {
  readonly type: 'start' | 'gone'
  readonly since: string
  /** The state of the domain, at this position or later; absent: it is a folder. */
  readonly state?: string
}

export type FeedItem = FeedEvent | FeedPosition

export interface EventOptions {
  /** The position to go on from; absent: from now on, and the first item is `start`. */
  readonly since?: string | undefined
  /** The id of an object of the domain: only its changes come. */
  readonly object?: string | undefined
  /** The path of such an object. */
  readonly h5path?: string | undefined
  /** Called when the connection has begun, and when it has ended: then it is tried again. */
  readonly onConnection?: ((isConnected: boolean) => void) | undefined
  /** Called with each position to go on from once all before it has been handled, also where nothing came. */
  readonly onPosition?: ((since: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** The service sends something every 15 s: a connection that is silent for longer is broken. */
const SILENCE_MILLISECONDS = 45_000
const FIRST_PAUSE_MILLISECONDS = 500
const LONGEST_PAUSE_MILLISECONDS = 30_000

/**
 * Items until the signal aborts, or the server rejects the request. Once the feed has begun, a server that cannot be
 * reached, or is starting again, is waited for.
 */
export async function* feedItems(
  client: Connection,
  domain: string,
  { signal, since, onConnection, onPosition, ...scope }: EventOptions,
): AsyncGenerator<FeedItem> {
  let position = since
  let isAgain = false
  let pause = FIRST_PAUSE_MILLISECONDS
  for (;;) {
    const connection = new AbortController()
    const abort = () => connection.abort(signal?.reason)
    signal?.throwIfAborted()
    signal?.addEventListener('abort', abort)
    try {
      const parameters = { domain, ...scope, since: position }
      const response = await openAgain(client, parameters, connection.signal, isAgain)
      // A feed that was to go on, and begins instead, has lost its position.
      const startName = isAgain ? 'gone' : 'start'
      if (response === 'unknown') position = undefined
      else if (response !== 'unreachable') {
        onConnection?.(true)
        for await (const message of messagesOf(response, connection)) {
          pause = FIRST_PAUSE_MILLISECONDS
          yield* itemsOf(message, position, startName)
          // Without a position, `start` must come first, also if the connection ends before it.
          if (message.events.length > 0 || position !== undefined) {
            position = message.id
            onPosition?.(position)
          }
          isAgain ||= position !== undefined
        }
      }
    } finally {
      signal?.removeEventListener('abort', abort)
      // A loop that was left ends its connection.
      connection.abort()
    }
    signal?.throwIfAborted()
    onConnection?.(false)
    // The pause is random, so that not all clients come back at once.
    await wait(pause * (0.5 + Math.random() / 2), signal)
    pause = Math.min(pause * 2, LONGEST_PAUSE_MILLISECONDS)
  }
}

/** `position`: the one before the message. */
function itemsOf(
  { id, events }: Message,
  position: string | undefined,
  startName: FeedPosition['type'],
): readonly FeedItem[] {
  return events.map(({ name, data }, i) => {
    if (name === 'message') {
      const since = i === events.length - 1 ? id : (position ?? id)
      return { type: 'event', since, ...(JSON.parse(data) as Event) }
    }
    const { state } = JSON.parse(data) as { readonly state?: string }
    return { type: name === 'start' ? startName : 'gone', since: id, ...(state !== undefined && { state }) }
  })
}

/**
 * The answer; of a feed that goes on, also the reason why there is none now. `unknown`: no event has the position any
 * more, since the service was restored from an older backup.
 */
async function openAgain(
  client: Connection,
  parameters: ParametersOf<'GET /events'>,
  signal: AbortSignal,
  isAgain: boolean,
): Promise<Response | 'unknown' | 'unreachable'> {
  try {
    // Proxies that see this header do not wait for the end of the answer.
    const headers = { accept: 'text/event-stream' }
    return await client.open('GET /events', parameters, { signal, headers })
  } catch (error) {
    signal.throwIfAborted()
    if (!isAgain) throw error
    if (!(error instanceof RequestError)) return 'unreachable'
    if (error.code === 'event-unknown') return 'unknown'
    if (error.status >= 500 || error.status === 408 || error.status === 429) return 'unreachable'
    throw error
  }
}

/** Events that are complete only together: those of one commit, and the position after them. */
interface Message {
  readonly id: string
  readonly events: readonly { readonly name: string; readonly data: string }[]
}

/** The messages of an answer, until its connection ends. Several events of one commit have one `id`, in the last. */
async function* messagesOf(response: Response, connection: AbortController): AsyncGenerator<Message> {
  const type = response.headers.get('content-type') ?? ''
  if (response.body === null || !type.startsWith('text/event-stream'))
    throw new Error(`the server has answered with ${type}, not with events`)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let events: Message['events'] = []
  for (;;) {
    const piece = await readWithin(reader, connection)
    if (piece === undefined) return
    const blocks = (text + piece).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map(fieldOf))
      const data = fields.get('data')
      if (data !== undefined) events = [...events, { name: fields.get('event') ?? 'message', data }]
      const id = fields.get('id')
      if (id === undefined) continue
      yield { id, events }
      events = []
    }
  }
}

/** The service sends the data of an event in one line. */
function fieldOf(line: string): readonly [name: string, value: string] {
  const colon = line.indexOf(': ')
  return colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 2)]
}

/** The next piece; undefined: the connection has ended, or is silent for too long. */
async function readWithin(
  reader: ReadableStreamDefaultReader<string>,
  connection: AbortController,
): Promise<string | undefined> {
  let isSilent = false
  const timer = setTimeout(() => {
    isSilent = true
    connection.abort()
  }, SILENCE_MILLISECONDS)
  try {
    return (await reader.read()).value
  } catch {
    if (!isSilent) connection.signal.throwIfAborted()
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

// A client of server-sent events, as the WHATWG's HTML standard has them (9.2.6): it keeps the id of the last event and
// gives the messages one after another.

import { once } from 'node:events'
import http from 'node:http'

/** An event of the feed, as both dialects send it. */
export interface FeedEvent {
  readonly id: string
  readonly time: number | string
  readonly domain: string
  readonly state?: string
  readonly changes: readonly FeedChange[]
  readonly more?: true
}

export interface FeedChange {
  readonly kind: string
  readonly class: string
  readonly id?: string
  readonly h5path?: string
  readonly start?: readonly number[]
  readonly stop?: readonly number[]
  readonly shape?: readonly number[]
}

export interface FeedPage {
  readonly events: readonly FeedEvent[]
  readonly next: string
  readonly gone?: true
  readonly state?: string
}

export interface Message {
  /** `message` for an event of the feed, otherwise `start` or `gone`. */
  readonly name: string
  /** The position that a client has after it. */
  readonly lastId: string
  readonly data: FeedEvent
}

export class EventStream {
  /** The id that an `EventSource` sends when it connects again. */
  lastId = ''
  readonly response: http.IncomingMessage
  readonly #messages: Message[] = []
  #wake: () => void = () => {}
  #hasEnded = false
  #text = ''

  constructor(response: http.IncomingMessage) {
    this.response = response
    response.setEncoding('utf8')
    response.on('data', (text: string) => this.#read(text))
    const end = (): void => {
      this.#hasEnded = true
      this.#wake()
    }
    response.on('close', end)
    // A connection that breaks ends the stream.
    response.on('error', end)
  }

  /** The next message; undefined: the stream has ended. */
  async next(): Promise<Message | undefined> {
    while (this.#messages.length === 0 && !this.#hasEnded) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    return this.#messages.shift()
  }

  /** The next events of the feed. */
  async events(count: number): Promise<FeedEvent[]> {
    const events: FeedEvent[] = []
    while (events.length < count) {
      const message = await this.next()
      if (message === undefined) throw new Error(`the stream ended after ${events.length} of ${count} events`)
      if (message.name !== 'message') throw new Error(`${message.name} instead of an event`)
      events.push(message.data)
    }
    return events
  }

  /** The messages from now on until the service ends the stream, as text. */
  async rest(): Promise<string> {
    const messages: Message[] = []
    for (let message = await this.next(); message; message = await this.next()) messages.push(message)
    return JSON.stringify(messages)
  }

  close(): void {
    this.response.destroy()
  }

  #read(text: string): void {
    const blocks = (this.#text + text).split('\n\n')
    this.#text = blocks.pop() ?? ''
    for (const block of blocks) this.#readBlock(block)
    this.#wake()
  }

  #readBlock(block: string): void {
    let name = 'message'
    const data: string[] = []
    for (const line of block.split('\n')) {
      const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
      if (field === 'id') this.lastId = value
      if (field === 'event') name = value
      if (field === 'data') data.push(value)
    }
    if (data.length > 0) this.#messages.push({ name, lastId: this.lastId, data: JSON.parse(data.join('\n')) })
  }
}

/** Sends a request for a stream; the answer may be an error, whose status the response has. */
export async function requestStream(
  address: string,
  target: string,
  headers: http.OutgoingHttpHeaders,
): Promise<http.IncomingMessage> {
  const { hostname, port } = new URL(address)
  const request = http.request({ hostname, port, agent: false, path: target, headers })
  request.end()
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  return response
}

/** Opens a stream of events, which `close` of it must end. */
export async function openEventStream(
  address: string,
  target: string,
  headers: http.OutgoingHttpHeaders,
): Promise<EventStream> {
  const response = await requestStream(address, target, headers)
  if (response.statusCode !== 200) {
    const text = (await response.setEncoding('utf8').toArray()).join('')
    throw new Error(`GET ${target} -> ${response.statusCode} ${text}`)
  }
  return new EventStream(response)
}

// A bare connection: sends what the test gives it, at once, and reads one answer after another. For what HTTP clients
// do not do: several requests in one packet, half a request, leaving in the middle.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: Buffer
}

export class RawConnection {
  readonly socket: Socket
  readonly #bytes: AsyncIterator<Buffer>
  #received: Buffer = Buffer.alloc(0)

  /** `socket`: a connection to the address that was made already. */
  constructor(address: string, socket: Socket = connectTo(address)) {
    this.socket = socket
    this.socket.on('error', () => {})
    this.#bytes = this.socket[Symbol.asyncIterator]()
  }

  /** Sends requests in one go, each a head and a body. */
  send(...requests: readonly string[]): void {
    this.socket.write(requests.join(''))
  }

  /** The next answer, whole, of a HEAD without a body; undefined when the connection ends instead. */
  async answer(method?: 'HEAD'): Promise<RawAnswer | undefined> {
    let end = -1
    while ((end = this.#received.indexOf('\r\n\r\n')) < 0) {
      if (!(await this.#receive(this.#received.length + 1))) return undefined
    }
    const head = this.#received.subarray(0, end).toString('latin1')
    const status = Number(head.slice(9, 12))
    const from = end + 4
    const hasBody = method !== 'HEAD' && status >= 200
    const to = from + (hasBody ? Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0) : 0)
    if (!(await this.#receive(to))) return undefined
    const body = this.#received.subarray(from, to)
    this.#received = this.#received.subarray(to)
    return { status, head, body }
  }

  /** All answers until the connection ends. */
  async answers(): Promise<RawAnswer[]> {
    const all: RawAnswer[] = []
    for (let next = await this.answer(); next !== undefined; next = await this.answer()) all.push(next)
    return all
  }

  /** Leaves without reading what has come. */
  async leave(): Promise<void> {
    if (this.socket.closed) return
    const closed = once(this.socket, 'close')
    this.socket.destroy()
    await closed
  }

  /** Waits until a number of bytes have been received; false: the connection ended before. */
  async #receive(length: number): Promise<boolean> {
    const pieces: Buffer[] = [this.#received]
    let received = this.#received.length
    while (received < length) {
      const next = await this.#bytes.next().catch(() => undefined)
      if (next === undefined || next.done) break
      pieces.push(next.value)
      received += next.value.length
    }
    this.#received = Buffer.concat(pieces)
    return received >= length
  }
}

function connectTo(address: string): Socket {
  const { hostname, port } = new URL(address)
  return connect({ host: hostname, port: Number(port), allowHalfOpen: true })
}

/** The text of a request. */
export function request(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ Host: 'localhost', ...length, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

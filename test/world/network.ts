// The network of a world: connections between clients and services are pairs of streams, whose bytes take the time that
// the network says. Bytes of one connection stay in order, as in TCP; those of several overtake each other. A
// connection can be cut, and a network can hold everything until it heals.

import { Duplex } from 'node:stream'
import type { CancelTimer } from '@hyperslab/base/clock'
import type { WorldTime } from './clock.ts'

/** Bytes that the system keeps for a receiver that does not read, in each direction. */
const WINDOW = 64 << 10
/** Bytes that arrive together. */
const SEGMENT = 16 << 10

export class Network {
  readonly time: WorldTime
  /** The milliseconds that a piece of bytes is under way. */
  delay: () => number = () => 0
  #isHeld = false
  readonly #held: (() => void)[] = []
  #connections = 0

  constructor(time: WorldTime) {
    this.time = time
  }

  /** The two ends of a new connection; each comes from an address of its own unless one is given. */
  connect(from?: string): { readonly client: SocketEnd; readonly server: SocketEnd } {
    const number = ++this.#connections
    const address = from ?? `10.0.${Math.floor(number / 250)}.${1 + (number % 250)}`
    const client = new SocketEnd(this, address)
    const server = new SocketEnd(this, address)
    client.peer = server
    server.peer = client
    return { client, server }
  }

  /** Nothing arrives any more, until `heal`; nobody notices. */
  hold(): void {
    this.#isHeld = true
  }

  heal(): void {
    this.#isHeld = false
    for (const deliver of this.#held.splice(0)) deliver()
  }

  /** Calls `arrive` after the time that it is under way. */
  send(milliseconds: number, arrive: () => void): void {
    this.time.after(milliseconds, () => {
      if (this.#isHeld) this.#held.push(arrive)
      else arrive()
    })
  }
}

type Arrival = { readonly bytes: Buffer | null; readonly taken: () => void }

/** One end of a connection, with what Node's HTTP needs of a socket of the system. */
export class SocketEnd extends Duplex {
  peer: SocketEnd | undefined
  readonly remoteAddress: string
  readonly connecting = false
  /** Milliseconds without traffic after which `timeout` is emitted; 0: never. */
  timeout = 0
  bytesRead = 0
  /** Bytes that the system of the receiver has not taken, where a socket of the system has their number. */
  readonly _handle = { writeQueueSize: 0, readStart() {}, readStop() {} }
  readonly #network: Network
  readonly #arrived: Arrival[] = []
  #takesMore = true
  #hasSentEnd = false
  #sent = 0
  /** The time at which the last piece arrives at the other end. */
  #lastArrival = 0
  #cancelTimeout: CancelTimer | undefined

  constructor(network: Network, remoteAddress: string) {
    super({ readableHighWaterMark: WINDOW, writableHighWaterMark: 16 << 10 })
    this.#network = network
    this.remoteAddress = remoteAddress
    // A connection that breaks is no failure of the test.
    this.on('error', () => {})
  }

  get bytesWritten(): number {
    return this.#sent + this.writableLength
  }

  /** Breaks the connection: both ends notice, each after its own time. */
  cut(): void {
    this.destroy(Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' }))
  }

  setTimeout(milliseconds: number, listener?: () => void): this {
    this.timeout = milliseconds
    if (listener) this.once('timeout', listener)
    this.#touch()
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  destroySoon(): void {
    if (this.writable) this.end()
    if (this.writableFinished) this.destroy()
    else this.once('finish', () => this.destroy())
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (bytes.length === 0) {
      done()
      return
    }
    this._handle.writeQueueSize = bytes.length
    for (let from = 0; from < bytes.length; from += SEGMENT) {
      const segment = Buffer.from(bytes.subarray(from, from + SEGMENT))
      this.#send(segment, () => {
        this._handle.writeQueueSize -= segment.length
        this.#touch()
        if (from + SEGMENT < bytes.length) return
        this.#sent += bytes.length
        done()
      })
    }
  }

  override _final(done: () => void): void {
    this.#send(null, () => {})
    done()
  }

  override _read(): void {
    this.#takesMore = true
    this.#take()
  }

  /**
   * The other end reads what has been sent, and then the end, by the rules of TCP. It is reset instead if there were
   * bytes that this end has not read, and when it sends more.
   */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#cancelTimeout?.()
    const isUnread = this.readableLength > 0 || this.#arrived.some(({ bytes }) => bytes !== null)
    if (error || isUnread) this.#reset()
    else if (!this.#hasSentEnd) this.#send(null, () => {})
    done(error)
  }

  #reset(): void {
    const { peer } = this
    this.#network.send(this.#network.delay(), () => {
      if (peer && !peer.destroyed) peer.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
    })
  }

  #send(bytes: Buffer | null, taken: () => void): void {
    const { time, delay } = this.#network
    this.#hasSentEnd = bytes === null
    this.#lastArrival = Math.max(this.#lastArrival, time.passed + delay())
    this.#network.send(this.#lastArrival - time.passed, () => {
      if (!this.peer) return
      if (this.peer.destroyed) {
        if (bytes !== null) this.peer.#reset()
        return
      }
      this.peer.#arrived.push({ bytes, taken })
      this.peer.#take()
    })
  }

  /** Takes what has arrived for as long as it is read. */
  #take(): void {
    while (this.#takesMore && !this.destroyed) {
      const arrival = this.#arrived.shift()
      if (arrival === undefined) return
      this.bytesRead += arrival.bytes?.length ?? 0
      this.#touch()
      this.#takesMore = this.push(arrival.bytes)
      arrival.taken()
    }
  }

  #touch(): void {
    this.#cancelTimeout?.()
    if (this.timeout > 0 && !this.destroyed)
      this.#cancelTimeout = this.#network.time.after(this.timeout, () => this.emit('timeout'))
  }
}

// The connections of a server. The requests of a connection are worked on one after another: the next one begins when
// the answer to the one before has been sent. So a request that has begun owns the socket, and its response emits
// `close` when it is answered and when the client leaves; Node emits nothing for a response that never had the socket.
// A queued request holds only its head, and is dropped with its connection.
//
// Connections are limited, so that descriptors are left for the files of the storage. While the service waits for a
// client, the client has to move a minimum of bytes, so that a slow client cannot hold memory without limit in time.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type CancelTimer, type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import type { Running } from '../watch/running-requests.ts'
import type { Pacer } from './pacer.ts'
import type { Refusal } from './refusal-log.ts'
import { rejectConnection, rejectionCode } from './reject-connection.ts'

export interface ConnectionLimits {
  /** Connections at once. */
  readonly maxConnections: number
  /** Milliseconds for which the service waits for a client that sends or receives too little. */
  readonly clientTimeout: number
  /** The least bytes a second that a client must send or receive, on average over that time; at least one byte. */
  readonly minRate: number
}

/**
 * Requests that may be queued on a connection; then nothing is read from it until half of them are answered.
 * @limit safety, requests
 */
const MAX_QUEUED = 8

/**
 * Bytes that are parsed at once, unless they belong to a body: a connection cannot be held back in between. Node reads
 * 64 KiB, which may be 2,000 requests; parsing them, and aborting them when the client leaves, takes 70 ms.
 * @limit safety, bytes
 */
const PARSED_AT_ONCE = 4096

/**
 * Requests that may be queued on all connections; beyond that a connection with more than its share is closed.
 * @limit safety, requests
 */
const MAX_QUEUED_IN_ALL = 20_000

/** The time for which the first request of a new connection is expected: a balancer connects and sends at once. */
const FIRST_REQUEST_MILLISECONDS = 1000

/** The number of checks in a client timeout whether clients send or receive bytes. */
const CHECKS = 10

/** A request that is being answered, and whose client is awaited while its body is. */
export interface ConnectionExchange extends Pick<Running, 'describe'> {
  readonly body: { readonly isAwaited: boolean }
}

/** A request that is queued on its connection, or has begun. */
interface ConnectionRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly begin: () => void
  /** Undefined: it has not begun. */
  exchange: ConnectionExchange | undefined
  /** Checks at which the service waited for the client, since `moved` was measured. */
  awaited: number
  moved: number | undefined
}

interface Connection {
  readonly socket: Socket
  /** The request that is being served. */
  current: ConnectionRequest | undefined
  readonly queue: ConnectionRequest[]
  /** True: nothing is read from the socket. */
  isHeld: boolean
  /** At least this many of the next bytes belong to the body of the last request that was parsed. */
  bodyLeft: number
  /** The code of the error that ended reading, to be sent after the answers that are due. */
  rejection: string | undefined
  /** The time at which it was made; undefined: it has had a request. */
  unusedSince: number | undefined
}

export class Connections {
  readonly #limits: ConnectionLimits
  readonly #clock: Clock
  readonly #all = new Map<Socket, Connection>()
  /** Connections without a request, the longest idle first. */
  readonly #idle = new Set<Connection>()
  readonly #pacer: Pacer
  readonly #onRefused: (refusal: Refusal) => void
  #isClosing = false
  #isEnding = false
  #inFlight = 0
  #queued = 0
  #idleClosed = 0
  #rejected = 0
  #cutOff = 0

  constructor(
    limits: ConnectionLimits,
    pacer: Pacer,
    onRefused: (refusal: Refusal) => void,
    clock: Clock = SYSTEM_CLOCK,
  ) {
    this.#limits = limits
    this.#clock = clock
    this.#pacer = pacer
    this.#onRefused = onRefused
  }

  get open(): number {
    return this.#all.size
  }
  /** Requests that have begun and are not answered. */
  get inFlight(): number {
    return this.#inFlight
  }
  get queued(): number {
    return this.#queued
  }
  /** The number of idle connections that were closed in favour of new ones. */
  get idleClosed(): number {
    return this.#idleClosed
  }
  /** The number of new connections that were rejected because none was idle. */
  get rejected(): number {
    return this.#rejected
  }
  /** The number of clients that were cut off because they sent or received too little. */
  get cutOff(): number {
    return this.#cutOff
  }

  /**
   * A new connection takes the place of the longest idle one when there are too many, and is rejected when none is
   * idle.
   */
  readonly add = (socket: Socket): void => {
    if (this.#all.size >= this.#limits.maxConnections && !this.#closeIdle()) {
      this.#rejected++
      this.#refuse(socket, 'TOO_MANY_CONNECTIONS')
      return
    }
    const connection: Connection = {
      socket,
      current: undefined,
      queue: [],
      isHeld: false,
      bodyLeft: 0,
      rejection: undefined,
      unusedSince: this.#clock.elapsed(),
    }
    this.#all.set(socket, connection)
    this.#idle.add(connection)
    parseInPieces(connection)
    // It comes after Node's listener, which parses. With a listener of ours, Node also reads the bytes from the stream.
    socket.on('data', () => holdIfFull(connection))
    socket.once('close', () => this.#remove(connection))
  }

  /** Calls `begin` when the requests before this one are answered; never, if the connection is closed before. */
  handle(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const connection = this.#all.get(request.socket)
    if (connection === undefined) return
    const added = { request, response, begin, exchange: undefined, awaited: 0, moved: undefined }
    // The bytes after the head may be in the current piece and in pieces that are not parsed yet.
    connection.bodyLeft =
      Number(request.headers['content-length'] ?? 0) - PARSED_AT_ONCE - request.socket.readableLength
    if (connection.current === undefined) this.#begin(connection, added)
    else this.#enqueue(connection, added)
  }

  /** The current request of a connection is answered by this exchange. */
  setExchange(socket: Socket, exchange: ConnectionExchange): void {
    const current = this.#all.get(socket)?.current
    if (current !== undefined) current.exchange = exchange
  }

  /** The requests that have begun and are not answered. To end one closes its connection, which aborts its work. */
  *running(): Generator<Running> {
    for (const { socket, current } of this.#all.values()) {
      const { exchange } = current ?? {}
      if (exchange) yield { describe: () => exchange.describe(), end: () => socket.destroy() }
    }
  }

  /** Rejects bytes that are not HTTP, or came too late. Earlier requests are answered first. */
  reject(socket: Socket, code: string | undefined): void {
    const connection = this.#all.get(socket)
    const current = connection?.current
    if (connection === undefined || current === undefined) this.#refuse(socket, code)
    // The client has closed its side in the middle of a request: it has left.
    else if (code === 'HPE_INVALID_EOF_STATE') socket.destroy()
    else if (!current.request.complete) this.#refuseCurrent(connection.socket, current, code)
    // The head of the next request may be slow because nothing was read from the connection.
    else if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') connection.rejection = code
  }

  /** Closes a connection without traffic for a long time, unless its client waits for the service. */
  readonly closeUnused = (socket: Socket): void => {
    if (this.#all.get(socket)?.current === undefined) socket.destroy()
  }

  /** Checks regularly that clients for which the service waits send or receive enough, until that is cancelled. */
  watch(): CancelTimer {
    return this.#clock.every(this.#limits.clientTimeout / CHECKS, () => this.#checkClients())
  }

  /** From now on each answer says that it is the last one of its connection; new connections are still accepted. */
  announceEnd(): void {
    this.#isClosing = true
    for (const { current } of this.#all.values()) if (current) current.response.shouldKeepAlive = false
  }

  /**
   * From now on a connection is closed when its current request is answered, or at once when it has none. A new one has
   * a moment for its first request, so that a balancer meets no connection that is accepted and then closed.
   */
  end(): void {
    this.announceEnd()
    this.#isEnding = true
    const newest = this.#clock.elapsed() - FIRST_REQUEST_MILLISECONDS
    for (const { socket, unusedSince = Number.NEGATIVE_INFINITY } of this.#idle)
      if (unusedSince < newest) socket.destroy()
    const endIdle = () => {
      for (const { socket } of this.#idle) socket.destroy()
      this.#destroyUnlessBusy()
    }
    this.#clock.after(FIRST_REQUEST_MILLISECONDS, endIdle, 'while-running')
    if (this.#idle.size === 0) this.#destroyUnlessBusy()
  }

  #destroyUnlessBusy(): void {
    if (this.#inFlight === 0) this.destroy()
  }

  destroy(): void {
    for (const socket of this.#all.keys()) socket.destroy()
  }

  #enqueue(connection: Connection, added: ConnectionRequest): void {
    const { queue, socket } = connection
    if (queue.length >= MAX_QUEUED && this.#queued >= MAX_QUEUED_IN_ALL) {
      socket.destroy()
      return
    }
    this.#queued++
    queue.push(added)
  }

  #begin(connection: Connection, added: ConnectionRequest): void {
    // The answer to the previous request was the last one of the connection.
    if (!connection.socket.writable) return
    const { response, begin } = added
    if (this.#isClosing) response.shouldKeepAlive = false
    connection.current = added
    connection.unusedSince = undefined
    this.#idle.delete(connection)
    this.#inFlight++
    response.once('close', () => this.#answered(connection))
    this.#pacer.begin(() => {
      if (!response.destroyed) begin()
    })
  }

  /** Ends the current request of a connection, which is answered or whose client has left. */
  #answered(connection: Connection): void {
    const { socket, queue, rejection } = connection
    connection.current = undefined
    this.#inFlight--
    if (this.#isEnding) {
      socket.destroySoon()
      if (this.#idle.size === 0) this.#destroyUnlessBusy()
      return
    }
    if (!socket.writable) return
    const next = queue.shift()
    if (next === undefined) {
      if (rejection !== undefined) this.#refuse(socket, rejection)
      else this.#idle.add(connection)
      return
    }
    this.#queued--
    if (connection.isHeld && queue.length <= MAX_QUEUED / 2) release(connection)
    // The rejected bytes are the rest of its body.
    if (rejection !== undefined && !next.request.complete)
      this.#refuse(socket, rejection, next.request.method)
    else this.#begin(connection, next)
  }

  #refuse(socket: Socket, code: string | undefined, method?: string): void {
    this.#noteRefusal(socket, code)
    rejectConnection(socket, code, method)
  }

  /** Sends a rejection instead of the answer, unless that has begun. */
  #refuseCurrent(socket: Socket, { request, response }: ConnectionRequest, code: string | undefined): void {
    if (response.headersSent) {
      this.#noteRefusal(socket, code)
      socket.destroy()
    } else this.#refuse(socket, code, request.method)
  }

  #noteRefusal(socket: Socket, code: string | undefined): void {
    const refused = rejectionCode(socket, code)
    if (refused !== undefined) this.#onRefused({ code: refused, address: socket.remoteAddress })
  }

  #closeIdle(): boolean {
    const [longest] = this.#idle
    if (longest === undefined) return false
    this.#idleClosed++
    // Its event comes later, but the room is needed now.
    this.#remove(longest)
    longest.socket.destroy()
    return true
  }

  #remove(connection: Connection): void {
    this.#all.delete(connection.socket)
    this.#idle.delete(connection)
    this.#queued -= connection.queue.length
    connection.queue.length = 0
  }

  #checkClients(): void {
    const { clientTimeout, minRate } = this.#limits
    const minBytes = Math.max(1, (minRate * clientTimeout) / 1000)
    for (const { socket, current } of this.#all.values()) {
      if (current === undefined) continue
      current.moved ??= bytesMoved(socket)
      if (!current.exchange?.body.isAwaited && current.response.writableLength === 0) continue
      if (++current.awaited < CHECKS) continue
      const moved = bytesMoved(socket)
      if (moved - current.moved < minBytes) {
        this.#cutOff++
        this.#refuseCurrent(socket, current, 'ERR_HTTP_REQUEST_TIMEOUT')
      }
      current.moved = moved
      current.awaited = 0
    }
  }
}

/** Passes the bytes on in pieces; the next one is parsed only if the connection is not held back by then. */
function parseInPieces(connection: Connection): void {
  const { socket } = connection
  const push = socket.push.bind(socket)
  socket.push = (bytes: Uint8Array | null) => {
    if (bytes === null) return push(null)
    let takesMore = true
    for (let from = 0; from < bytes.length; ) {
      const isOfBody = connection.bodyLeft >= bytes.length - from
      const piece = isOfBody ? bytes.subarray(from) : bytes.subarray(from, from + PARSED_AT_ONCE)
      connection.bodyLeft -= piece.length
      from += piece.length
      takesMore = push(piece)
    }
    return takesMore
  }
}

function holdIfFull(connection: Connection): void {
  if (connection.queue.length < MAX_QUEUED) return
  connection.isHeld = true
  connection.socket.pause()
}

function release(connection: Connection): void {
  const { socket } = connection
  connection.isHeld = false
  // Node itself holds it back until then, and throws when bytes come nevertheless.
  if (socket.writableNeedDrain) socket.once('drain', () => socket.resume())
  else socket.resume()
}

/** Bytes received and sent. Only the handle knows how many bytes of the last write the system has not taken. */
function bytesMoved(socket: Socket): number {
  const { _handle } = socket as { readonly _handle?: { readonly writeQueueSize: number } | null }
  return socket.bytesRead + socket.bytesWritten - (_handle?.writeQueueSize ?? 0)
}

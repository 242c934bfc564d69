// The connections of a server. The requests of a connection are worked on one after another: the next one begins when the
// answer to the one before has been sent. So a request that has begun owns the socket, and its response emits `close` when
// it is answered and when the client leaves; Node emits nothing for a response that never had the socket. A request that is
// queued holds nothing but its head, and is dropped with its connection.
//
// Connections are limited, so that descriptors are left for the files of the storage. A client that is waited for has to
// move a least number of bytes, so that it does not hold what its request holds for as long as it likes.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestBody } from '../body/request-body.ts'
import type { Paced } from './paced.ts'
import { refuseConnection } from './refuse-connection.ts'

export interface ConnectionLimits {
  /** Connections at once. */
  readonly most: number
  /** A client that is waited for so many milliseconds ... */
  readonly clientTimeout: number
  /** ... must have moved so many bytes a second, and one byte at least. */
  readonly leastRate: number
}

/** Requests that may be queued on a connection; then nothing is read from it until half of them are answered. */
const MOST_QUEUED = 8

/**
 * Bytes that are parsed at once, unless they belong to a body: a connection cannot be held back in between. Node reads 64 KiB,
 * which may be 2,000 requests; to parse them, and to abort them when the client leaves, takes 70 ms.
 */
const PARSED_AT_ONCE = 4096

/** Requests that may be queued on all connections; one that queues more than its share beyond that is closed. */
const MOST_QUEUED_IN_ALL = 20_000

/** How often in a client timeout it is looked whether clients move. */
const LOOKS = 10

/** A request that has come. */
interface Arrival {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly begin: () => void
  body: RequestBody | undefined
  /** How often it was seen that the client is waited for, since `moved` was measured. */
  awaited: number
  moved: number | undefined
}

interface Connection {
  readonly socket: Socket
  /** The request that is worked on or answered. */
  current: Arrival | undefined
  readonly queue: Arrival[]
  /** Nothing is read from the socket. */
  isHeld: boolean
  /** So many of the next bytes, at least, belong to the body of the last request that was parsed. */
  bodyLeft: number
  /** The code of the error that ended reading, to be told behind the answers that are due. */
  refusal: string | undefined
}

export class Connections {
  readonly #limits: ConnectionLimits
  readonly #all = new Map<Socket, Connection>()
  /** Those without a request, the longest idle first. */
  readonly #idle = new Set<Connection>()
  readonly #paced: Paced
  #isEnding = false
  #inFlight = 0
  #queued = 0
  #idleClosed = 0
  #refused = 0
  #cutOff = 0

  constructor(limits: ConnectionLimits, paced: Paced) {
    this.#limits = limits
    this.#paced = paced
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
  /** Idle connections that were closed in favour of new ones. */
  get idleClosed(): number {
    return this.#idleClosed
  }
  /** New connections that were refused because none was idle. */
  get refused(): number {
    return this.#refused
  }
  /** Clients that were cut off because they moved too little. */
  get cutOff(): number {
    return this.#cutOff
  }

  /** A new connection takes the place of the longest idle one when there are too many, and is refused when none is idle. */
  readonly add = (socket: Socket): void => {
    if (this.#all.size >= this.#limits.most && !this.#closeIdle()) {
      this.#refused++
      refuseConnection(socket, 'TOO_MANY_CONNECTIONS')
      return
    }
    const connection: Connection = {
      socket,
      current: undefined,
      queue: [],
      isHeld: false,
      bodyLeft: 0,
      refusal: undefined,
    }
    this.#all.set(socket, connection)
    this.#idle.add(connection)
    parseInPieces(connection)
    // Behind Node's listener, which parses: also, with a listener of ours Node takes the bytes from the stream.
    socket.on('data', () => holdIfFull(connection))
    socket.once('close', () => this.#remove(connection))
  }

  /** Calls `begin` when the requests before this one are answered; never, if the connection is closed before. */
  handle(request: IncomingMessage, response: ServerResponse, begin: () => void): void {
    const connection = this.#all.get(request.socket)
    if (connection === undefined) return
    const arrival = { request, response, begin, body: undefined, awaited: 0, moved: undefined }
    // What follows the head may lie in the piece that is being parsed, and in those that are to be.
    connection.bodyLeft =
      Number(request.headers['content-length'] ?? 0) - PARSED_AT_ONCE - request.socket.readableLength
    if (connection.current === undefined) this.#begin(connection, arrival)
    else this.#enqueue(connection, arrival)
  }

  /** The current request of a connection reads this body: its client is waited for when the body is. */
  setBody(socket: Socket, body: RequestBody): void {
    const current = this.#all.get(socket)?.current
    if (current !== undefined) current.body = body
  }

  /** What came is not HTTP, or did not come in time. Requests that came before it are answered first. */
  refuse(socket: Socket, code: string | undefined): void {
    const connection = this.#all.get(socket)
    const current = connection?.current
    if (connection === undefined || current === undefined) refuseConnection(socket, code)
    // The client has closed its side in the middle of a request: it has left.
    else if (code === 'HPE_INVALID_EOF_STATE') socket.destroy()
    else if (!current.request.complete) refuseCurrent(connection.socket, current, code)
    // The head of the next request may be slow because nothing was read from the connection.
    else if (code !== 'ERR_HTTP_REQUEST_TIMEOUT') connection.refusal = code
  }

  /** Closes a connection on which nothing has moved for long, unless it is the service that is waited for. */
  readonly closeUnused = (socket: Socket): void => {
    if (this.#all.get(socket)?.current === undefined) socket.destroy()
  }

  /** Looks regularly whether clients that are waited for move enough; the caller ends it with `clearInterval`. */
  watch(): NodeJS.Timeout {
    return setInterval(() => this.#look(), this.#limits.clientTimeout / LOOKS).unref()
  }

  /** From now on a connection is closed when its current request is answered, or at once when it has none. */
  end(): void {
    this.#isEnding = true
    for (const { socket } of this.#idle) socket.destroy()
    if (this.#inFlight === 0) this.destroy()
  }

  destroy(): void {
    for (const socket of this.#all.keys()) socket.destroy()
  }

  #enqueue(connection: Connection, arrival: Arrival): void {
    const { queue, socket } = connection
    if (queue.length >= MOST_QUEUED && this.#queued >= MOST_QUEUED_IN_ALL) {
      socket.destroy()
      return
    }
    this.#queued++
    queue.push(arrival)
  }

  #begin(connection: Connection, arrival: Arrival): void {
    // The answer to the request before was the last one of the connection.
    if (!connection.socket.writable) return
    const { response, begin } = arrival
    if (this.#isEnding) response.shouldKeepAlive = false
    connection.current = arrival
    this.#idle.delete(connection)
    this.#inFlight++
    response.once('close', () => this.#answered(connection))
    this.#paced.begin(() => {
      if (!response.destroyed) begin()
    })
  }

  /** The current request of a connection is answered, or its client has left. */
  #answered(connection: Connection): void {
    const { socket, queue, refusal } = connection
    connection.current = undefined
    this.#inFlight--
    if (this.#isEnding) {
      socket.destroySoon()
      if (this.#inFlight === 0) this.destroy()
      return
    }
    if (!socket.writable) return
    const next = queue.shift()
    if (next === undefined) {
      if (refusal !== undefined) refuseConnection(socket, refusal)
      else this.#idle.add(connection)
      return
    }
    this.#queued--
    if (connection.isHeld && queue.length <= MOST_QUEUED / 2) release(connection)
    // The rest of its body is what could not be read.
    if (refusal !== undefined && !next.request.complete)
      refuseConnection(socket, refusal, next.request.method)
    else this.#begin(connection, next)
  }

  #closeIdle(): boolean {
    const [longest] = this.#idle
    if (longest === undefined) return false
    this.#idleClosed++
    // Its event comes later, and this one is to make room now.
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

  #look(): void {
    const { clientTimeout, leastRate } = this.#limits
    const least = Math.max(1, (leastRate * clientTimeout) / 1000)
    for (const { socket, current } of this.#all.values()) {
      if (current === undefined) continue
      current.moved ??= bytesMoved(socket)
      if (!current.body?.isAwaited && current.response.writableLength === 0) continue
      if (++current.awaited < LOOKS) continue
      const moved = bytesMoved(socket)
      if (moved - current.moved < least) {
        this.#cutOff++
        refuseCurrent(socket, current, 'ERR_HTTP_REQUEST_TIMEOUT')
      }
      current.moved = moved
      current.awaited = 0
    }
  }
}

/** Hands what was read on in pieces, of which the next is parsed only if the connection is not held back by then. */
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
  if (connection.queue.length < MOST_QUEUED) return
  connection.isHeld = true
  connection.socket.pause()
}

function release(connection: Connection): void {
  const { socket } = connection
  connection.isHeld = false
  // Node itself holds it back until then, and takes it for a defect when bytes come nevertheless.
  if (socket.writableNeedDrain) socket.once('drain', () => socket.resume())
  else socket.resume()
}

/** Instead of the answer, unless that has begun. */
function refuseCurrent(socket: Socket, { request, response }: Arrival, code: string | undefined): void {
  if (response.headersSent) socket.destroy()
  else refuseConnection(socket, code, request.method)
}

/** Bytes that have come and gone. What the system has not taken of the last write is known to the handle alone. */
function bytesMoved(socket: Socket): number {
  const { _handle } = socket as { readonly _handle?: { readonly writeQueueSize: number } | null }
  return socket.bytesRead + socket.bytesWritten - (_handle?.writeQueueSize ?? 0)
}

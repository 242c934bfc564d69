// The end of a connection whose request is answered before all of its body has come. If it were closed at once, the
// client, which is still sending, might never see the answer. So the rest of the body is read and dropped for a while
// (RFC 9112, 9.6).

import type { ServerResponse } from 'node:http'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { SHORT_BODY } from '../message/request-body.ts'

/**
 * The longest pause between two pieces (or the client timeout if that is shorter), and the number of pauses of the
 * whole; the same as in nginx (lingering_timeout, lingering_time).
 */
const PAUSE_MILLISECONDS = 5_000
/** Pauses in which a body is read after an early answer. @limit safety, pauses */
const MAX_PAUSES = 6

/**
 * Must be called before the head is sent. A request whose answer is sent is done: no slot or memory is held for the
 * rest of its body.
 */
export function lingerIfUnread(response: ServerResponse): void {
  const { req: request, socket } = response
  if (request.complete || socket === null) return
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers
  const isShort = encoding === undefined && Number(length) <= SHORT_BODY
  // Node reads the rest, and the connection is kept.
  if (isShort && response.shouldKeepAlive) return
  // The answer has `Connection: close`. The function that Node calls after sending it would close the connection at
  // once.
  response.shouldKeepAlive = false
  const close = socket.destroySoon
  // The server has set it (`server.timeout`); 0 means none.
  const clientTimeout = socket.timeout || PAUSE_MILLISECONDS
  socket.destroySoon = () => {
    if (request.complete) return close.call(socket)
    socket.end()
    const pause = Math.min(PAUSE_MILLISECONDS, clientTimeout)
    const cancel = SYSTEM_CLOCK.after(MAX_PAUSES * pause, () => socket.destroy())
    socket.setTimeout(pause, () => socket.destroy())
    socket.once('close', cancel)
    request.once('end', () => socket.destroy())
    request.resume()
  }
}

// Clients that close the connection, or are cut off: all work for their requests stops. A request that has begun owns
// its socket until it is answered (connections.ts), so the socket shows that the client has left, and the response
// emits `close` then.

import type { ServerResponse } from 'node:http'

export class ClientLeft extends Error {
  constructor() {
    super('the client closed the connection')
    this.name = 'ClientLeft'
  }
}

/** The part of a response, of a request that has begun, that shows whether the client is there. */
export interface ClientState {
  /** The socket; null when the request is answered. */
  readonly socket: { readonly destroyed: boolean } | null
}

/** Whether the client has left before the end of the answer. */
export function hasLeft({ socket }: ClientState): boolean {
  return socket?.destroyed ?? false
}

export function requireClient(response: ClientState): void {
  if (hasLeft(response)) throw new ClientLeft()
}

/**
 * Throws if the client has left. Must be called before a write: when this process was stopped for a while, a request
 * and the end of its connection arrive one after the other. Its client got no answer and has left, a balancer may have
 * sent the request to another server, and the data that it would change may be newer. The event loop reads the end of a
 * connection one round after the last bytes.
 */
export async function requireWaitingClient(response: ServerResponse): Promise<void> {
  await nextRounds()
  if (response.socket?.readableEnded) throw new ClientLeft()
  requireClient(response)
}

let rounds: Promise<void> | undefined

/** The end of the next two rounds of the event loop, which all that begin to wait in one round share. */
function nextRounds(): Promise<void> {
  rounds ??= new Promise(resolve => {
    setImmediate(() => {
      rounds = undefined
      setImmediate(resolve)
    })
  })
  return rounds
}

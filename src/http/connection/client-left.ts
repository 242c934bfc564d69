// The client closed the connection, or was cut off: all work for its request stops. A request that has begun owns its socket
// until it is answered (connections.ts), so the socket shows that the client has left, and the response emits `close` then.

export class ClientLeft extends Error {
  constructor() {
    super('the client closed the connection')
    this.name = 'ClientLeft'
  }
}

/** The part of a response, of a request that has begun, that shows whether the client is there. */
export interface ClientState {
  /** Null when it is answered. */
  readonly socket: { readonly destroyed: boolean } | null
}

/** Before the end of the answer. */
export function hasLeft({ socket }: ClientState): boolean {
  return socket?.destroyed ?? false
}

export function requireClient(response: ClientState): void {
  if (hasLeft(response)) throw new ClientLeft()
}

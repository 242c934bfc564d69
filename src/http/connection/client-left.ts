// The client closed the connection, or was cut off: nobody is there to be answered, and whatever was done for it stops. A
// request that has begun owns its socket until it is answered (connections.ts): this is asked of the socket, and the
// response emits `close` when it happens.

export class ClientLeft extends Error {
  constructor() {
    super('the client closed the connection')
    this.name = 'ClientLeft'
  }
}

/** The response of a request that has begun, as far as it tells of the client. */
export interface Answering {
  /** Null when it is answered. */
  readonly socket: { readonly destroyed: boolean } | null
}

/** Before the end of the answer. */
export function hasLeft({ socket }: Answering): boolean {
  return socket?.destroyed ?? false
}

export function requireClient(response: Answering): void {
  if (hasLeft(response)) throw new ClientLeft()
}

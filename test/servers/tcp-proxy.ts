// A TCP proxy in front of servers: connections are cut by a plan, or stall, and each goes to the server that is due
// then.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** The fate of bytes on their way: they pass, the connection is cut before or after they do, or they wait for ever. */
export type Fate = 'pass' | 'cut' | 'pass and cut' | 'stall'

export interface TcpProxy {
  readonly port: number
  /** The fate of the bytes that a client sends, or gets. */
  plan: (bytes: Buffer, direction: 'up' | 'down', connection: Socket) => Fate
  close(): Promise<void>
}

/**
 * `target`: the port, or the path of the socket, that the next connection goes to; undefined: the server is away, and
 * the connection is cut.
 */
export async function startTcpProxy(target: () => number | string | undefined): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, client => {
    const to = target()
    if (to === undefined) {
      client.on('error', () => undefined).destroy()
      return
    }
    const place = typeof to === 'string' ? { path: to } : { port: to, host: '127.0.0.1', noDelay: true }
    const upstream = connect({ ...place, allowHalfOpen: true })
    const ends = [client, upstream]
    const cut = () => {
      for (const end of ends) end.destroy()
    }
    for (const end of ends) {
      sockets.add(end)
      end.on('close', () => sockets.delete(end))
      end.on('error', cut)
    }
    const forward = (from: Socket, to: Socket, direction: 'up' | 'down') => {
      from.on('data', bytes => {
        const fate = proxy.plan(bytes, direction, client)
        if (fate === 'stall') from.pause()
        else if (fate === 'cut') cut()
        else if (fate === 'pass and cut') to.write(bytes, cut)
        else to.write(bytes)
      })
      from.on('end', () => to.end())
    }
    forward(client, upstream, 'up')
    forward(upstream, client, 'down')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a server without a port')
  const proxy: TcpProxy = {
    port: address.port,
    plan: () => 'pass',
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
  return proxy
}

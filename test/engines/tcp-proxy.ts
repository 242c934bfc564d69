// A TCP proxy in front of a server: connections are cut by a plan, all at once, or stall; and it can be pointed at another server.

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** What happens to bytes on their way: they pass, the connection is cut before or after they do, or they wait for ever. */
export type Fate = 'pass' | 'cut' | 'pass and cut' | 'stall'

export interface TcpProxy {
  readonly port: number
  /** Connections come to this port from now on. */
  target: number
  /** What happens to the bytes that a client sends, or gets. */
  plan: (bytes: Buffer, direction: 'up' | 'down', connection: object) => Fate
  cutAll(): void
  close(): Promise<void>
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const server = createServer(client => {
    const upstream = connect(proxy.target, '127.0.0.1')
    const ends = [client, upstream]
    const cut = () => {
      for (const end of ends) end.destroy()
    }
    for (const end of ends) {
      sockets.add(end)
      end.on('close', () => sockets.delete(end))
      end.on('error', cut)
      end.on('end', cut)
    }
    const forward = (from: Socket, to: Socket, direction: 'up' | 'down') => {
      from.on('data', bytes => {
        const fate = proxy.plan(bytes, direction, client)
        if (fate === 'stall') from.pause()
        else if (fate === 'cut') cut()
        else if (fate === 'pass and cut') to.write(bytes, cut)
        else to.write(bytes)
      })
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
    target,
    plan: () => 'pass',
    cutAll() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      server.close()
      proxy.cutAll()
      await once(server, 'close')
    },
  }
  return proxy
}

// A proxy that serves one service below a prefix of paths, in the way of some that people use.

import { once } from 'node:events'
import http from 'node:http'
import { buffer } from 'node:stream/consumers'

/**
 * The treatment of a path. `strip`: the prefix is taken off, and a header has it, as with Traefik. `jupyter`: that too,
 * and the rest is decoded and encoded anew, as by jupyter-server-proxy. `keep`: none, as with nginx and a `proxy_pass`
 * without a path. `absolute`: it is encoded anew only, as below `/proxy/absolute/`.
 */
export type ProxyKind = 'strip' | 'jupyter' | 'keep' | 'absolute'

export interface PrefixProxy {
  /** Its address with the prefix, without a slash at its end. */
  readonly address: string
  close(): Promise<void>
}

/** All that jupyter-server-proxy leaves as it is; a question mark too, which then begins the query. */
const LEFT_BY_JUPYTER = /[^\w:/?#[\]@!$&'()*+,;=\-.~]+/g

/** The headers with the prefix before a location without a host, even if that has it already or is relative. */
function moved(rawHeaders: readonly string[], prefix: string): string[] {
  const isLocation = (i: number) => rawHeaders[i]?.toLowerCase() === 'location'
  return rawHeaders.map((text, i) =>
    i % 2 === 1 && isLocation(i - 1) && !text.includes('://')
      ? `${prefix}/${text.replace(/^\/+/, '')}`
      : text,
  )
}

/** An answer comes as a whole, unless a stream of events is asked for, and has chunks. */
function isHeldBack({ headers }: http.IncomingMessage, answer: http.IncomingMessage): boolean {
  return headers.accept !== 'text/event-stream' || answer.headers['transfer-encoding'] !== 'chunked'
}

/** `target`: the address of the service when a request comes. */
export async function startPrefixProxy(
  kind: ProxyKind,
  prefix: string,
  target: () => string,
): Promise<PrefixProxy> {
  const isStripped = kind === 'strip' || kind === 'jupyter'
  const isEncodedAnew = kind === 'jupyter' || kind === 'absolute'
  const context = kind === 'jupyter' ? { 'x-forwarded-context': prefix, 'x-proxycontextpath': prefix } : {}
  const own = kind === 'strip' ? { 'x-forwarded-prefix': prefix } : context
  const agent = new http.Agent({ keepAlive: true })
  const proxy = http.createServer((request, response) => {
    const { method, headers } = request
    const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(request.url ?? '') ?? []
    if (path !== prefix && !path.startsWith(`${prefix}/`)) {
      response.writeHead(404).end('the proxy has nothing there')
      return
    }
    const kept = isStripped ? path.slice(prefix.length) || '/' : path
    const sent = isEncodedAnew ? decodeURIComponent(kept).replace(LEFT_BY_JUPYTER, encodeURIComponent) : kept
    const { hostname, port } = new URL(target())
    const upstream = http.request(
      { hostname, port, agent, method, path: sent + query, headers: { ...headers, ...own } },
      answer => {
        const isHeld = kind === 'jupyter' && isHeldBack(request, answer)
        const headers = kind === 'jupyter' ? moved(answer.rawHeaders, prefix) : answer.rawHeaders
        const send = () => response.writeHead(answer.statusCode ?? 502, headers)
        if (isHeld)
          void buffer(answer).then(
            bytes => send().end(bytes),
            () => response.destroy(),
          )
        else answer.pipe(send())
      },
    )
    upstream.on('error', () => response.destroy())
    response.on('close', () => upstream.destroy())
    request.pipe(upstream)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const place = proxy.address()
  const port = typeof place === 'object' && place !== null ? place.port : 0
  return {
    address: `http://127.0.0.1:${port}${prefix}`,
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
      agent.destroy()
    },
  }
}

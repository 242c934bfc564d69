// The load generator, as a process of its own so that its work is not counted as the server's. It keeps a number of
// connections busy, one request in flight on each, over bare sockets: parsing no more of an answer than its status and
// length leaves the processor to the server.
//
// Messages in: { port, requests, count or seconds, connections }; the requests are whole HTTP requests as strings, sent in turn.
// Messages out: { milliseconds, longest, statuses }: of all, of the request that took longest, statuses counted.

import { connect } from 'node:net'

process.on('message', async job => {
  try {
    process.send?.(await run(job))
  } catch (error) {
    process.send?.({ error: String(error) })
  }
})
process.on('disconnect', () => process.exit())

async function run({
  port,
  requests,
  count = Number.POSITIVE_INFINITY,
  seconds = Number.POSITIVE_INFINITY,
  connections,
}) {
  const texts = requests.map(text => Buffer.from(text))
  const statuses = {}
  let begun = 0
  let longest = 0
  const until = performance.now() + seconds * 1000
  const isOver = () => begun >= count || performance.now() >= until
  const next = () => (isOver() ? undefined : texts[begun++ % texts.length])
  const start = process.hrtime.bigint()
  await Promise.all(
    Array.from({ length: connections }, () =>
      keepBusy(port, next, (status, milliseconds) => {
        statuses[status] = (statuses[status] ?? 0) + 1
        longest = Math.max(longest, milliseconds)
      }),
    ),
  )
  return { milliseconds: Number(process.hrtime.bigint() - start) / 1e6, longest, statuses }
}

/** One connection: the next request goes out when the answer to the last one is complete. */
function keepBusy(port, next, count) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let received = Buffer.alloc(0)
    let sent = 0
    const send = () => {
      sent = performance.now()
      const request = next()
      if (request !== undefined) socket.write(request)
      else socket.end(resolve)
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('data', piece => {
      received = received.length === 0 ? piece : Buffer.concat([received, piece])
      const headersEnd = received.indexOf('\r\n\r\n')
      if (headersEnd < 0) return
      const head = received.latin1Slice(0, headersEnd)
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
      if (length === undefined) return reject(new Error(`an answer without Content-Length:\n${head}`))
      if (received.length < headersEnd + 4 + Number(length)) return
      received = Buffer.alloc(0)
      count(head.slice(9, 12), performance.now() - sent)
      send()
    })
  })
}

// The load generator, as a process of its own so that its work is not counted as the server's. It keeps a number of
// connections busy, one request in flight on each, over bare sockets: parsing no more of an answer than its status and
// length leaves the processor to the server.
//
// Messages in: { port, requests, count or seconds, connections }; the requests are whole HTTP requests as strings, sent
// in turn. Messages out: { milliseconds, longest, p99, statuses }: of all; of the request that took longest, and of
// that longer than which 1 % took; statuses counted.

import { connect } from 'node:net'

/** Bytes of one read of a socket, into memory that is used again. */
const READ_BYTES = 2 ** 18
/** No head of an answer is longer. */
const HEAD_BYTES = 2 ** 13

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
  const times = []
  const until = performance.now() + seconds * 1000
  const isOver = () => begun >= count || performance.now() >= until
  const next = () => (isOver() ? undefined : texts[begun++ % texts.length])
  const start = process.hrtime.bigint()
  await Promise.all(
    Array.from({ length: connections }, () =>
      keepBusy(port, next, (status, milliseconds) => {
        statuses[status] = (statuses[status] ?? 0) + 1
        times.push(milliseconds)
      }),
    ),
  )
  const milliseconds = Number(process.hrtime.bigint() - start) / 1e6
  times.sort((a, b) => a - b)
  return { milliseconds, longest: times.at(-1), p99: times[Math.floor(times.length * 0.99)], statuses }
}

/**
 * One connection: the next request goes out when the answer to the last one is complete. Bodies are counted, not kept.
 */
function keepBusy(port, next, count) {
  return new Promise((resolve, reject) => {
    const onread = {
      buffer: Buffer.allocUnsafe(READ_BYTES),
      callback: (length, buffer) => take(buffer.subarray(0, length)),
    }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    let head = ''
    let missing = 0
    let sent = 0
    const send = () => {
      sent = performance.now()
      const request = next()
      if (request !== undefined) socket.write(request)
      else socket.end(resolve)
    }
    const take = piece => {
      let rest = piece.length
      if (missing === 0) {
        const before = head.length
        head += piece.latin1Slice(0, Math.min(piece.length, HEAD_BYTES))
        const headEnd = head.indexOf('\r\n\r\n')
        if (headEnd < 0) return
        head = head.slice(0, headEnd)
        // An answer 304 has no body.
        const length = head.startsWith('304', 9) ? 0 : /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
        if (length === undefined) return reject(new Error(`an answer without Content-Length:\n${head}`))
        missing = Number(length)
        rest -= headEnd + 4 - before
      }
      missing -= rest
      if (missing > 0) return
      const status = head.slice(9, 12)
      head = ''
      count(status, performance.now() - sent)
      send()
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`the connection was closed; ${missing} bytes are missing`)))
  })
}

// The limit that a benchmark is measured against, as a process of its own: a bare node:http server that does as
// little as the task allows. Its parent sends one message that says what to answer; it sends back its port.
//
//   { kind: 'reply', status, headers, body }   answers every request with the same bytes (body in Base64)
//   { kind: 'bytes', length }                  takes each request's body and answers with one buffer of this length
//   { kind: 'append', file }                   appends each request's body to a file and answers 201 when fdatasync
//                                              has returned; requests that wait share one fdatasync
//   { kind: 'store', directory }               writes each request's body to a new file as it arrives and answers 200
//                                              when fdatasync has returned
//   { kind: 'file', path, delay }              answers with the file, or the range that is asked for, each piece read
//                                              into one of two buffers while the other one is sent; after that many
//                                              milliseconds, default 0; /requests has the number of all other requests
//   { kind: 'objects', delay }                 keeps the body and the x-amz-meta headers of each PUT in memory and
//                                              answers GET with them, or with the requested range; after that many
//                                              milliseconds, default 0
//   { kind: 'search' }                         answers /LIMIT with that many rows, which the first query of
//                                              query-rows.mjs finds

import { closeSync, fdatasync, fstatSync, openSync, read, write, writev } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeRows, QUERIES, rowsAt, searchRows } from './query-rows.mjs'

const readPiece = promisify(read)
const PIECE = 2 ** 20

process.once('message', job => {
  const server = http.createServer(HANDLERS[job.kind](job))
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
})
process.on('disconnect', () => process.exit())

const HANDLERS = {
  reply({ status, headers, body }) {
    const bytes = Buffer.from(body, 'base64')
    return (_request, response) => {
      response.writeHead(status, headers)
      response.end(bytes)
    }
  },

  bytes({ length }) {
    const bytes = Buffer.alloc(length, 1)
    return (request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': length })
        response.end(bytes)
      })
    }
  },

  append({ file }) {
    const descriptor = openSync(file, 'a')
    let waiting = []
    let busy = false
    const sync = () => {
      if (busy || waiting.length === 0) return
      busy = true
      const batch = waiting
      waiting = []
      write(descriptor, Buffer.concat(batch.map(item => item.body)), () => {
        fdatasync(descriptor, () => {
          for (const { response } of batch) response.writeHead(201, { 'content-length': 2 }).end('{}')
          busy = false
          sync()
        })
      })
    }
    return (request, response) => {
      const pieces = []
      request.on('data', piece => pieces.push(piece))
      request.on('end', () => {
        waiting.push({ body: Buffer.concat(pieces), response })
        sync()
      })
    }
  },

  file({ path, delay = 0 }) {
    const file = openSync(path, 'r')
    const { size, mtimeMs } = fstatSync(file)
    const etag = `"${size}-${mtimeMs}"`
    const free = []
    let requests = 0
    return async ({ method, url, headers }, response) => {
      if (url === '/requests') return response.end(String(requests))
      requests++
      if (delay > 0) await sleep(delay)
      if (headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end()
      const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '')
      const start = Number(range?.[1] ?? 0)
      const end = Math.min(Number(range?.[2] ?? size - 1) + 1, size)
      response.writeHead(range ? 206 : 200, {
        etag,
        'content-length': end - start,
        ...(range && { 'content-range': `bytes ${start}-${end - 1}/${size}` }),
      })
      if (method === 'HEAD') return response.end()
      const buffers = free.pop() ?? [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)]
      let sent = Promise.resolve()
      for (let at = start; at < end; buffers.reverse()) {
        const [buffer] = buffers
        const { bytesRead } = await readPiece(file, buffer, 0, Math.min(PIECE, end - at), at)
        await sent
        sent = new Promise(resolve => response.write(buffer.subarray(0, bytesRead), resolve))
        at += bytesRead
      }
      await sent
      free.push(buffers)
      response.end()
    }
  },

  objects({ delay = 0 }) {
    const objects = new Map()
    const empty = Buffer.from('<ListBucketResult></ListBucketResult>')
    return async (request, response) => {
      const [path, query] = request.url.split('?')
      const pieces = []
      for await (const piece of request) pieces.push(piece)
      if (delay > 0) await sleep(delay)
      if (request.method === 'PUT') {
        const names = Object.keys(request.headers).filter(name => name.startsWith('x-amz-meta-'))
        const headers = Object.fromEntries(names.map(name => [name, request.headers[name]]))
        objects.set(path, { bytes: Buffer.concat(pieces), headers })
        return response.writeHead(200, { 'content-length': 0 }).end()
      }
      const { bytes, headers } = query ? { bytes: empty, headers: {} } : objects.get(path)
      const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
      const start = Number(range?.[1] ?? 0)
      const end = Math.min(Number(range?.[2] ?? bytes.length) + 1, bytes.length)
      response.writeHead(range ? 206 : 200, {
        ...headers,
        'content-length': end - start,
        ...(range && { 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` }),
      })
      response.end(bytes.subarray(start, end))
    }
  },

  search() {
    const rows = makeRows()
    const [{ holds }] = QUERIES
    return (request, response) => {
      const positions = searchRows(rows, holds, Number(request.url.slice(1)))
      const text = JSON.stringify({ value: rowsAt(rows, positions), index: positions })
      const length = Buffer.byteLength(text)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
      response.end(text)
    }
  },

  store({ directory }) {
    let files = 0
    return async (request, response) => {
      const file = openSync(join(directory, `stored-${files++}`), 'wx')
      let gathered = []
      let length = 0
      let written = Promise.resolve()
      // While one piece of 4 MiB is written, the next one arrives.
      const flush = async () => {
        await written
        written = promisify(writev)(file, gathered)
        gathered = []
        length = 0
      }
      for await (const piece of request) {
        gathered.push(piece)
        length += piece.length
        if (length >= 4 << 20) await flush()
      }
      if (length > 0) await flush()
      await written
      await promisify(fdatasync)(file)
      closeSync(file)
      response.writeHead(200, { 'content-length': 2 }).end('{}')
    }
  },
}

import type { ByteRange } from '@hyperslab/base/bounded'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RangeServer, startRangeServer } from '../../../../test/fixtures/range-server.ts'
import { stateOf, type Validators } from './file-state.ts'
import { HttpSource } from './http-source.ts'
import { RemoteRequests } from './remote-requests.ts'

const SIZE = 3 * 2 ** 20
const bytes = Uint8Array.from({ length: SIZE }, (_, index) => (index * 7 + (index >> 8)) % 251)
const MODIFIED = 'Wed, 21 Oct 2015 07:28:00 GMT'

let server: RangeServer
let requests: RemoteRequests
let changes: number

beforeEach(async () => {
  server = await startRangeServer()
  requests = new RemoteRequests({ timeout: 5000 })
  changes = 0
  server.files.set('/a.h5', { bytes, etag: '"one"', lastModified: MODIFIED })
})

afterEach(async () => {
  requests.close()
  await server.close()
})

function sourceOf(validators: Validators = { etag: '"one"' }, head = bytes.subarray(0, 100)): HttpSource {
  const state = stateOf(new URL('/a.h5', server.address), validators, SIZE, '/lab/a.h5')
  const onChange = () => {
    changes++
  }
  return new HttpSource({ requests, state, head, subject: '/lab/a.h5', onChange })
}

function expected({ position, length }: ByteRange): Uint8Array {
  return bytes.slice(position, position + length)
}

describe('a source of bytes over HTTP', () => {
  it('joins ranges that are near, and takes what it has from the first bytes', async () => {
    const ranges = [
      { position: 2_000_000, length: 10 },
      { position: 0, length: 100 },
      { position: 1000, length: 20 },
      { position: 200_000, length: 5 },
      { position: 90, length: 20 },
      { position: SIZE - 3, length: 10 },
      { position: SIZE, length: 4 },
      { position: 5, length: 0 },
    ]
    const pieces = await sourceOf().read(ranges)
    expect(pieces.map(piece => Uint8Array.from(piece))).toEqual(ranges.map(expected))
    expect(server.requests.sort()).toEqual([
      'GET /a.h5 bytes=2000000-2000009',
      `GET /a.h5 bytes=${SIZE - 3}-${SIZE - 1}`,
      'GET /a.h5 bytes=90-200004',
    ])
  })

  it('fills memory, up to the end of the file', async () => {
    const target = new Uint8Array(1000).fill(9)
    expect(await sourceOf().readInto(target, 50)).toBe(1000)
    expect(target).toEqual(expected({ position: 50, length: 1000 }))
    expect(await sourceOf().readInto(target, SIZE - 1)).toBe(1)
    expect(await sourceOf().readInto(target, SIZE + 5)).toBe(0)
  })

  it('asks for at most 8 MiB at once', async () => {
    const large = new Uint8Array(17 * 2 ** 20).fill(3)
    server.files.set('/a.h5', { bytes: large, etag: '"one"' })
    const state = stateOf(new URL('/a.h5', server.address), { etag: '"one"' }, large.length, 'a')
    const source = new HttpSource({
      requests,
      state,
      head: new Uint8Array(0),
      subject: 'a',
      onChange: () => {},
    })
    const [piece] = await source.read([{ position: 0, length: large.length }])
    expect(Buffer.compare(piece, large)).toBe(0)
    expect(server.requests).toHaveLength(3)
  })

  it.each([
    ['a strong entity tag', { etag: '"one"' }, { etag: '"two"' }],
    ['a weak entity tag', { etag: 'W/"one"' }, { etag: 'W/"two"' }],
    [
      'the time of the last change',
      { lastModified: MODIFIED },
      { etag: null, lastModified: 'Thu, 22 Oct 2015 07:28:00 GMT' },
    ],
  ])('sees by %s that the file was changed between two reads', async (_name, before, after) => {
    for (const ignoresConditions of [false, true]) {
      server.ignoresConditions = ignoresConditions
      server.files.set('/a.h5', { bytes, etag: null, ...before })
      const source = sourceOf(before)
      await source.read([{ position: 1000, length: 10 }])
      expect(source.isChanged).toBe(false)
      server.files.set('/a.h5', { bytes, ...after })
      await expect(source.read([{ position: 2000, length: 10 }])).rejects.toMatchObject({
        code: 'file-changed',
      })
      expect(source.isChanged).toBe(true)
    }
    expect(changes).toBe(2)
  })

  it('sees that the file is longer, or not there any more', async () => {
    const source = sourceOf()
    server.files.set('/a.h5', { bytes: new Uint8Array(SIZE + 1), etag: '"one"' })
    await expect(source.readInto(new Uint8Array(10), 1000)).rejects.toMatchObject({ code: 'file-changed' })
    server.files.delete('/a.h5')
    await expect(source.readInto(new Uint8Array(10), 1000)).rejects.toMatchObject({ code: 'file-changed' })
  })

  it('asks again when the server is busy, breaks the connection or stops in the middle', async () => {
    let count = 0
    server.intercept = (_request, response) => {
      count++
      if (count === 1) response.writeHead(503).end('busy')
      else if (count === 2) {
        response.writeHead(206, {
          etag: '"one"',
          'content-range': `bytes 1000-1999/${SIZE}`,
          'content-length': 1000,
        })
        response.write(bytes.subarray(0, 300), () => response.destroy())
      }
      return count <= 2
    }
    const [piece] = await sourceOf().read([{ position: 1000, length: 1000 }])
    expect(Uint8Array.from(piece)).toEqual(expected({ position: 1000, length: 1000 }))
    expect(count).toBe(3)
  })

  it('gives up after three attempts', async () => {
    server.intercept = request => {
      request.socket.destroy()
      return true
    }
    await expect(sourceOf().read([{ position: 1000, length: 1000 }])).rejects.toMatchObject({
      code: 'file-unavailable',
      message: '/lab/a.h5 cannot be read from its server now: the connection failed (ECONNRESET)',
    })
    expect(server.requests).toHaveLength(3)
  })

  it('gives up when the server sends nothing for a while', async () => {
    requests.close()
    requests = new RemoteRequests({ timeout: 50 })
    server.intercept = () => true
    await expect(sourceOf().read([{ position: 1000, length: 1000 }])).rejects.toMatchObject({
      code: 'file-unavailable',
      message: '/lab/a.h5 cannot be read from its server now: nothing arrived for 0.05 seconds',
    })
  })

  it('gives up when bytes arrive one by one', async () => {
    requests.close()
    requests = new RemoteRequests({ timeout: 50 })
    server.intercept = (_request, response) => {
      response.writeHead(206, { etag: '"one"', 'content-range': `bytes 1000-1999/${SIZE}` })
      const trickle = setInterval(() => response.write('x'), 5)
      response.on('close', () => clearInterval(trickle))
      return true
    }
    await expect(sourceOf().read([{ position: 1000, length: 1000 }])).rejects.toMatchObject({
      code: 'file-unavailable',
    })
  })

  it('stops when its reader leaves', async () => {
    const leaving = new AbortController()
    const reason = new Error('the client has left')
    server.intercept = () => {
      leaving.abort(reason)
      return true
    }
    const read = sourceOf().read([{ position: 1000, length: 1000 }], leaving.signal)
    await expect(read).rejects.toBe(reason)
    await expect(sourceOf().read([{ position: 1000, length: 1 }], leaving.signal)).rejects.toBe(reason)
  })

  it('takes no more bytes than it asked for', async () => {
    server.intercept = (_request, response) => {
      response.writeHead(206, { etag: '"one"', 'content-range': `bytes 1000-1009/${SIZE}` }).end(bytes)
      return true
    }
    await expect(sourceOf().read([{ position: 1000, length: 10 }])).rejects.toMatchObject({
      code: 'file-changed',
    })
  })
})

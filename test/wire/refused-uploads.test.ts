// Uploads that are refused before all of their body has come, to clients that send all of it before they look at the
// answer, as most libraries do: they get the reason. The bounds: packages/server/http/connection/linger.test.ts.

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { basic, USER1 } from './client.ts'
import { makeHome, newDomain, OCTETS } from './hsds/domain.ts'

const LARGE = 24 << 20
const PIECE = Buffer.alloc(1 << 16)

beforeAll(makeHome)

interface Upload {
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A connection on which the head of a PUT was sent. */
async function beginUpload({ target, headers }: Upload): Promise<Socket> {
  const { hostname, port, host } = new URL(inject('address'))
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.pause()
  const all = { Host: host, Authorization: basic(USER1), 'Content-Type': OCTETS, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  await write(socket, `PUT ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  return socket
}

function write(socket: Socket, bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.write(bytes, error => {
      socket.off('error', reject)
      if (error) reject(error)
      else resolve()
    })
  })
}

async function writeMany(socket: Socket, length: number): Promise<void> {
  for (let left = length; left > 0; left -= PIECE.length) await write(socket, PIECE.subarray(0, left))
}

/** Everything that the server sends until it closes. */
async function answer(socket: Socket): Promise<{ status: number; head: string; message: string }> {
  const text = (await buffer(socket)).toString()
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, message: JSON.parse(body).message }
}

/** The values of a new dataset of 500 x 1000 elements, 2,000,000 bytes. */
async function values(): Promise<string> {
  const domain = await newDomain()
  const id = await domain.dataset({ type: 'H5T_IEEE_F32LE', shape: [500, 1000] })
  return `/datasets/${id}/value?domain=${encodeURIComponent(domain.path)}`
}

describe.each(['keep-alive', 'close'])('a large upload refused early (Connection: %s)', connection => {
  test.each<[number, (target: string) => Upload, RegExp]>([
    [400, target => ({ target }), /are 2000000 bytes, and 25165824 were sent/],
    [400, target => ({ target: `${target}&select=[0:1` }), /select/],
    [401, target => ({ target, headers: { Authorization: basic(USER1, 'wrong') } }), /\S/],
    [404, target => ({ target: target.replace(/domain=.*/, 'domain=/no/such.h5') }), /no\/such\.h5/],
  ])('is %i, which reaches a client that sends it all before it reads', async (status, upload, message) => {
    const { target, headers } = upload(await values())
    const length = { 'Content-Length': String(LARGE), Connection: connection }
    const socket = await beginUpload({ target, headers: { ...headers, ...length } })
    await writeMany(socket, LARGE)
    const told = await answer(socket)
    expect(told).toMatchObject({ status, message: expect.stringMatching(message) })
    expect(told.head).toMatch(/^connection: close$/im)
    socket.destroy()
  })
})

test('a chunked upload refused in the middle is read to its end, and the connection closed', async () => {
  const socket = await beginUpload({ target: await values(), headers: { 'Transfer-Encoding': 'chunked' } })
  for (let sent = 0; sent < LARGE; sent += PIECE.length) {
    await write(socket, `${PIECE.length.toString(16)}\r\n`)
    await write(socket, PIECE)
    await write(socket, '\r\n')
  }
  await write(socket, '0\r\n\r\n')
  expect(await answer(socket)).toMatchObject({
    status: 400,
    message: expect.stringMatching(/2000000|500000/),
  })
  socket.destroy()
})

describe('Expect: 100-continue', () => {
  const expecting = (length: number) => ({ 'Content-Length': String(length), Expect: '100-continue' })

  test('a refused upload is answered at once, without asking for its body', async () => {
    const socket = await beginUpload({ target: await values(), headers: expecting(LARGE) })
    const [first] = (await once(socket.resume(), 'data')) as [Buffer]
    expect(first.toString()).toMatch(/^HTTP\/1\.1 400 /)
    socket.destroy()
  })

  test.each([1, 0])('an upload that fits is asked for (long: %i)', async isLong => {
    const target = isLong ? await values() : `${await values()}&select=[0:1,0:10]`
    const length = isLong ? 2_000_000 : 40
    const socket = await beginUpload({ target, headers: expecting(length) })
    const [first] = (await once(socket.resume(), 'data')) as [Buffer]
    expect(first.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    await writeMany(socket, length)
    const [second] = (await once(socket, 'data')) as [Buffer]
    expect(second.toString()).toMatch(/^HTTP\/1\.1 200 /)
    socket.destroy()
  })
})

// HEAD is answered by a header alone, also where the request is refused: bytes behind it would be taken for another
// answer.

import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, inject, test } from 'vitest'
import { request } from './raw-connection.ts'

/** All that the server sends until it closes the connection. */
async function bytesFor(text: string): Promise<string> {
  const { hostname, port } = new URL(inject('address'))
  const socket = connect({ host: hostname, port: Number(port) })
  let received = ''
  socket.on('data', piece => {
    received += piece.toString('latin1')
  })
  socket.write(text)
  await once(socket, 'close')
  return received
}

const CLOSE = { Connection: 'close' }
const BAD_CHUNK = { 'Transfer-Encoding': 'chunked' }

test.each<[string, string, number]>([
  ['/about', request('HEAD', '/about', CLOSE), 200],
  ['a NUL in the path', request('HEAD', '/datasets/%00', CLOSE), 404],
  ['a NUL where HEAD is a method', request('HEAD', '/%00', CLOSE), 400],
  ['a path that is not UTF-8', request('HEAD', '/datasets/%ff', CLOSE), 400],
  ['no such path', request('HEAD', '/nothing/here', CLOSE), 400],
  ['no such domain', request('HEAD', '/?host=no.such.domain', CLOSE), 403],
  ['wrong credentials', request('HEAD', '/about', { ...CLOSE, Authorization: 'Basic !' }), 400],
  [
    'a body that is too long',
    request('HEAD', '/datasets', { ...CLOSE, 'Content-Length': '99999999999' }),
    200,
  ],
  ['an expectation', request('HEAD', '/about', { ...CLOSE, Expect: 'x' }), 417],
  ['a body that is not HTTP', `${request('HEAD', '/about', BAD_CHUNK)}no chunk\r\n`, 400],
  [
    'such a body behind a request',
    `${request('HEAD', '/about')}${request('HEAD', '/about', BAD_CHUNK)}no\r\n`,
    200,
  ],
])('%s', async (_, text, status) => {
  const heads = (await bytesFor(text)).split('\r\n\r\n')
  expect(heads.pop()).toBe('')
  for (const head of heads) expect(head).toMatch(/^HTTP\/1\.1 \d{3} /)
  expect(heads[0]?.slice(9, 12)).toBe(String(status))
})

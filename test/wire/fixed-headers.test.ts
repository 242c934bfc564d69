// The headers that every answer has, whichever part of the service makes it (hsds-objects 1.7).

import { expect, inject, onTestFinished, test } from 'vitest'
import { RawConnection, request } from './raw-connection.ts'

const COMMON = {
  server: 'Hyperslab',
  'x-content-type-options': 'nosniff',
  'x-xss-protection': '1; mode=block',
}
const PAGE = { Origin: 'https://page.example', 'Access-Control-Request-Method': 'GET' }

test.each([
  ['the table of contents', request('GET', '/'), 200],
  ['text', request('GET', '/about'), 200],
  ['a page', request('GET', '/docs'), 200],
  ['a page of its own accord', request('GET', '/', { Accept: 'text/html' }), 200],
  ['what a browser has', request('GET', '/docs', { 'If-None-Match': '*' }), 304],
  ['JSON that a client has', request('GET', '/', { 'If-None-Match': '*' }), 304],
  ['a header alone', request('HEAD', '/about'), 200],
  ['a preflight', request('OPTIONS', '/about', PAGE), 200],
  ['figures', request('GET', '/metrics'), [200, 401, 403, 404]],
  ['readiness', request('GET', '/ready'), 200],
  ['a path that there is not', request('GET', '/no/such/path'), [400, 404]],
  ['a path that is no UTF-8', request('GET', '/groups/%FF'), 400],
  ['another method', request('DELETE', '/about'), 405],
  ['another expectation', request('GET', '/about', { Expect: 'miracles' }), 417],
  ['what is no request', 'HELLO\r\n\r\n', 400],
  ['a head without an end', request('GET', '/about', { 'X-Long': 'a'.repeat(300_000) }), 431],
] as const)('%s', async (_, bytes, status) => {
  const connection = new RawConnection(inject('address'))
  onTestFinished(() => connection.leave())
  connection.send(bytes)
  const head = await connection.answer(bytes.startsWith('HEAD') ? 'HEAD' : undefined)
  expect([status].flat()).toContain(head?.status)
  const headers = (head?.head ?? '').split('\r\n').slice(1)
  const pairs = headers.map(line => [line.slice(0, line.indexOf(':')).toLowerCase(), line.split(': ')[1]])
  expect(Object.fromEntries(pairs)).toMatchObject(COMMON)
  for (const name of Object.keys(COMMON)) expect(pairs.filter(([other]) => other === name)).toHaveLength(1)
})

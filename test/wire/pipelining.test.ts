// Several requests on one connection before the first is answered (RFC 9112, 9.3.2): each is answered, in order, and
// what one of them does to the connection holds for those behind it.

import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { BASE_DOMAIN, basic, send, USER1 } from './client.ts'
import { type Domain, makeHome, newDomain, OCTETS } from './hsds/domain.ts'
import { RawConnection, request } from './raw-connection.ts'

const AUTHORIZATION = { Authorization: basic(USER1) }

beforeAll(makeHome)

function open(): RawConnection {
  const connection = new RawConnection(inject('address'))
  onTestFinished(() => connection.leave())
  return connection
}

function inDomain({ path }: Domain, target: string): string {
  return `${target}${target.includes('?') ? '&' : '?'}domain=${encodeURIComponent(path)}`
}

/** A dataset of a number of bytes, as a request for all of them. */
async function values(domain: Domain, length: number): Promise<string> {
  const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [length] })
  return request('GET', inDomain(domain, `/datasets/${id}/value`), { ...AUTHORIZATION, Accept: OCTETS })
}

test('requests of all kinds are answered in their order', async () => {
  const domain = await newDomain()
  const large = await values(domain, 300_000)
  const kinds: readonly [string, number][] = [
    [request('GET', '/about'), 200],
    [large, 200],
    [request('GET', '/no/such/path'), 400],
    [request('GET', inDomain(domain, '/'), AUTHORIZATION), 200],
    [request('DELETE', '/groups', AUTHORIZATION), 405],
    [request('GET', '/about', { Expect: 'miracles' }), 417],
    [request('GET', '/'.repeat(3), { Authorization: basic(USER1, 'wrong') }), 400],
  ]
  const connection = open()
  const rounds = 12
  for (let round = 0; round < rounds; round++) {
    connection.send(
      ...kinds.map(([text], i) => text.replace('\r\n', `\r\nX-Request-Id: ${round * kinds.length + i}\r\n`)),
    )
  }
  for (let i = 0; i < rounds * kinds.length; i++) {
    const answer = await connection.answer()
    const [text, status] = kinds[i % kinds.length] ?? []
    expect(answer?.status, text).toBe(status)
    if (status !== 417) expect(answer?.head).toMatch(new RegExp(`^x-request-id: ${i}$`, 'im'))
    if (text === large) expect(answer?.body).toHaveLength(300_000)
  }
})

test('20,000 requests in one go are all answered, and so are other clients meanwhile', async () => {
  const connection = open()
  const count = 20_000
  connection.send(request('GET', '/health').repeat(count))
  let answered = 0
  const reading = (async () => {
    while (answered < count && (await connection.answer())?.status === 200) answered++
  })()
  const before: number[] = []
  while (answered < count && before.length < 5) {
    expect((await send('GET', '/health', undefined, { alone: true })).status).toBe(200)
    before.push(answered)
  }
  await reading
  expect(answered).toBe(count)
  expect(before[0]).toBeLessThan(count)
})

test('writes and reads of one value see each other in their order', async () => {
  const domain = await newDomain()
  const target = inDomain(domain, `/groups/${domain.root}/attributes/a`)
  const connection = open()
  const count = 30
  for (let value = 0; value < count; value++) {
    const body = JSON.stringify({ type: 'H5T_STD_I32LE', value })
    connection.send(
      request('PUT', `${target}&replace=1`, AUTHORIZATION, body),
      request('GET', target, AUTHORIZATION),
    )
  }
  for (let value = 0; value < count; value++) {
    expect([200, 201]).toContain((await connection.answer())?.status)
    expect(JSON.parse(String((await connection.answer())?.body))).toMatchObject({ value })
  }
})

test('bodies of any length, among requests without, are taken in their order', async () => {
  const domain = await newDomain()
  const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [1_000_000] })
  const target = inDomain(domain, `/datasets/${id}/value`)
  const headers = { ...AUTHORIZATION, 'Content-Type': OCTETS }
  const connection = open()
  const lengths = [1_000_000, 999_999, 200_000, 65_537, 65_536, 65_535, 8_192, 4_097, 4_096, 4_095, 100, 2, 1]
  const wanted = Buffer.alloc(1_000_000)
  const others = request('GET', '/health').repeat(30)
  for (const [i, length] of lengths.entries()) {
    const letter = String.fromCharCode(97 + i)
    wanted.fill(letter, 0, length)
    connection.send(request('PUT', `${target}&select=[0:${length}]`, headers, letter.repeat(length)), others)
  }
  connection.send(request('GET', target, { ...AUTHORIZATION, Accept: OCTETS }))
  for (let i = 0; i < 31 * lengths.length; i++) expect((await connection.answer())?.status).toBe(200)
  expect((await connection.answer())?.body.equals(wanted)).toBe(true)
})

test('an unknown protocol is not changed to', async () => {
  const connection = open()
  connection.send(
    request('GET', '/about'),
    request('GET', '/about', { Connection: 'Upgrade', Upgrade: 'websocket' }),
  )
  for (let i = 0; i < 2; i++) expect((await connection.answer())?.status).toBe(200)
  connection.send(request('GET', '/about'))
  expect((await connection.answer())?.status).toBe(200)
})

test('nothing is done behind a request that closes the connection', async () => {
  const domain = await newDomain()
  const target = inDomain(domain, `/groups/${domain.root}/attributes/late`)
  const connection = open()
  connection.send(
    request('GET', '/about', { Connection: 'close' }),
    request('PUT', target, AUTHORIZATION, JSON.stringify({ type: 'H5T_STD_I32LE', value: 1 })),
    request('GET', '/about'),
  )
  expect((await connection.answers()).map(({ status }) => status)).toEqual([200])
  expect((await domain.send('GET', `/groups/${domain.root}/attributes/late`)).status).toBe(404)
})

test('a refused upload behind another request gets its answer, and ends the connection', async () => {
  const connection = open()
  const upload = { ...AUTHORIZATION, 'Content-Type': OCTETS, 'Content-Length': '100000000' }
  connection.send(
    request('GET', '/about'),
    request('PUT', '/datasets/d-0/value?domain=/no/such.h5', upload),
    'x'.repeat(100_000),
  )
  const [first, second, ...others] = await connection.answers()
  expect([first?.status, second?.status, others]).toEqual([200, 404, []])
  expect(second?.head).toMatch(/^connection: close$/im)
})

test('a body behind another request is asked for when its turn comes', async () => {
  const domain = await newDomain()
  const target = inDomain(domain, `/groups/${domain.root}/attributes/a`)
  const body = JSON.stringify({ type: 'H5T_STD_I32LE', value: 1 })
  const headers = { ...AUTHORIZATION, Expect: '100-continue', 'Content-Length': String(body.length) }
  const connection = open()
  connection.send(request('GET', '/about'), request('PUT', target, headers))
  expect((await connection.answer())?.status).toBe(200)
  expect((await connection.answer())?.status).toBe(100)
  connection.send(body)
  expect((await connection.answer())?.status).toBe(201)
})

describe('what is not HTTP behind requests', () => {
  test('is answered behind their whole answers', async () => {
    const large = await values(await newDomain(), 5_000_000)
    const connection = open()
    connection.send(request('GET', '/about'), large, large, 'nonsense\r\n\r\n')
    const answers = await connection.answers()
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 400])
    expect(answers[2]?.body).toHaveLength(5_000_000)
    expect(JSON.parse(String(answers[3]?.body))).toMatchObject({ code: 'malformed-request' })
  })

  test('is sent instead of the answer, in the body of a request', async () => {
    const domain = await newDomain()
    const target = inDomain(domain, `/groups/${domain.root}/attributes/a`)
    const connection = open()
    const chunked = { ...AUTHORIZATION, 'Transfer-Encoding': 'chunked' }
    connection.send(request('GET', '/about'), request('PUT', target, chunked), 'nonsense\r\n')
    expect((await connection.answers()).map(({ status }) => status)).toEqual([200, 400])
  })
})

test.each(['localhost', 'elsewhere'])('a second Host header (%s) is refused', async host => {
  const connection = open()
  connection.send(request('GET', '/about', { HOST: host }), request('GET', '/about'))
  const refused = await connection.answer()
  expect(refused?.status).toBe(400)
  expect(JSON.parse(String(refused?.body))).toMatchObject({
    code: 'malformed-request',
    message: expect.stringMatching(/2 Host headers/),
  })
  expect((await connection.answer())?.status).toBe(200)
})

test('an absolute target has its own host and path, whatever the header Host says', async () => {
  const domain = await newDomain()
  const connection = open()
  const about = `http://elsewhere.example:80${inDomain(domain, '/?getdnids=1')}`
  connection.send(
    request('GET', about, AUTHORIZATION),
    request('GET', `HTTP://none.${BASE_DOMAIN}?x=1`),
    request('GET', `http://none.${BASE_DOMAIN}/s/${'x'.repeat(43)}/about`),
  )
  const answers = [await connection.answer(), await connection.answer(), await connection.answer()]
  expect(answers.map(answer => answer?.status)).toEqual([200, 404, 404])
  expect(String(answers[1]?.body)).toContain('/none')
  expect(String(answers[2]?.body)).not.toContain('xxx')
})

test.each(['ftp://elsewhere.example/about', 'https://user@elsewhere.example/about', '*'])(
  'the target %s is refused',
  async target => {
    const connection = open()
    connection.send(request('GET', target))
    const refused = await connection.answer()
    expect(refused?.status).toBe(400)
    expect(JSON.parse(String(refused?.body))).toMatchObject({ message: expect.stringContaining('slash') })
  },
)

test('a client that closes its side is not waited for', async () => {
  const domain = await newDomain()
  const target = inDomain(domain, `/groups/${domain.root}/attributes/half`)
  const connection = open()
  const headers = { ...AUTHORIZATION, 'Content-Length': '1000' }
  connection.send(request('PUT', target, headers), '{"type"')
  connection.socket.end()
  expect((await connection.answers()).filter(({ status }) => status < 400)).toEqual([])
})

// HEAD, and one range of an answer, of everything whose length is known (common 9; RFC 9110, 9.3.2 and 14), in both
// dialects.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newDomain as newClassicDomain } from './classic/domain.ts'
import { type Options, type Reply, send } from './client.ts'
import { makeHome, newDomain as newHsdsDomain } from './hsds/domain.ts'

beforeAll(makeHome)

const NUMBERS = Array.from({ length: 1000 }, (_, i) => i)
const OCTETS = { Accept: 'application/octet-stream' }

describe.each(['classic', 'hsds'] as const)('in the dialect %s', dialect => {
  type Domain = Awaited<ReturnType<typeof newClassicDomain>> | Awaited<ReturnType<typeof newHsdsDomain>>
  let domain: Domain
  let values: string

  beforeEach(async () => {
    domain = dialect === 'classic' ? await newClassicDomain() : await newHsdsDomain()
    const id = await domain.dataset({
      type: 'H5T_STD_I32LE',
      shape: [10, 100],
      link: { id: domain.root, name: 'd' },
    })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, {
      value: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(row => NUMBERS.slice(100 * row, 100 * row + 100)),
    })
    values = `/datasets/${id}/value`
  })

  const ask = (method: 'GET' | 'HEAD', target: string, headers: Options['headers'] = {}): Promise<Reply> =>
    domain.send(method, target, undefined, { headers })

  test('any range of selected values is that part of them, as bytes and as NPY', async () => {
    const forms: readonly (readonly [string, Record<string, string>])[] = [
      [values, OCTETS],
      [`${values}?select=[1:9:3,5:95:7]`, OCTETS],
      [`${values}?select=[1:9:3,5:95:7]&format=npy`, {}],
      [`${values}?format=npy`, {}],
    ]
    for (const [target, headers] of forms) {
      const whole = (await ask('GET', target, headers)).bytes
      for (let first = 0; first < whole.length; first += 1 + Math.floor(whole.length / 7)) {
        for (const length of [1, 3, 130, 2000]) {
          const part = await ask('GET', target, { ...headers, Range: `bytes=${first}-${first + length - 1}` })
          expect(part.status, part.story).toBe(206)
          expect(part.bytes.equals(whole.subarray(first, first + length)), part.story).toBe(true)
        }
      }
    }
  })

  test('HEAD has the status and the headers of GET, and no body', async () => {
    const forms: readonly (readonly [string, Record<string, string>])[] = [
      ['/', {}],
      [`/groups/${domain.root}`, {}],
      ['/datasets', {}],
      [values, {}],
      [values, OCTETS],
      [`${values}?format=npy`, {}],
      [`${values}?format=csv`, {}],
    ]
    for (const [target, headers] of forms) {
      const get = await ask('GET', target, headers)
      const head = await ask('HEAD', target, headers)
      expect([head.status, head.bytes.length], head.story).toEqual([200, 0])
      for (const name of ['etag', 'content-type', 'accept-ranges']) {
        expect(head.headers[name], `${name} of ${target}`).toBe(get.headers[name])
      }
      // The text of values is made while it is sent.
      const isText = target.includes('csv') || (target === values && headers !== OCTETS)
      expect(head.headers['accept-ranges'], target).toBe(isText ? undefined : 'bytes')
      expect(head.headers['content-length'], target).toBe(isText ? undefined : String(get.bytes.length))
      const known = { ...headers, 'If-None-Match': String(get.headers.etag) }
      expect((await ask('HEAD', target, known)).status).toBe(304)
    }
    expect(
      (await ask('HEAD', '/datasets/00000000-0000-0000-0000-000000000000')).status,
    ).toBeGreaterThanOrEqual(400)
    expect((await ask('HEAD', values, { ...OCTETS, Range: 'bytes=0-3' })).status).toBe(200)
  })

  test('a range is that part of the whole, with its place', async () => {
    for (const [target, headers] of [
      [values, OCTETS],
      [`${values}?format=npy`, {}],
      [`/groups/${domain.root}`, {}],
      ['/', {}],
    ] as const) {
      const whole = await ask('GET', target, headers)
      const { length } = whole.bytes
      for (const [range, first, last] of [
        ['bytes=0-0', 0, 0],
        ['bytes=3-41', 3, 41],
        [`bytes=${length - 5}-`, length - 5, length - 1],
        [`bytes=0-${10 * length}`, 0, length - 1],
        ['bytes=-7', length - 7, length - 1],
        [`bytes=-${length + 1}`, 0, length - 1],
      ] as const) {
        const part = await ask('GET', target, { ...headers, Range: range })
        expect(part.status, part.story).toBe(206)
        expect(part.headers['content-range']).toBe(`bytes ${first}-${last}/${length}`)
        expect(part.headers['content-length']).toBe(String(last - first + 1))
        expect(part.headers.etag).toBe(whole.headers.etag)
        expect(part.bytes.equals(whole.bytes.subarray(first, last + 1)), `${target} ${range}`).toBe(true)
      }
    }
  })

  test('a range behind the end is 416, which tells the length', async () => {
    const { bytes } = await ask('GET', values, OCTETS)
    for (const range of [`bytes=${bytes.length}-`, 'bytes=-0']) {
      const reply = await ask('GET', values, { ...OCTETS, Range: range })
      expect(reply.status, reply.story).toBe(416)
      expect(reply.headers['content-range']).toBe(`bytes */${bytes.length}`)
      expect(reply.headers.etag).toBeUndefined()
      expect(reply.json()).toMatchObject({ code: 'range-not-satisfiable' })
    }
  })

  test('a malformed range, several ranges and other units get the whole', async () => {
    for (const range of ['bytes=5-4', 'bytes=a-', 'bytes=0-1,4-5', 'rows=0-1', 'bytes']) {
      const reply = await ask('GET', values, { ...OCTETS, Range: range })
      expect([reply.status, reply.bytes.length], reply.story).toEqual([200, 4000])
      expect(reply.headers['content-range']).toBeUndefined()
    }
  })

  test('after a change If-Range gets the whole, If-Match 412, and the range alone another tag', async () => {
    const tag = String((await ask('GET', values, OCTETS)).headers.etag)
    const range = { ...OCTETS, Range: 'bytes=0-3' }
    expect((await ask('GET', values, { ...range, 'If-Range': tag })).status).toBe(206)
    expect((await ask('GET', values, { ...range, 'If-Match': tag })).status).toBe(206)
    expect((await ask('GET', values, { ...range, 'If-None-Match': tag })).status).toBe(304)
    await domain.want(200, 'PUT', values, { start: [0, 0], stop: [1, 1], value: [[7]] })
    const whole = await ask('GET', values, { ...range, 'If-Range': tag })
    expect([whole.status, whole.bytes.length]).toEqual([200, 4000])
    const refused = await ask('GET', values, { ...range, 'If-Match': tag })
    expect(refused.status, refused.story).toBe(412)
    expect(refused.json()).toMatchObject({ code: 'precondition-failed' })
    const alone = await ask('GET', values, range)
    expect([alone.status, alone.bytes.readInt32LE()]).toEqual([206, 7])
    expect(alone.headers.etag).not.toBe(tag)
  })

  test('the state of the domain is another one after each change, and no other time', async () => {
    const state = async () => (await ask('GET', '/')).json<{ state: string }>().state
    const before = await state()
    expect(before).toMatch(/^[0-9a-f]{32}$/)
    expect(await state()).toBe(before)
    const seen = new Set([before])
    const changes = [
      ['PUT', values, { start: [0, 0], stop: [1, 1], value: [[8]] }],
      ['PUT', `/groups/${domain.root}/attributes/a`, { type: 'H5T_STD_I8LE', value: 1 }],
      ['DELETE', `/groups/${domain.root}/attributes/a`, undefined],
      ['PUT', `/groups/${domain.root}/links/l`, { h5path: '/x' }],
      ['PUT', '/acls/test_user2', { read: true }],
    ] as const
    for (const [method, target, body] of changes) {
      const reply = await domain.send(method, target, body)
      expect([200, 201], reply.story).toContain(reply.status)
      expect(seen.has(await state()), `${method} ${target}`).toBe(false)
      seen.add(await state())
    }
  })
})

test('pages have HEAD and ranges, and a browser may read the headers of a range', async () => {
  const whole = await send('GET', '/docs')
  const head = await send('HEAD', '/docs')
  expect(head.headers['content-length']).toBe(String(whole.bytes.length))
  const headers = { Range: 'bytes=10-19', Origin: 'https://pages.example' }
  const part = await send('GET', '/docs', undefined, { headers })
  expect(part.status, part.story).toBe(206)
  expect(part.bytes.equals(whole.bytes.subarray(10, 20))).toBe(true)
  expect(part.headers['access-control-expose-headers']).toMatch(/Accept-Ranges, Content-Range/)
})

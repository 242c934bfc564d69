// A body as JSON: the same whether it is short or long, and other work runs while a long one is parsed.

import { Readable } from 'node:stream'
import { parseJson, splitValueBody, stringifyJson } from '@hyperslab/model/json'
import { afterEach, expect, test, vi } from 'vitest'
import { RequestBody } from './request-body.ts'

const LIMIT = 16 << 20
const bodies: RequestBody[] = []

afterEach(async () => {
  for (const body of bodies.splice(0)) await body.close()
})

/** A body that comes from a socket, without its length. */
function bodyOf(text: string, limit = LIMIT): RequestBody {
  const bytes = Buffer.from(text)
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 65_536) pieces.push(bytes.subarray(at, at + 65_536))
  const body = new RequestBody(
    Readable.from(pieces),
    { 'transfer-encoding': 'chunked' },
    limit,
    () => {},
    () => {},
  )
  bodies.push(body)
  return body
}

const ITEMS = Array.from({ length: 100_000 }, (_, number) => ({ name: `größe ${number}`, number }))
const LONG = stringifyJson(ITEMS)

/** How often other work ran meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(function again() {
    turns++
    next = setImmediate(again)
  })
  await work()
  clearImmediate(next)
  return turns
}

test('a long body is parsed in turns', async () => {
  let json: unknown
  const turns = await turnsDuring(async () => {
    json = await bodyOf(LONG).json()
  })
  expect(json).toHaveLength(ITEMS.length)
  expect(stringifyJson(json as [])).toBe(LONG)
  expect(turns).toBeGreaterThan(10)
})

test('so is one that was spooled', async () => {
  const body = bodyOf(LONG)
  const spooled = await body.spool()
  let json: unknown
  const turns = await turnsDuring(async () => {
    json = await body.jsonOf(spooled)
  })
  expect(stringifyJson(json as [])).toBe(LONG)
  expect(turns).toBeGreaterThan(10)
})

test('an error has its offset, however far from the start', async () => {
  const text = `${LONG.slice(0, -1)},]`
  const message = `malformed JSON at character ${text.length - 1}: expected a value, found "]"`
  await expect(bodyOf(text).json()).rejects.toThrow(message)
  await expect(bodyOf(LONG.slice(0, -1)).json()).rejects.toThrow('found the end')
})

test.each([
  ['a string', `{"a":"${'x'.repeat(6 << 20)}"}`],
  ['a string with escapes', `{"a":"${'\\n'.repeat(3 << 20)}"}`],
  ['a name', `{"${'x'.repeat(6 << 20)}":1}`],
  ['blanks', `[${' '.repeat(6 << 20)}1]`],
])('%s that is long is parsed in turns', async (_, text) => {
  const body = bodyOf(text)
  let json: unknown
  const turns = await turnsDuring(async () => {
    json = await body.json()
  })
  expect(stringifyJson(json as [])).toBe(stringifyJson(parseJson(text)))
  // Done at the end in one go, it would have had the turns of what comes in alone.
  expect(turns).toBeGreaterThan(2)
})

test('takeMemory gets the size of the values, whichever way they are read', async () => {
  const text = `{"a":[${'{},'.repeat(100_000)}1]}`
  const refuse = () => {
    throw new Error('too much')
  }
  const pieces = () => Readable.from([Buffer.from(text)])
  const chunked = { 'transfer-encoding': 'chunked' }
  const announced = { 'content-length': String(text.length) }
  await expect(new RequestBody(pieces(), chunked, LIMIT, () => {}, refuse).json()).rejects.toThrow('too much')
  const held = new RequestBody(pieces(), announced, LIMIT, () => {}, refuse)
  await held.hold(LIMIT)
  await expect(held.json()).rejects.toThrow('too much')
  const spooled = new RequestBody(pieces(), chunked, LIMIT, () => {}, refuse)
  await expect(spooled.jsonOf(await spooled.spool())).rejects.toThrow('too much')
  const split = splitValueBody(
    await new RequestBody(pieces(), chunked, LIMIT, () => {}, refuse).spool(),
    LIMIT,
    held.memory,
  )
  await expect(split).rejects.toThrow('too much')
})

test('a body that has arrived whole is held without waiting, under the same rules', async () => {
  const arrived = (headers: Record<string, string>) => {
    const stream = new Readable({ read() {} })
    stream.push('[1, ')
    stream.push('2]')
    stream.push(null)
    return new RequestBody(
      Object.assign(stream, { complete: true }),
      headers,
      LIMIT,
      () => {},
      () => {},
    )
  }
  const body = arrived({ 'content-length': '6' })
  expect(await turnsDuring(() => body.hold(LIMIT))).toBe(0)
  expect(body.received).toBe(6)
  expect(await body.json()).toEqual([1, 2])
  const chunked = arrived({ 'transfer-encoding': 'chunked' })
  await expect(chunked.buffer(5)).rejects.toHaveProperty('code', 'body-too-large')
  const zipped = arrived({ 'content-length': '6', 'content-encoding': 'gzip' })
  await expect(zipped.hold(LIMIT)).rejects.toHaveProperty('code', 'unsupported-media-type')
})

test('an empty body is no JSON', async () => {
  expect(await bodyOf('').json()).toBeUndefined()
})

test('more than the limit is refused, whether its length is announced or not', async () => {
  await expect(bodyOf('[1, 2]', 6).json()).resolves.toEqual([1, 2])
  await expect(bodyOf('[1, 23]', 6).json()).rejects.toHaveProperty('code', 'body-too-large')
  const announced = () =>
    new RequestBody(
      Readable.from([]),
      { 'content-length': '7' },
      6,
      () => {},
      () => {},
    )
  await expect(announced().json()).rejects.toHaveProperty('code', 'body-too-large')
  const held = new RequestBody(
    Readable.from([Buffer.from('[1, 23]')]),
    { 'content-length': '7' },
    6,
    () => {},
    () => {},
  )
  expect(await held.hold(100)).toBe(true)
  await expect(held.json()).rejects.toHaveProperty('code', 'body-too-large')
})

test.each(['gzip', 'identity, gzip', 'br'])('a body with the content coding %s is not read', async coding => {
  const headers = { 'content-encoding': coding, 'transfer-encoding': 'chunked' }
  const invite = vi.fn()
  const read = (work: (body: RequestBody) => Promise<unknown>) =>
    work(new RequestBody(Readable.from([Buffer.from('{}')]), headers, LIMIT, invite, () => {}))
  for (const work of [
    (body: RequestBody) => body.json(),
    (body: RequestBody) => body.buffer(LIMIT),
    (body: RequestBody) => body.spool(),
  ]) {
    await expect(read(work)).rejects.toThrow(`Content-Encoding: ${coding}: a body must be sent as it is`)
  }
  expect(invite).not.toHaveBeenCalled()
})

test.each(['identity', 'Identity ', ''])('the content coding %j is none', async coding => {
  const headers = { 'content-encoding': coding, 'content-length': '2' }
  const body = new RequestBody(
    Readable.from([Buffer.from('{}')]),
    headers,
    LIMIT,
    () => {},
    () => {},
  )
  expect(await body.json()).toEqual(new Map())
})

// Opening blobs in S3: wrong settings are one line that names the setting and what to do, and a place that belongs to
// another store is refused.

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openS3Blobs,
  type S3BlobsEngine,
  type S3BlobsOptions,
} from '../../packages/store/engines/s3/open-s3-blobs.ts'
import { environmentOf, type Fault, type S3Server, startS3Server } from '../servers/s3-server.ts'
import { SECRET } from '../servers/s3-signature.ts'

const PLACE = 's3://bucket/of/tests'
const MARK = 'bucket/of/tests/hyperslab.json'
const MARKED = '{"format":1,"store":"first"}\n'

let server: S3Server
const engines: S3BlobsEngine[] = []

beforeEach(async () => {
  server = await startS3Server()
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map(engine => engine.close()))
  await server.close()
})

/** Limits of an engine that soon gives up, where the store fails. */
const IMPATIENT = { timeout: 300, deadline: 400 }

async function open(address = PLACE, options: S3BlobsOptions = {}): Promise<S3BlobsEngine> {
  const engine = await openS3Blobs(address, { environment: environmentOf(server), settle: 0, ...options })
  engines.push(engine)
  return engine
}

describe('settings that are wrong', () => {
  it.each<[string, string, NodeJS.ProcessEnv, string]>([
    ['a bucket that is not there', 's3://another', {}, 'there is no such bucket at http://127.0.0.1'],
    ['no bucket', 's3://', {}, 's3:// must be s3:// and the name of a bucket'],
    ['a name of a bucket with blanks', 's3://a b', {}, 'must be s3://'],
    ['another key', PLACE, { AWS_ACCESS_KEY_ID: 'AKIDOTHER' }, 'check AWS_ACCESS_KEY_ID'],
    ['another secret', PLACE, { AWS_SECRET_ACCESS_KEY: `${SECRET}2` }, '(SignatureDoesNotMatch): check AWS'],
    ['half of a key', PLACE, { AWS_SECRET_ACCESS_KEY: undefined }, 'must be set together'],
    [
      'no key',
      PLACE,
      { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined },
      'wants a key (AccessDenied): set AWS_ACCESS_KEY_ID',
    ],
    ['an address where nothing answers', PLACE, { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' }, 'ECONNREFUSED'],
    ['no address', PLACE, { AWS_ENDPOINT_URL: 'here' }, 'must be an address that begins with http'],
    [
      'a user in the address',
      PLACE,
      { AWS_ENDPOINT_URL: `http://ann:hidden-word@127.0.0.1:9` },
      'check AWS_ENDPOINT_URL',
    ],
  ])('%s', async (_name, address, variables, message) => {
    const environment = { ...environmentOf(server), ...variables }
    const error = await open(address, { environment }).catch((error: unknown) => error)
    expect(String(error)).toContain(message)
    expect(String(error)).toMatch(/Error: blobs: [^\n]*$/)
    expect(String(error)).not.toMatch(new RegExp(`${SECRET}|hidden-word`))
  })

  it.each<[string, Fault, string]>([
    ['another region', { status: 400, headers: { 'x-amz-bucket-region': 'eu-1' } }, 'set AWS_REGION'],
    ['a server that is no S3 store', { status: 200, code: 'x' }, 'is not a listing'],
    ['a server that fails', { status: 500 }, 'answers 500'],
    ['a server that does not answer', 'stall', 'nothing arrived'],
    ['a key without permissions', { status: 403, code: 'AccessDenied' }, 'allow s3:ListBucket'],
  ])('%s', async (_name, fault, message) => {
    server.plan = () => fault
    await expect(open(PLACE, IMPATIENT)).rejects.toThrow(message)
  })

  it('a folder of the cache that is a file', async () => {
    const cache = { folder: '/dev/null/cache', maxBytes: 1 }
    await expect(open(PLACE, { cache })).rejects.toThrow('blobs: the folder of the cache cannot be used')
  })
})

describe('the mark', () => {
  const mark = (text: string) => server.objects.set(MARK, { bytes: Buffer.from(text), metadata: {} })

  it('is written once, and is not a blob', async () => {
    const place = await (await open()).claim({ id: 'first' })
    const written = JSON.parse(server.objects.get(MARK)?.bytes.toString() ?? '')
    expect(written).toEqual({ format: 1, store: 'first', place })
    expect(place).toMatch(/^[0-9a-f]{32}$/)
    const again = await open()
    server.requests.length = 0
    expect(await again.claim({ id: 'first', place })).toBe(place)
    expect(server.requests.filter(request => request.startsWith('PUT'))).toEqual([])
    expect((await again.blobs.list('')[Symbol.asyncIterator]().next()).done).toBe(true)
  })

  it.each<[string, string, string]>([
    ['another store', MARKED, 'belongs to another store ("first"'],
    ['another format', '{"format":2,"store":"second"}', 'should hold {"format":1,"store":...} but holds'],
    ['no mark', 'hello', 'but holds "hello"'],
    ['nothing', '', 'but holds ""'],
  ])('of %s is refused', async (_name, text, message) => {
    mark(text)
    const work = (await open()).claim({ id: 'second' })
    await expect(work).rejects.toThrow(message)
    await expect(work).rejects.toThrow(/^blobs: [^\n]*use another/)
  })

  it('is not written beside blobs that have none', async () => {
    const engine = await open()
    await engine.blobs.put('ab/01', [Buffer.from('x')])
    await expect(engine.claim({ id: 'first' })).rejects.toThrow(
      'blobs: s3://bucket/of/tests holds blobs but no hyperslab.json',
    )
    expect(server.objects.has(MARK)).toBe(false)
  })

  it('of two stores at the same moment, one has the location', async () => {
    const settle = 1000
    const [one, other] = [await open(PLACE, { settle }), await open(PLACE, { settle })]
    const results = await Promise.allSettled([one.claim({ id: 'first' }), other.claim({ id: 'second' })])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await Promise.all(
      [one.claim({ id: 'second' }), other.claim({ id: 'second' })].map(work => work.catch(() => undefined)),
    )
    const same = await Promise.allSettled(
      ['a', 'a'].map(async id => (await open('s3://bucket/b', { settle })).claim({ id })),
    )
    const { place } = JSON.parse(server.objects.get('bucket/b/hyperslab.json')?.bytes.toString() ?? '')
    expect(same).toEqual(Array(2).fill({ status: 'fulfilled', value: place }))
  })

  it('is that of the process that wrote it last, for all that open a new store at once', async () => {
    mark(MARKED)
    const sleep = async () => void mark('{"format":1,"store":"first","place":"of-another-process"}')
    const engine = await open(PLACE, { clock: { sleep } })
    expect(await engine.claim({ id: 'first' })).toBe('of-another-process')
  })

  it('of an older version has no id of the location', async () => {
    mark(MARKED)
    expect(await (await open()).claim({ id: 'first' })).toBe('')
  })

  it('cannot be read while the store fails', async () => {
    const engine = await open(PLACE, IMPATIENT)
    server.plan = () => ({ status: 503, code: 'SlowDown' })
    await expect(engine.claim({ id: 'first' })).rejects.toMatchObject({ code: 'storage-failed' })
  })
})

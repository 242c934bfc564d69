// Against a bucket in memory that checks signatures by the rules of Signature Version 4. The rules themselves are
// checked with the example of their specification.

import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseListing } from '@hyperslab/base/outgoing'
import { compareUtf8, parseDomainPath } from '@hyperslab/model/names'
import type { Page } from '@hyperslab/store/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RangeServer, startRangeServer } from '../../../../test/fixtures/range-server.ts'
import { SECRET, signatureOf } from '../../../../test/servers/s3-signature.ts'
import type { Mount } from '../mount.ts'
import { openRemoteMount } from './open-remote-mount.ts'

const HDF5 = Buffer.concat([Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'), Buffer.alloc(600)])

let server: RangeServer
let pageSize: number
let refusedSignatures: number
const keys = new Map<string, Buffer>()
const open: Mount[] = []

beforeEach(async () => {
  server = await startRangeServer()
  pageSize = 1000
  refusedSignatures = 0
  keys.clear()
  server.intercept = answer
})

afterEach(async () => {
  for (const mount of open.splice(0)) await mount.close()
  await server.close()
})

function answer(request: IncomingMessage, response: ServerResponse): boolean {
  const { authorization } = request.headers
  const target = request.url ?? ''
  const signature = authorization && signatureOf({ method: 'GET', target, headers: request.headers })
  if (signature && !authorization.endsWith(`Signature=${signature}`)) {
    refusedSignatures++
    response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
    return true
  }
  const { pathname, searchParams } = new URL(target, server.address)
  if (pathname !== '/bucket') return false
  response.end(listing(searchParams))
  return true
}

function listing(parameters: URLSearchParams): string {
  const [prefix, after] = [
    parameters.get('prefix') ?? '',
    parameters.get('continuation-token') ?? parameters.get('start-after'),
  ]
  const limit = Math.min(pageSize, Number(parameters.get('max-keys') ?? pageSize))
  const items = new Map<string, string>()
  for (const [key, bytes] of keys) {
    if (!key.startsWith(prefix)) continue
    const slash = parameters.has('delimiter') ? key.indexOf('/', prefix.length) : -1
    const name = slash < 0 ? key : key.slice(0, slash + 1)
    const encoded = encodeURIComponent(name).replaceAll('%20', '+')
    const etag = `&quot;${createHash('md5').update(bytes).digest('hex')}&quot;`
    const item =
      slash < 0
        ? `<Contents><Key>${encoded}</Key><ETag>${etag}</ETag><Size>${bytes.length}</Size></Contents>`
        : `<CommonPrefixes><Prefix>${encoded}</Prefix></CommonPrefixes>`
    if (after === null || compareUtf8(name, after) > 0) items.set(name, item)
  }
  const sorted = [...items].sort(([one], [other]) => compareUtf8(one, other))
  const page = sorted.slice(0, limit)
  const next =
    sorted.length > limit ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : ''
  const head = `<EncodingType>url</EncodingType><IsTruncated>${next !== ''}</IsTruncated>${next}`
  return `<?xml version="1.0"?><ListBucketResult xmlns="http://s3">${head}${page.map(([, xml]) => xml).join('')}</ListBucketResult>`
}

function put(key: string, bytes = HDF5): void {
  keys.set(key, bytes)
  server.files.set(`/bucket/${key.split('/').map(encodeURIComponent).join('/')}`, { bytes })
}

function mountOf(source: string, environment: NodeJS.ProcessEnv = {}): Mount {
  const mount = openRemoteMount(source, parseDomainPath('/lab'), {
    environment: { AWS_ENDPOINT_URL: server.address, ...environment },
  })
  open.push(mount)
  return mount
}

async function childrenOf(mount: Mount, path: string, page?: Page): Promise<string[]> {
  const children: string[] = []
  for await (const { kind, path: child } of mount.children(parseDomainPath(path), page))
    children.push(`${kind} ${child}`)
  return children
}

const ODD = 'åäö 日本 \u{1f600} +&=%2B;,@:$ (1)!\'*~".h5'
const KEY = { AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE', AWS_SECRET_ACCESS_KEY: SECRET }

describe('the signature that the bucket of these tests asks for', () => {
  it('is that of the specification', () => {
    const headers = {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
      authorization:
        'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=',
    }
    expect(signatureOf({ method: 'GET', target: '/test.txt', headers })).toBe(
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    )
  })
})

describe('a mount of a bucket', () => {
  it.each([
    ['signed', KEY],
    ['signed for a session', { ...KEY, AWS_SESSION_TOKEN: 'token/+=', AWS_REGION: 'eu-north-1' }],
    ['anonymous', {}],
  ])('lists and reads what is below its prefix: %s', async (_name, environment) => {
    for (const key of [
      'a.h5',
      'p/run-1.h5',
      'p/run/in.h5',
      `p/${ODD}`,
      `p/${ODD}/deep/x.h5`,
      'p/.hidden.h5',
      'p//x.h5',
      'p/',
      'p/a\\b',
    ])
      put(key)
    put('p/empty', Buffer.alloc(0))
    put('p/notes.txt', Buffer.from('no HDF5 file'))
    const mount = mountOf('s3://bucket/p/', environment)
    expect(await childrenOf(mount, '/lab')).toEqual([
      'folder /lab/run',
      'file /lab/run-1.h5',
      `file /lab/${ODD}`,
    ])
    expect(await childrenOf(mount, '/lab/run')).toEqual(['file /lab/run/in.h5'])
    expect(await childrenOf(mount, `/lab/${ODD}`)).toEqual([`folder /lab/${ODD}/deep`])
    expect(await childrenOf(mount, '/lab', { marker: 'run', prefix: 'run' })).toEqual(['file /lab/run-1.h5'])
    const found = await mount.find(parseDomainPath(`/lab/${ODD}`))
    expect(found).toMatchObject({ kind: 'file', size: HDF5.length })
    expect(await mount.find(parseDomainPath('/lab/run'))).toMatchObject({ kind: 'folder' })
    for (const path of ['/lab/notes.txt', '/lab/.hidden.h5', '/lab/none', '/lab/ru', '/lab/empty']) {
      expect(await mount.find(parseDomainPath(path))).toBeUndefined()
    }
    expect(refusedSignatures).toBe(0)
  })

  it('lists in the order of names over many pages', async () => {
    const names = [
      'a',
      'a-b',
      'a.h5',
      'b',
      'b!',
      'b#/',
      'b/',
      'c-1',
      'c-1-2',
      'c-1/',
      'c-2',
      'c/',
      '日',
      '\uffee',
      '\u{1f600}',
    ]
    for (const name of names) put(name.endsWith('/') ? `${name}x.h5` : name)
    const sorted = [...new Set(names.map(name => name.replace('/', '')))].sort(compareUtf8)
    for (pageSize of [1, 2, 3, 100]) {
      const listed = await childrenOf(mountOf('s3://bucket'), '/lab')
      expect(listed.map(child => child.slice(child.indexOf('/lab/') + 5))).toEqual(sorted)
    }
  })

  it('takes the state of a file from the listing, once its signature was read', async () => {
    for (let index = 0; index < 20; index++) put(`${index}.h5`)
    const mount = openRemoteMount('s3://bucket', parseDomainPath('/lab'), {
      environment: { AWS_ENDPOINT_URL: server.address },
      maxAge: 0,
    })
    open.push(mount)
    expect(await childrenOf(mount, '/lab')).toHaveLength(20)
    const { length } = server.requests
    put('3.h5', Buffer.concat([HDF5, HDF5]))
    expect(await childrenOf(mount, '/lab')).toHaveLength(20)
    const again = server.requests.slice(length)
    expect(again.filter(request => request.includes('.h5'))).toEqual([
      'GET /bucket/3.h5 bytes=0-7',
      'GET /bucket/3.h5 bytes=0-99',
    ])
  })

  it('opens siblings below the prefix only', async () => {
    for (const key of ['p/x/a.h5', 'p/x/raw +.bin', 'p/b.h5', 'secret.bin', 'pp/secret.bin']) put(key)
    const found = await mountOf('s3://bucket/p').find(parseDomainPath('/lab/x/a.h5'))
    if (found?.kind !== 'file') throw new Error('it must be there')
    const { openSibling } = await found.open()
    expect(await openSibling('raw +.bin')).toMatchObject({ path: 'raw +.bin' })
    expect(await (await openSibling('../b.h5'))?.openSibling('x/a.h5')).toBeDefined()
    for (const name of [
      '../../secret.bin',
      '../../pp/secret.bin',
      '/bucket/secret.bin',
      'none',
      '..',
      '.',
      '',
    ]) {
      expect(await openSibling(name)).toBeUndefined()
    }
    // The last part of the absolute name was looked for beside the file.
    const secrets = server.requests.filter(request => request.includes('secret'))
    expect(secrets.every(request => request.includes('/bucket/p/x/secret.bin'))).toBe(true)
    expect(await openSibling('/beamline/raw +.bin')).toBeDefined()
    const mount = mountOf('s3://bucket/p')
    const locate = (name: string) => mount.locate(parseDomainPath('/lab/x/a.h5'), name)
    expect(await locate('../b.h5')).toBe('/lab/b.h5')
    expect(await locate('raw +.bin')).toBe('/lab/x/raw +.bin')
    for (const name of ['../../secret.bin', '/p/b.h5', 'a\\b']) expect(await locate(name)).toBeUndefined()
  })

  it('says why the bucket cannot be read', async () => {
    const wrong = mountOf('s3://bucket', { ...KEY, AWS_SECRET_ACCESS_KEY: 'wrong' })
    await expect(childrenOf(wrong, '/lab')).rejects.toMatchObject({
      code: 'file-unreadable',
      message:
        '/lab cannot be read: its bucket cannot be listed: its server answers 403 SignatureDoesNotMatch',
    })
    server.intercept = (_request, response) => {
      response.writeHead(301, { 'x-amz-bucket-region': 'eu-west-1', location: 'http://other.example/' }).end()
      return true
    }
    await expect(childrenOf(mountOf('s3://bucket'), '/lab')).rejects.toThrow(
      '/lab cannot be read: its bucket is in the region eu-west-1: set AWS_REGION to it',
    )
  })

  it.each([
    [
      { AWS_ACCESS_KEY_ID: 'a' },
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together, or neither',
    ],
    [
      { AWS_ENDPOINT_URL: 'minio:9000' },
      'AWS_ENDPOINT_URL must be an address that begins with http:// or https://',
    ],
  ])('refuses the settings %j', (environment, message) => {
    expect(() => mountOf('s3://bucket', environment)).toThrow(message)
  })
})

describe('a listing', () => {
  it('may have keys without encoding', () => {
    const xml =
      '<ListBucketResult><Contents><Key>a&amp;b+%20&#x41;&#66;&lt;&unknown;</Key><Size>3</Size></Contents></ListBucketResult>'
    expect(parseListing(xml)?.objects).toEqual([
      { key: 'a&b+%20AB<&unknown;', listed: { etag: undefined, size: 3 } },
    ])
  })

  it.each(['', '<html>', '<Error><Code>x</Code></Error>'])('is not %j', xml => {
    expect(parseListing(xml)).toBeUndefined()
  })

  it('leaves out keys that are not UTF-8, and ends where it is cut off', () => {
    const xml =
      '<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>%ff</Key></Contents><Contents><Key>a'
    expect(parseListing(xml)).toEqual({ objects: [], prefixes: [] })
  })
})

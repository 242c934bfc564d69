// Mounted files that change while an answer is made of them: the answer is of one state, or it is no answer.

import { HyperslabError } from '@hyperslab/base/errors'
import { parseCreationProperties } from '@hyperslab/model/dataset'
import { parseDatatype } from '@hyperslab/model/datatype'
import { formatPrefixed, idFromHex, type ObjectId, parseDomainPath, rootOf } from '@hyperslab/model/names'
import { EMPTY_HEAP } from '@hyperslab/model/values'
import { openStore, storeClock, systemRandom } from '@hyperslab/store/engines'
import type { Dataset, Group, MountedDomain, MountedReads } from '@hyperslab/store/store'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openMemoryEngine } from '../../../../test/engines/memory.ts'
import { listening, serverOf } from '../../../../test/fixtures/server.ts'
import { READ_ONLY_PERMISSIONS } from '../../service/access/access.ts'

const PATH = parseDomainPath('/m')
const DATASET = idFromHex('0123456789abcdef0000000000000060')
const ROOT = rootOf(DATASET)
const PIECE = 1 << 20
const PIECES = 8
const TIMES = { created: 1, lastModified: 1 }

const group: Group = {
  kind: 'group',
  id: ROOT,
  created: 1,
  acl: [{ userName: 'default', ...READ_ONLY_PERMISSIONS }],
}
const type = parseDatatype('H5T_STD_I8LE')
const space = { class: 'H5S_SIMPLE', dims: [PIECES * PIECE] } as const
const dataset = {
  ...{ kind: 'dataset', id: DATASET, created: 1, acl: [], type, space },
  creationProperties: parseCreationProperties(undefined, type, space),
} as unknown as Dataset

/** The file has one state after the other: each of its elements is the number of the state. */
let state = 1
let reads = 0
/** Called when a number of pieces of values have been read, -1: when an object has. */
let onRead: (pieces: number) => void = () => undefined

function begin(): MountedReads {
  const [stateAtBegin, number] = [state, ++reads]
  const contents = {
    object(id: ObjectId) {
      if (id === DATASET && number === reads) onRead(-1)
      return Promise.resolve(id === DATASET ? dataset : group)
    },
    status: () => Promise.resolve({ ...TIMES, linkCount: 0, attributeCount: 0, version: `v${stateAtBegin}` }),
    async *readPieces(_: Dataset, selection: { count: readonly number[] }) {
      let left = selection.count[0] ?? 0
      for (let pieces = 0; left > 0; pieces++) {
        const data = new Uint8Array(Math.min(left, PIECE)).fill(state)
        left -= data.length
        onRead(pieces + 1)
        yield { count: data.length, data, heap: EMPTY_HEAP }
      }
    },
  } as unknown as MountedDomain
  return {
    areUsed: true,
    domain: async path =>
      path === PATH
        ? { path, root: ROOT, ...TIMES, readOnly: true, closed: false, mounted: true }
        : undefined,
    joined: async entry => ({ entry, storedDomains: [] }),
    locate: async () => undefined,
    async *children() {},
    contents: () => contents,
    async *readReferenced() {},
    requireUnchanged() {
      if (state === stateAtBegin) return undefined
      return Promise.reject(new HyperslabError('file-changed', 'the file was changed'))
    },
    finish: async () => undefined,
    close: () => undefined,
  }
}

const store = openStore(openMemoryEngine(), {
  ...{ clock: storeClock(), random: systemRandom, sweeps: false },
  mounts: {
    begin,
    look: async () => undefined,
    reviewJoin: () => Promise.reject(new Error('nothing is joined')),
    joinStored: () => () => undefined,
    close: async () => undefined,
  },
})
const logged: string[] = []
const server = serverOf(store, { log: pino({ level: 'warn' }, { write: line => logged.push(line) }) })
let base = ''

beforeAll(async () => {
  base = await listening(server)
})

afterAll(async () => {
  await server.close()
  await store.close()
})

beforeEach(() => {
  state = 1
  reads = 0
  logged.length = 0
  onRead = () => undefined
})

const id = formatPrefixed({ kind: 'dataset', id: DATASET })
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${base}${path}${path.includes('?') ? '&' : '?'}domain=/m`, { headers })
const OCTETS = { accept: 'application/octet-stream' }

const ANSWERS: readonly [string, string, Record<string, string>][] = [
  ['a short answer', `/datasets/${id}`, {}],
  ['values as JSON', `/datasets/${id}/value?select=[0:9]`, {}],
  ['values as bytes', `/datasets/${id}/value?select=[0:9]`, OCTETS],
]

describe.each(ANSWERS)('%s', (_, path, headers) => {
  it('is made again when the file has changed', async () => {
    let changes = 2
    onRead = () => {
      if (changes-- > 0) state++
    }
    const response = await get(path, headers)
    expect([response.status, state]).toEqual([200, 3])
    expect(response.headers.get('content-type')?.split(',')).toHaveLength(1)
    if (headers === OCTETS)
      expect([...new Uint8Array(await response.arrayBuffer())]).toEqual(Array(9).fill(3))
    else if (path.includes('value')) expect(await response.json()).toMatchObject({ value: Array(9).fill(3) })
    expect(reads).toBeGreaterThan(1)
  })

  it('is an error when the file changes each time', async () => {
    onRead = () => state++
    const response = await get(path, headers)
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toMatchObject({ code: 'file-changed' })
    expect(reads).toBe(4)
  })

  it('with a tag that the client has is confirmed too', async () => {
    const etag = (await get(path, headers)).headers.get('etag') ?? ''
    expect((await get(path, { ...headers, 'if-none-match': etag })).status).toBe(304)
    reads = 0
    onRead = () => state++
    expect((await get(path, { ...headers, 'if-none-match': etag })).status).toBe(503)
  })
})

describe('an answer of which some is sent', () => {
  it.each<[string, Record<string, string>]>([
    ['of a length that is known', OCTETS],
    ['of a length that is not', {}],
  ])('%s, comes whole from a file that stays', async (_, headers) => {
    const response = await get(`/datasets/${id}/value`, headers)
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThanOrEqual(PIECES * PIECE)
    expect(reads).toBe(1)
  })

  it.each<[string, Record<string, string>, number]>([
    ['of a length that is known', OCTETS, 2],
    ['of a length that is known, at its last piece', OCTETS, PIECES],
    ['of a length that is not', {}, 6],
    ['of a length that is not, at its last piece', {}, PIECES],
  ])('%s, breaks off when the file changes, and the log says why', async (_, headers, piece) => {
    onRead = pieces => {
      if (pieces === piece) state = 2
    }
    const response = await get(`/datasets/${id}/value`, headers)
    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow()
    expect(reads).toBe(1)
    expect(logged).toEqual([expect.stringContaining('an answer was interrupted: the file was changed')])
  })
})

describe('what seems to be damaged', () => {
  function failing(changes: boolean): void {
    onRead = () => {
      if (state > 1) return
      if (changes) state++
      throw new HyperslabError('file-damaged', 'half of it is new')
    }
  }

  it.each(ANSWERS)('is read again when the file has changed: %s', async (_, path, headers) => {
    failing(true)
    expect((await get(path, headers)).status).toBe(200)
  })

  it.each(ANSWERS)('is an error otherwise: %s', async (_, path, headers) => {
    failing(false)
    const response = await get(path, headers)
    expect(await response.json()).toMatchObject({ code: 'file-damaged' })
    expect(reads).toBe(1)
  })
})

it('a request with a body is run again with the same body', async () => {
  let changes = 1
  onRead = () => {
    if (changes-- > 0) state++
  }
  const response = await fetch(`${base}/datasets/${id}/value?domain=/m`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ select: '[0:3]' }),
  })
  expect(await response.json()).toMatchObject({ value: [2, 2, 2] })
})

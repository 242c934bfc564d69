import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listening, openMemoryStore, serverOf } from '../../test/fixtures/server.ts'
import { HyperslabError } from '../errors.ts'
import type { H5FileReader } from '../h5file/reader.ts'
import { parseDnsName, parseDomainPath } from '../hdf5/domain-path.ts'
import { READ_ONLY_PERMISSIONS } from '../service/access/access.ts'
import { importFile } from '../transfer/import-file.ts'
import { type HttpTargetOptions, openHttpTarget } from './remote-target.ts'
import { foreseen } from './usage-error.ts'

const store = openMemoryStore()
const open = serverOf(store)
const closed = serverOf(store, { service: { defaultAcl: READ_ONLY_PERMISSIONS } })
const endpoints = { open: '', closed: '' }

beforeAll(async () => {
  endpoints.open = `${await listening(open)}/`
  endpoints.closed = await listening(closed)
})

afterAll(async () => {
  await open.close()
  await closed.close()
  await store.close()
})

/** A file of one dataset that cannot be read to its end. */
const DAMAGED: H5FileReader = {
  root: 'root',
  warnings: [],
  pathOf: address => address,
  object: async address => ({ address, kind: address === 'root' ? 'group' : 'dataset' }),
  links: async () => [{ title: 'data', class: 'H5L_TYPE_HARD', address: 'data' }],
  async *attributes() {},
  dataset: async () => ({
    type: { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' },
    space: { class: 'H5S_SIMPLE', dims: [4] },
    creationProperties: {
      json: new Map(),
      given: false,
      layout: 'H5D_CONTIGUOUS',
      chunkDims: [4],
      filters: [],
    },
  }),
  datatype: async () => ({ class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' }),
  storedChunks: async () => undefined,
  async readValues() {
    throw new HyperslabError('file-damaged', 'the file is damaged')
  },
  async close() {},
}

function targetAt(endpoint: string, dnsName: string, more: Partial<HttpTargetOptions> = {}) {
  return openHttpTarget({ endpoint, dnsName, path: parseDnsName(dnsName, 'example.org'), ...more })
}

const options = { signal: new AbortController().signal, progress: () => {}, requireUnchanged: () => {} }

describe('an import over HTTP', () => {
  it('deletes the domain when it fails', async () => {
    const target = await targetAt(endpoints.open, 'damaged.example.org')
    await expect(importFile(DAMAGED, target, options)).rejects.toThrow('the file is damaged')
    const path = parseDomainPath('/damaged')
    expect(await store.read(reader => reader.domain(path))).toBeUndefined()
  })

  it('leaves out a fill value that the file does not use', async () => {
    const json = new Map([['fillValue', 7]])
    const file: H5FileReader = {
      ...DAMAGED,
      async dataset(address) {
        const dataset = await DAMAGED.dataset(address)
        return { ...dataset, creationProperties: { ...dataset.creationProperties, json, given: true } }
      },
      readValues: async () => ({ count: 4, data: new Uint8Array(4), heap: new Uint8Array(0) }),
    }
    await importFile(file, await targetAt(endpoints.open, 'never.example.org'), options)
    const get = async (path: string) => (await fetch(`${endpoints.open}${path}?domain=/never`)).json()
    const { datasets } = (await get('datasets')) as { readonly datasets: readonly string[] }
    expect(await get(`datasets/${datasets[0]}/value`)).toMatchObject({ value: [0, 0, 0, 0] })
  })

  it('does not touch a domain that is there', async () => {
    await targetAt(endpoints.open, 'there.example.org')
    await expect(targetAt(endpoints.open, 'there.example.org')).rejects.toThrow('409')
    const path = parseDomainPath('/there')
    expect(await store.read(reader => reader.domain(path))).toBeDefined()
  })

  it('tells what was sent where, and the status and message of the server', async () => {
    const target = await targetAt(endpoints.closed, 'denied%2Eh5.example.org')
    await expect(target.createGroup()).rejects.toThrow(`POST ${endpoints.closed}/groups for /denied.h5: 401 `)
  })

  it('says what is left behind, and how to delete it, when the domain cannot be deleted either', async () => {
    const target = await targetAt(endpoints.closed, 'left%2Eh5.example.org')
    await expect(importFile(DAMAGED, target, options)).rejects.toThrow(
      new RegExp(
        '^POST .*: 401 .* the domain /left.h5 is left behind incomplete, .*DELETE .*: 401 .* delete it: ' +
          "curl -X DELETE -H 'Host: left%2Eh5.example.org' http://127.0.0.1:\\d+/$",
      ),
    )
  })

  it('says the same when the server has gone', async () => {
    const server = serverOf(store)
    const endpoint = await listening(server)
    const target = await targetAt(endpoint, 'gone.example.org')
    await server.close()
    const attempt = importFile(DAMAGED, target, options)
    await expect(attempt.catch(foreseen)).resolves.toContain('left behind incomplete')
    await expect(attempt).rejects.toThrow(
      /cannot be reached: .*; the domain \/gone is left behind incomplete/,
    )
  })

  it('leaves out a dataset whose values cannot be read, and its links', async () => {
    const target = await targetAt(endpoints.open, 'partly.example.org')
    const reader: H5FileReader = {
      ...DAMAGED,
      async readValues() {
        throw new HyperslabError('file-unreadable', 'a chunk is damaged')
      },
    }
    const summary = await importFile(reader, target, options)
    expect(summary).toMatchObject({ groups: 1, datasets: 0, unreadable: 0, bytes: 0 })
    expect(summary.warnings).toEqual([
      {
        path: '/data',
        message: expect.stringContaining('left out, because its values cannot be read: a chunk'),
      },
    ])
    const links = await store.read(async reader => {
      const found: string[] = []
      for await (const { title } of reader.links(target.root.id)) found.push(title)
      return found
    })
    expect(links).toEqual([])
  })

  it.each([
    [{ name: 'ann', password: 'wrong' }, '401'],
    [undefined, '403'],
  ])('with credentials %j outside of the base domain: %s', async (credentials, status) => {
    const path = parseDomainPath('/x')
    const more = { path, ...(credentials && { credentials }) }
    await expect(
      openHttpTarget({ endpoint: endpoints.open, dnsName: 'x.other.org', ...more }),
    ).rejects.toThrow(status)
  })
})

import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_ACCOUNTS } from '../../../test/fixtures/service.ts'
import { HyperslabError } from '../../errors.ts'
import type { H5FileReader } from '../../h5file/reader.ts'
import { parseDnsName, parseDomainPath } from '../../hdf5/domain-path.ts'
import { createServer } from '../../http/server.ts'
import { systemClock, systemRandom } from '../../storage/clock.ts'
import { openMemoryEngine } from '../../storage/engines/memory.ts'
import { openStore } from '../../storage/open-store.ts'
import { UsageError } from '../usage-error.ts'
import { type HttpTargetOptions, openHttpTarget } from './http-target.ts'
import { importFile } from './import-file.ts'

const none = { create: false, read: true, update: false, delete: false, readACL: false, updateACL: false }
const all = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }

const store = openStore(openMemoryEngine(), { clock: systemClock(), random: systemRandom, sweeps: false })

function serverWith(defaultAcl: typeof all) {
  return createServer({
    store,
    accounts: NO_ACCOUNTS,
    service: { defaultAcl, newDomains: 'anyone', isKnownUser: () => false },
    http: {
      baseDomain: 'example.org',
      allowedOrigins: '*',
      allowAnonymous: true,
      maxJsonBody: 2 ** 20,
      hsdsLevel: '1.0',
      buckets: { defaultName: 'hyperslab', others: [] },
      version: '0.0.0',
    },
    log: pino({ level: 'silent' }),
  })
}

const open = serverWith(all)
const closed = serverWith(none)
const endpoints = { open: '', closed: '' }

beforeAll(async () => {
  endpoints.open = `http://127.0.0.1:${await open.listen('127.0.0.1', 0)}/`
  endpoints.closed = `http://127.0.0.1:${await closed.listen('127.0.0.1', 0)}`
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
  object: address => ({ address, kind: address === 'root' ? 'group' : 'dataset' }),
  links: () => [{ title: 'data', class: 'H5L_TYPE_HARD', address: 'data' }],
  attributes: () => [],
  dataset: () => ({
    type: { class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' },
    space: { class: 'H5S_SIMPLE', dims: [4] },
    creationProperties: new Map(),
    layout: 'H5D_CONTIGUOUS',
  }),
  datatype: () => ({ class: 'H5T_INTEGER', size: 1, signed: false, order: 'LE' }),
  readValues() {
    throw new HyperslabError('file-damaged', 'the file is damaged')
  },
  close() {},
}

function targetAt(endpoint: string, dnsName: string, more: Partial<HttpTargetOptions> = {}) {
  return openHttpTarget({ endpoint, dnsName, path: parseDnsName(dnsName, 'example.org'), ...more })
}

const options = { signal: new AbortController().signal, progress: () => {} }

describe('an import over HTTP', () => {
  it('deletes the domain when it fails', async () => {
    const target = await targetAt(endpoints.open, 'damaged.example.org')
    await expect(importFile(DAMAGED, target, options)).rejects.toThrow('the file is damaged')
    const path = parseDomainPath('/damaged')
    expect(await store.read(reader => reader.domain(path))).toBeUndefined()
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
        '^POST .*: 401 .* the domain /left.h5 is left behind half filled, .*DELETE .*: 401 .* delete it: ' +
          "curl -X DELETE -H 'Host: left%2Eh5.example.org' http://127.0.0.1:\\d+/$",
      ),
    )
  })

  it('says the same when the server has gone', async () => {
    const server = serverWith(all)
    const endpoint = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`
    const target = await targetAt(endpoint, 'gone.example.org')
    await server.close()
    const attempt = importFile(DAMAGED, target, options)
    await expect(attempt).rejects.toBeInstanceOf(UsageError)
    await expect(attempt).rejects.toThrow(
      /cannot be reached: .*; the domain \/gone is left behind half filled/,
    )
  })

  it('leaves out a dataset whose values cannot be read, and its links', async () => {
    const target = await targetAt(endpoints.open, 'partly.example.org')
    const reader: H5FileReader = {
      ...DAMAGED,
      readValues() {
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

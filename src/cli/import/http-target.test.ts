import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HyperslabError } from '../../errors.ts'
import type { H5FileReader } from '../../h5file/reader.ts'
import { parseDomainPath } from '../../hdf5/domain-path.ts'
import { createServer } from '../../http/server.ts'
import { systemClock, systemRandom } from '../../storage/clock.ts'
import { openMemoryEngine } from '../../storage/engines/memory.ts'
import { openStore } from '../../storage/open-store.ts'
import { openHttpTarget } from './http-target.ts'
import { importFile } from './import-file.ts'

const none = { create: false, read: true, update: false, delete: false, readACL: false, updateACL: false }
const all = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }

const store = openStore(openMemoryEngine(), { clock: systemClock(), random: systemRandom, sweeps: false })

function serverWith(defaultAcl: typeof all) {
  return createServer({
    store,
    accounts: { find: () => undefined, isKnownUser: () => false },
    service: { defaultAcl, newDomains: 'anyone', isKnownUser: () => false },
    http: {
      baseDomain: 'example.org',
      allowedOrigins: '*',
      allowAnonymous: true,
      maxJsonBody: 2 ** 20,
      hsdsVersion: '1.0.2',
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

describe('an import over HTTP', () => {
  it('deletes the domain when it fails', async () => {
    const target = await openHttpTarget({ endpoint: endpoints.open, dnsName: 'damaged.example.org' })
    const options = { signal: new AbortController().signal, progress: () => {} }
    await expect(importFile(DAMAGED, target, options)).rejects.toThrow('the file is damaged')
    const path = parseDomainPath('/damaged')
    expect(await store.read(reader => reader.domain(path))).toBeUndefined()
  })

  it('does not touch a domain that is there', async () => {
    const options = { endpoint: endpoints.open, dnsName: 'there.example.org' }
    await openHttpTarget(options)
    await expect(openHttpTarget(options)).rejects.toThrow('409')
    const path = parseDomainPath('/there')
    expect(await store.read(reader => reader.domain(path))).toBeDefined()
  })

  it('tells the status and message of the server', async () => {
    const target = await openHttpTarget({ endpoint: endpoints.closed, dnsName: 'denied.example.org' })
    await expect(target.createGroup()).rejects.toThrow(/POST .*\/groups.*: 401 /)
  })

  it.each([
    [{ name: 'ann', password: 'wrong' }, '401'],
    [undefined, '403'],
  ])('with credentials %j outside of the base domain: %s', async (credentials, status) => {
    const target = { endpoint: endpoints.open, dnsName: 'x.other.org', ...(credentials && { credentials }) }
    await expect(openHttpTarget(target)).rejects.toThrow(status)
  })
})

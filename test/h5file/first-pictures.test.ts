// The page and the pictures of the service draw the same first: the same dataset, as the same kind of drawing, of the
// same elements, on the same scale. Both are asked about files of NeXus made here, and about the samples where they
// are.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hyperslab } from '@hyperslab/client'
import type { FirstLook } from '@hyperslab/meaning/meaning'
import { formatPrefixed, parseDomainPath } from '@hyperslab/model/names'
import type { OpenStore } from '@hyperslab/store/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Contents } from '../../packages/page/src/viewer/data/contents.ts'
import { plotOf } from '../../packages/page/src/viewer/data/plot.ts'
import type { Server } from '../../packages/server/http/server.ts'
import { ALL_PERMISSIONS } from '../../packages/server/service/access/access.ts'
import { openDomain } from '../../packages/server/service/domains/domains.ts'
import { SELECT_ALL } from '../../packages/server/service/selection/request.ts'
import { readThumbnail } from '../../packages/server/service/values/thumbnail.ts'
import { listening, openMemoryStore, serverOf } from '../fixtures/server.ts'
import { ADMIN, NO_ACCOUNTS } from '../fixtures/service.ts'

const ANYONE = { password: { plain: 'secret' }, groups: [], admin: true }
const AS_ADMIN = { Authorization: `Basic ${btoa('admin:secret')}` }

const SAMPLES = new URL('../../../shared/samples/', import.meta.url).pathname

let store: OpenStore
let server: Server
let url: string

beforeAll(async () => {
  store = openMemoryStore()
  server = serverOf(store, { accounts: { ...NO_ACCOUNTS, find: () => ANYONE } })
  url = await listening(server)
})

afterAll(async () => {
  await server.close()
  await store.close()
})

/** The first drawing. */
interface Picture extends Omit<FirstLook, 'axisScales'> {
  readonly dataset: string
}

/** Undefined: the page shows the members of the root group. */
async function pictureOfPage(domain: string): Promise<Picture | undefined> {
  const contents = new Contents(new Hyperslab(url, { authorization: AS_ADMIN.Authorization }), domain)
  const plot = await plotOf(contents, await contents.at('/'))
  if (plot === undefined) return undefined
  const { kind, slice, scale, colours, signal } = plot
  return { dataset: signal.object.id, kind, slice, scale, colours }
}

/** Undefined: no attributes of NeXus lead to it, or it has no numbers to show. */
function pictureOfService(domain: string): Promise<Picture | undefined> {
  return store.read(async reader => {
    const { signal } = new AbortController()
    const settings = { defaultAcl: ALL_PERMISSIONS, newDomains: 'anyone', isKnownUser: () => true } as const
    const context = { reader, caller: ADMIN, settings, signal }
    let found: Picture | undefined
    const opened = await openDomain(context, parseDomainPath(domain))
    await readThumbnail(context, opened, { selection: SELECT_ALL }, (dataset, _, look) => {
      if (look === undefined) return true
      const { kind, slice, scale, colours } = look
      found = { dataset: formatPrefixed({ kind: 'dataset', id: dataset.id }), kind, slice, scale, colours }
      return true
    })
    return found
  })
}

async function send(method: string, path: string, body: unknown): Promise<unknown> {
  const headers = { ...AS_ADMIN, 'Content-Type': 'application/json' }
  const reply = await fetch(`${url}${path}`, { method, body: JSON.stringify(body), headers })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return reply.json()
}

type Attributes = Readonly<Record<string, string | readonly string[]>>

interface Node {
  readonly attributes?: Attributes
  /** A dataset of this shape; absent: a group. */
  readonly shape?: readonly number[]
  readonly members?: Readonly<Record<string, Node>>
}

let count = 0

async function newDomain(
  members: Readonly<Record<string, Node>>,
  attributes: Attributes = {},
): Promise<string> {
  const domain = `/made${++count}`
  const { root } = (await send('PUT', `/?domain=${domain}`, {})) as { root: string }
  await fill(domain, `groups/${root}`, { members, attributes })
  return domain
}

async function fill(domain: string, object: string, { attributes = {}, members = {} }: Node): Promise<void> {
  for (const [name, value] of Object.entries(attributes)) {
    const type = { class: 'H5T_STRING', charSet: 'H5T_CSET_UTF8', length: 'H5T_VARIABLE' }
    const shape = typeof value === 'string' ? {} : { shape: [value.length] }
    await send('PUT', `/${object}/attributes/${name}?domain=${domain}`, { type, ...shape, value })
  }
  const [, parent] = object.split('/')
  for (const [name, node] of Object.entries(members)) {
    const { shape } = node
    const collection = shape ? 'datasets' : 'groups'
    const body = { link: { id: parent, name }, ...(shape && { type: 'H5T_STD_I32LE', shape }) }
    const { id } = (await send('POST', `/${collection}?domain=${domain}`, body)) as { id: string }
    if (shape) {
      const size = shape.reduce((product, extent) => product * extent, 1)
      const value = Array.from({ length: size }, (_, i) => i % 7)
      await send('PUT', `/datasets/${id}/value?domain=${domain}`, { value: reshaped(value, shape) })
    }
    await fill(domain, `${collection}/${id}`, node)
  }
}

function reshaped(
  values: readonly unknown[],
  [extent = 1, ...others]: readonly number[],
): readonly unknown[] {
  if (others.length === 0) return values
  const size = values.length / extent
  return Array.from({ length: extent }, (_, i) => reshaped(values.slice(i * size, (i + 1) * size), others))
}

const data = (own: Attributes, shape: readonly number[], group: Attributes = {}): Node => ({
  attributes: { NX_class: 'NXdata', signal: 'counts', ...group },
  members: { counts: { shape, attributes: own } },
})

const entry = (members: Readonly<Record<string, Node>>, own: Attributes = {}): Node => ({
  attributes: { NX_class: 'NXentry', ...own },
  members,
})

const MADE: Readonly<Record<string, [Readonly<Record<string, Node>>, Attributes?]>> = {
  'a line': [{ entry: entry({ data: data({}, [9]) }) }],
  'an image': [{ entry: entry({ data: data({}, [9, 8]) }) }],
  spectra: [{ entry: entry({ data: data({ interpretation: 'spectrum' }, [9, 8]) }) }],
  'colours by interpretation': [{ entry: entry({ data: data({ interpretation: 'rgb-image' }, [9, 8, 3]) }) }],
  'an image of CLASS': [{ entry: entry({ data: data({ CLASS: 'IMAGE' }, [20, 20, 3]) }) }],
  'a slice of the file': [
    { entry: entry({ data: data({}, [5, 9, 8], { default_slice: ['3', '.', '.'] }) }) },
  ],
  'a slice that is a line': [{ entry: entry({ data: data({}, [5, 9], { default_slice: ['.', '2'] }) }) }],
  'a scale of the file': [
    { entry: entry({ data: data({}, [9, 8], { SILX_style: '{"signal_scale_type":"log"}' }) }) },
  ],
  'the second of two data groups, of which the first has no signal': [
    {
      entry: entry({
        a: { attributes: { NX_class: 'NXdata' }, members: { counts: { shape: [3] } } },
        b: data({}, [4]),
      }),
    },
  ],
  'what default names': [
    { entry: entry({ a: data({}, [3]), b: data({}, [4]) }, { default: 'b' }), other: entry({}) },
    { default: 'entry' },
  ],
  'default that leads nowhere': [{ entry: entry({ a: data({}, [3]) }, { default: 'gone' }) }],
  'signal of an attribute of the dataset': [
    {
      entry: entry({
        data: {
          attributes: { NX_class: 'NXdata' },
          members: { a: { shape: [3] }, b: { shape: [4], attributes: { signal: '1' } } },
        },
      }),
    },
  ],
  'a log': [
    {
      entry: entry(
        {
          log: {
            attributes: { NX_class: 'NXlog', SILX_style: '{"signal_scale_type":"log"}' },
            members: { value: { shape: [5] }, time: { shape: [5] } },
          },
        },
        { default: 'log' },
      ),
    },
  ],
}

describe('the page and the service draw the same first', () => {
  it.each(Object.entries(MADE))('of %s', async (name, [members, attributes]) => {
    const domain = await newDomain(members, attributes)
    const [page, service] = await Promise.all([pictureOfPage(domain), pictureOfService(domain)])
    expect(service).toEqual(page)
    expect(page === undefined).toBe(name === 'default that leads nowhere')
  })

  const folders = ['h5serv', 'reported', 'reported/turn4'].filter(folder => existsSync(join(SAMPLES, folder)))
  const files = folders.flatMap(folder =>
    readdirSync(join(SAMPLES, folder))
      .filter(name => /\.(h5|hdf5|nxs|nc)$/.test(name))
      .map(name => join(folder, name)),
  )

  it.skipIf(files.length === 0)('of the samples', async () => {
    const different: unknown[] = []
    let asked = 0
    for (const [i, file] of files.entries()) {
      const domain = `/sample${i}`
      const body = readFileSync(join(SAMPLES, file))
      const headers = { ...AS_ADMIN, 'Content-Type': 'application/x-hdf5' }
      const reply = await fetch(`${url}/?domain=${domain}`, { method: 'PUT', body, headers })
      // Some are no files of HDF5, or damaged: they have no picture.
      if (!reply.ok) continue
      asked++
      const [page, service] = await Promise.all([pictureOfPage(domain), pictureOfService(domain)])
      if (JSON.stringify(page) !== JSON.stringify(service)) different.push([file, page, service])
    }
    expect(different).toEqual([])
    expect(asked).toBeGreaterThan(files.length / 2)
  })
})

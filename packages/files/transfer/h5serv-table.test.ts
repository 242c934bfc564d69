// A file that h5serv has served, imported and mounted: its table never shows, and what only the table has is there.

import { openH5File } from '@hyperslab/h5/reader'
import { parseJson, stringifyJson } from '@hyperslab/model/json'
import { type ObjectId, type ObjectKind, parseDomainPath } from '@hyperslab/model/names'
import type { Reader } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import { collect, readNumbers } from '../../../test/conformance/sample-objects.ts'
import { sourceOf } from '../../../test/fixtures/file-of-structures.ts'
import { GIVEN, type H5servFileOptions, h5servFile } from '../../../test/fixtures/h5serv-file.ts'
import { openMemoryStore } from '../../../test/fixtures/server.ts'
import { simpleValues } from '../../../test/fixtures/simple-values.ts'
import { ALL_PERMISSIONS } from '../../server/service/access/access.ts'
import { accessWithin } from '../../server/service/access/folder-access.ts'
import { openContents } from '../mounts/contents.ts'
import { mountedRoot } from '../mounts/object-ids.ts'
import { type ImportOptions, importFile } from './import-file.ts'
import { openStoreTarget } from './store-target.ts'

const PATH = parseDomainPath('/a')
const NOTHING = Object.fromEntries(Object.keys(ALL_PERMISSIONS).map(name => [name, false]))
const READ = { ...NOTHING, read: true }

type Source = Pick<Reader, 'object' | 'links' | 'attributes' | 'status' | 'objects'>

/** Everything that a client can find. */
async function contentsOf(reader: Source, root: ObjectId) {
  const list = (kind: ObjectKind) => collect(reader.objects(root, kind))
  const [groups, datasets, datatypes] = [await list('group'), await list('dataset'), await list('datatype')]
  const titles = async (group: ObjectId) => (await collect(reader.links(group))).map(({ title }) => title)
  const [d] = (await collect(reader.links(root))).filter(({ title }) => title === 'd')
  const id = d.target.class === 'H5L_TYPE_HARD' ? d.target.id : undefined
  const dataset = id && (await reader.object(id))
  return {
    root: await titles(root),
    rootCount: (await reader.status(root)).linkCount,
    groups: (await Promise.all(groups.map(titles))).map(String).sort(),
    datasets: datasets.length,
    datatypes: datatypes.length,
    attributes: (await collect(reader.attributes(root))).map(({ name }) => name),
    given: dataset?.kind === 'dataset' && stringifyJson(dataset.creationProperties.json),
  }
}

const VISIBLE = {
  root: ['d', 'g'],
  rootCount: 2,
  // The root group is among them.
  groups: ['d', 'd,g', 'inner'],
  datasets: 3,
  datatypes: 1,
  attributes: ['seen'],
  given: stringifyJson(parseJson(GIVEN.replace('}', ', "layout": "H5D_COMPACT"}'))),
}

async function imported(options: Partial<ImportOptions> = {}, file: H5servFileOptions = {}) {
  const store = openMemoryStore()
  const reader = await openH5File(sourceOf(await h5servFile(file)), 'f.h5', {
    openSibling: async () => undefined,
  })
  const target = await openStoreTarget(store, {
    path: PATH,
    file: { size: 100, lastModified: 1000 },
    readOnly: false,
    replace: false,
    accessWithin: (reader, folder) => accessWithin(reader, folder, { defaultAcl: ALL_PERMISSIONS }),
  })
  const summary = await importFile(reader, target, {
    signal: new AbortController().signal,
    progress() {},
    requireUnchanged() {},
    ...options,
  })
  return { store, summary }
}

async function aclsOf({ store }: Awaited<ReturnType<typeof imported>>) {
  return store.read(async reader => {
    const root = (await reader.domain(PATH))?.root as ObjectId
    const [datasets, all] = [await collect(reader.objects(root, 'dataset')), [] as unknown[]]
    for (const id of datasets) all.push((await reader.object(id))?.acl)
    return { root: (await reader.object(root))?.acl, datasets: all.filter(acl => `${acl}` !== '') }
  })
}

describe('a file of h5serv', () => {
  it('shows no table when it is imported; objects without a link and given properties are there', async () => {
    const { store, summary } = await imported({ listUsers: { names: new Map([[1, 'ann']]) } })
    expect(summary).toMatchObject({ groups: 3, datasets: 3, datatypes: 1, attributes: 1, warnings: [] })
    await store.read(async reader => {
      const root = (await reader.domain(PATH))?.root as ObjectId
      expect(await contentsOf(reader, root)).toEqual(VISIBLE)
      const values: number[][] = []
      for await (const id of reader.objects(root, 'dataset')) {
        const object = await reader.object(id)
        if (object?.kind === 'dataset') values.push(await readNumbers(reader, object))
      }
      expect(values.sort()).toEqual([[1, 2, 3], [7, 8], [9]])
    })
  })

  it('shows the same when it is mounted', async () => {
    const root = mountedRoot('secret', PATH)
    const source = sourceOf(await h5servFile())
    const state = { kind: 'file', path: PATH, size: source.size, stamp: 's', lastModified: 1 } as const
    const contents = (
      await openContents({ source, openSibling: async () => undefined }, state, {
        root,
        acl: [],
        openValues: simpleValues,
      })
    ).for({})
    expect(await contentsOf(contents, root)).toEqual(VISIBLE)
    expect(await contents.statistics()).toMatchObject({ groups: 3, datasets: 3, datatypes: 1 })
    expect(await contents.link(root, '__db__')).toBeUndefined()
  })

  it('has its access control lists, with the names of users', async () => {
    expect(await aclsOf(await imported({ listUsers: { names: new Map([[1, 'ann']]) } }))).toEqual({
      root: [
        { userName: 'default', ...READ },
        { userName: 'ann', ...ALL_PERMISSIONS },
      ],
      datasets: [[{ userName: 'default', ...NOTHING }]],
    })
  })

  it('is not imported when its lists name users, and no password file is given', async () => {
    await expect(imported({ listUsers: {} })).rejects.toThrow('--password-file')
    const everybody = { rootList: [[0, 0, 1, 0, 0, 0, 0]] }
    expect((await imported({ listUsers: {} }, everybody)).summary.warnings).toEqual([])
  })

  it('loses the item of a user that is not in the password file, with a warning', async () => {
    const result = await imported({ listUsers: { names: new Map() } })
    expect(result.summary.warnings).toEqual([{ path: '/', message: expect.stringContaining('user 1') }])
    expect((await aclsOf(result)).root).toEqual([{ userName: 'default', ...READ }])
  })

  it('loses its lists where they are not taken over, with a warning', async () => {
    const result = await imported()
    expect(result.summary.warnings).toEqual([
      { path: '/__db__', message: expect.stringContaining('access control lists') },
    ])
    expect(await aclsOf(result)).toEqual({ root: [], datasets: [] })
  })

  it('has a warning for a member of the table that is not of h5serv', async () => {
    const { summary } = await imported({ listUsers: { names: new Map([[1, 'ann']]) } }, { stranger: 'mine' })
    expect(summary.warnings).toEqual([{ path: '/__db__/mine', message: expect.stringContaining('left out') }])
  })
})

// The contents of mounted files made by hand: what import and mount must say alike, which objects may be opened by
// their ids, and damage that harms its own part only.

import { HyperslabError } from '@hyperslab/base/errors'
import { type ByteSource, openH5File } from '@hyperslab/h5/reader'
import { type ObjectId, parseDomainPath } from '@hyperslab/model/names'
import { expandPieces, readObjectReference } from '@hyperslab/model/values'
import type { Dataset, MountedContents, Page, Reader } from '@hyperslab/store/store'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { AddressedStructure } from '../../../test/fixtures/file-of-structures.ts'
import { h5FileOf, header, message, type NewMessage } from '../../../test/fixtures/h5-file.ts'
import { encodeModificationTime } from '../../../test/fixtures/library-structures.ts'
import { openMemoryStore } from '../../../test/fixtures/server.ts'
import { simpleValues } from '../../../test/fixtures/simple-values.ts'
import { encodeDatatype } from '../../h5/format/datatype.ts'
import type { FieldWriter } from '../../h5/format/field-writer.ts'
import type { FileType } from '../../h5/format/file-type.ts'
import { encodeAttribute } from '../../h5/format/messages/attribute.ts'
import { encodeDataspace } from '../../h5/format/messages/dataspace.ts'
import { encodeLayout } from '../../h5/format/messages/layout.ts'
import { encodeLink, type LinkTarget } from '../../h5/format/messages/link.ts'
import { encodeLinkInfo } from '../../h5/format/messages/member-info.ts'
import { MESSAGE } from '../../h5/format/messages/message-type.ts'
import { encodeShared } from '../../h5/format/messages/shared.ts'
import { OPEN_FOR_WRITING, type Superblock } from '../../h5/format/superblock.ts'
import { ALL_PERMISSIONS } from '../../server/service/access/access.ts'
import { accessWithin } from '../../server/service/access/folder-access.ts'
import { SELECT_ALL } from '../../server/service/selection/request.ts'
import { resolveSelection } from '../../server/service/selection/resolve.ts'
import { importFile } from '../transfer/import-file.ts'
import { openStoreTarget } from '../transfer/store-target.ts'
import { type ContentsOptions, openContents } from './contents.ts'
import { idAtAddress, mountedRoot } from './object-ids.ts'
import type { KeptContents } from './shared-contents.ts'

const PATH = parseDomainPath('/a/b')
const ROOT = mountedRoot('secret', PATH)
const MTIME = 1_700_000_000_000_000
const GROUP = idAtAddress(ROOT, '800')
const DATASET = idAtAddress(ROOT, '2000')
const DATATYPE = idAtAddress(ROOT, '3000')
/** The flag with which a writer lets others read. */
const SWMR = 4
/** No link leads to it. */
const UNLINKED = idAtAddress(ROOT, '3200')
const EVERYBODY = [{ userName: 'default', ...ALL_PERMISSIONS }]

const BYTE: FileType = { class: 'H5T_INTEGER', size: 1, order: 'LE', signed: false, offset: 0, precision: 8 }
const REFERENCE: FileType = { class: 'H5T_REFERENCE', size: 8, kind: 'object' }

const bodyOf = (write: (writer: FieldWriter) => void): Uint8Array => message(0, write).body
const own = (write: (writer: FieldWriter) => void) => ({ shared: false, body: bodyOf(write) })
const typePart = (type: FileType) => own(writer => encodeDatatype(writer, type))
const committedPart = (address: number) => ({
  shared: true,
  body: bodyOf(writer => encodeShared(writer, { kind: 'object', address })),
})
const addressBytes = (address: number) => [address & 255, address >> 8, 0, 0, 0, 0, 0, 0]

function link(name: string, target: LinkTarget | number, creationOrder?: number): NewMessage {
  return message(MESSAGE.link, writer =>
    encodeLink(writer, {
      name: Buffer.from(name),
      characterSet: 'H5T_CSET_UTF8',
      target: typeof target === 'number' ? { class: 'hard', address: target } : target,
      ...(creationOrder !== undefined && { creationOrder }),
    }),
  )
}

function attribute(name: string, data: readonly number[], type = typePart(BYTE)): NewMessage {
  return message(MESSAGE.attribute, writer =>
    encodeAttribute(writer, {
      name: Buffer.from(name),
      characterSet: 'H5T_CSET_UTF8',
      type,
      space: own(writer => encodeDataspace(writer, { class: 'H5S_SCALAR' })),
      data: Uint8Array.from(data),
    }),
  )
}

const GROUP_INFO = message(MESSAGE.linkInfo, writer => encodeLinkInfo(writer, { tracksOrder: false }))
const TRACKED_INFO = message(MESSAGE.linkInfo, writer => encodeLinkInfo(writer, { tracksOrder: true }))
const TIME = message(MESSAGE.modificationTime, writer => encodeModificationTime(writer, 1_600_000_000))
const datatype = (type: FileType) => message(MESSAGE.datatype, writer => encodeDatatype(writer, type))

/** A dataset of two elements in its header; of references where they lead somewhere. */
function dataset(address: number, type: FileType, bytes: readonly number[]): AddressedStructure {
  return header(
    address,
    message(MESSAGE.dataspace, writer => encodeDataspace(writer, { class: 'H5S_SIMPLE', dims: [2] })),
    datatype(type),
    message(MESSAGE.layout, writer =>
      encodeLayout(writer, { class: 'compact', bytes: Uint8Array.from(bytes) }),
    ),
  )
}

/** Links that lead to each other in a circle, to the same object twice, to what is none, and to other files. */
const STRUCTURES = [
  header(
    100,
    GROUP_INFO,
    link('group', 800),
    link('Zahlen', 2000),
    link('\u{1f600}', 2000),
    link('\uffee', 3000),
    link('broken', 3900),
    link('beyond', 100_000),
    link('soft', { class: 'soft', path: Buffer.from('/nowhere') }),
    link('external', { class: 'external', file: Buffer.from('b.h5'), path: Buffer.from('/x') }),
    link('other', { class: 'user-defined', linkType: 99, data: new Uint8Array(3) }),
    link('with/slash', 2000),
    attribute('b', [7]),
    attribute('a', [8], committedPart(3000)),
    attribute('cut', []),
    attribute('to dataset', addressBytes(2000), typePart(REFERENCE)),
    attribute('to nothing', addressBytes(3900), typePart(REFERENCE)),
    attribute('null', addressBytes(0), typePart(REFERENCE)),
  ),
  header(800, TRACKED_INFO, link('z', 100, 0), link('self', 800, 1), link('a', 2000, 2), link('m', 3000, 3)),
  dataset(2000, BYTE, [1, 2]),
  header(3000, datatype(BYTE), TIME),
]

interface OpenedFile {
  readonly contents: MountedContents
  readonly kept: KeptContents
  /** How many requests for bytes there were. */
  readonly reads: () => number
}

async function open(
  structures: readonly AddressedStructure[] = STRUCTURES,
  superblock: Partial<Superblock> = {},
  options: Partial<ContentsOptions> = {},
): Promise<OpenedFile> {
  const file = h5FileOf(structures, superblock)
  let reads = 0
  const source: ByteSource = {
    ...file,
    read: (ranges, signal) => {
      reads++
      return file.read(ranges, signal)
    },
  }
  const mounted = { kind: 'file', path: PATH, size: file.size, stamp: 's1', lastModified: MTIME } as const
  const kept = await openContents({ source, openSibling: async () => undefined }, mounted, {
    root: ROOT,
    acl: EVERYBODY,
    openValues: simpleValues,
    ...options,
  })
  return { contents: kept.for({}), kept, reads: () => reads }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

async function titles(contents: MountedContents, group: ObjectId, page?: Page): Promise<string[]> {
  return (await all(contents.links(group, page))).map(({ title }) => title)
}

const failure = (code: string, text: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(text) })

describe('a mounted copy and an imported one', () => {
  type Source = Pick<Reader, 'object' | 'links' | 'attributes' | 'status'>

  /** Everything but values, with paths for ids and without times. */
  async function describeDomain(reader: Source, root: ObjectId): Promise<unknown> {
    const paths = new Map<ObjectId, string>([[root, '/']])
    const objects: unknown[] = []
    const named = (id: ObjectId | undefined) => id && (paths.get(id) ?? 'unknown')
    for (const [id, path] of paths) {
      const object = await reader.object(id)
      const listed = await all(reader.links(id))
      const links = listed.filter(({ target }) => target.class !== 'H5L_TYPE_ERROR')
      for (const { title, target } of links) {
        if (target.class === 'H5L_TYPE_HARD' && !paths.has(target.id))
          paths.set(target.id, `${path}${title}/`)
      }
      const listedAttributes = await all(reader.attributes(id))
      const attributes = listedAttributes.filter(attribute => 'type' in attribute)
      const { linkCount, attributeCount } = await reader.status(id)
      expect([linkCount, attributeCount]).toEqual([listed.length, listedAttributes.length])
      objects.push({
        path,
        ...object,
        id: undefined,
        created: undefined,
        acl: undefined,
        links: links.map(({ title, target }) => [title, 'id' in target ? named(target.id) : target]),
        attributes: attributes.map(attribute => {
          const { name, type, space, value, committedType } = attribute
          const data = value && 'data' in value ? value.data : new Uint8Array(0)
          const isReference = type.class === 'H5T_REFERENCE'
          const bytes = isReference ? named(readObjectReference(data, 0)?.id) : [...data]
          return { name, type, space, bytes, committed: named(committedType) }
        }),
      })
    }
    return objects
  }

  async function describeBoth(
    structures: readonly AddressedStructure[],
  ): Promise<readonly [unknown, unknown]> {
    const store = openMemoryStore()
    onTestFinished(() => store.close())
    const target = await openStoreTarget(store, {
      path: PATH,
      file: { size: 4096, lastModified: MTIME },
      readOnly: true,
      replace: false,
      accessWithin: (reader, folder) => accessWithin(reader, folder, { defaultAcl: ALL_PERMISSIONS }),
    })
    await importFile(await openH5File(h5FileOf(structures), 'a.h5'), target, {
      signal: new AbortController().signal,
      progress: () => {},
      requireUnchanged: () => {},
    })
    const imported = await store.read(reader => describeDomain(reader, target.root.id))
    const { contents } = await open(structures)
    return [await describeDomain(contents, ROOT), imported]
  }

  it('answer alike', async () => {
    const isSound = ({ address }: AddressedStructure) => address !== 100
    const root = header(100, GROUP_INFO, link('group', 800), attribute('a', [8], committedPart(3000)))
    const [mounted, imported] = await describeBoth([root, ...STRUCTURES.filter(isSound)])
    expect(mounted).toEqual(imported)
  })

  it('answer alike where parts are damaged, but that a mounted one lists them', async () => {
    const [mounted, imported] = await describeBoth(STRUCTURES)
    expect(mounted).toEqual(imported)
    expect(mounted).toMatchObject([{ path: '/' }, {}, {}, {}])
  })
})

describe('objects', () => {
  it('have the ids of their addresses, and times of the file', async () => {
    const { contents } = await open()
    expect(await contents.object(ROOT)).toEqual({ kind: 'group', id: ROOT, created: MTIME, acl: EVERYBODY })
    expect(await contents.object(GROUP)).toMatchObject({ kind: 'group', id: GROUP, acl: [] })
    expect(await contents.object(DATASET)).toMatchObject({ kind: 'dataset', space: { dims: [2] } })
    const created = 1_600_000_000_000_000
    expect(await contents.object(DATATYPE)).toMatchObject({ kind: 'datatype', created })
    expect(await contents.status(DATATYPE)).toMatchObject({ lastModified: created, linkCount: 0 })
    expect(await contents.status(ROOT)).toMatchObject({ lastModified: MTIME, attributeCount: 6 })
  })

  it('have versions of their own, which another state of the file has not', async () => {
    const { contents } = await open()
    const versions = await Promise.all(
      [ROOT, GROUP, DATASET].map(async id => (await contents.status(id)).version),
    )
    expect(new Set(versions).size).toBe(3)
    expect(await (await open()).contents.status(GROUP)).toMatchObject({ version: versions[1] })
  })

  it('are reported by the memory that they take', async () => {
    const { contents, kept } = await open()
    const before = kept.heldBytes
    // At least the block of the file that was read.
    expect(before).toBeGreaterThan(65_536)
    await contents.statistics()
    await all(contents.attributes(ROOT))
    expect(kept.heldBytes).toBeGreaterThan(before)
  })

  it('are not decoded because their address was named', async () => {
    const { contents } = await open([...STRUCTURES, header(3200, datatype(BYTE))])
    expect(await contents.object(UNLINKED)).toBeUndefined()
    expect(await all(contents.links(UNLINKED))).toEqual([])
    expect(await contents.link(UNLINKED, 'a')).toBeUndefined()
    expect(await contents.attribute(UNLINKED, 'a')).toBeUndefined()
    expect(await contents.status(UNLINKED)).toMatchObject({ version: '' })
    // The address of the root group is no second id of it.
    expect(await contents.object(idAtAddress(ROOT, '100'))).toBeUndefined()
  })

  it('that only a reference leads to are those of the file', async () => {
    const unlinked = header(3200, datatype(BYTE))
    const inAttribute = header(
      100,
      GROUP_INFO,
      attribute('to', addressBytes(3200), typePart(REFERENCE)),
      attribute('typed', [1], committedPart(3200)),
    )
    const inValues = [
      header(100, GROUP_INFO, link('a', 2000)),
      dataset(2000, REFERENCE, [...addressBytes(0), ...addressBytes(3200)]),
    ]
    for (const structures of [[inAttribute], inValues]) {
      const { contents } = await open([...structures, unlinked])
      // Also by the id that an earlier process gave.
      expect(await contents.object(UNLINKED)).toMatchObject({ kind: 'datatype' })
      expect(await all(contents.objects(ROOT, 'datatype'))).toEqual([])
    }
    const { contents } = await open([inAttribute, unlinked])
    const [to, typed] = await all(contents.attributes(ROOT))
    const data = 'value' in to && to.value && 'data' in to.value ? to.value.data : undefined
    expect(data && readObjectReference(data, 0)).toEqual({ kind: 'datatype', id: UNLINKED })
    expect(typed).toMatchObject({ committedType: UNLINKED })
  })

  it('are listed by kind in the order of their ids', async () => {
    const { contents } = await open()
    expect(await all(contents.objects(ROOT, 'group'))).toEqual([GROUP, ROOT])
    expect(await all(contents.objects(ROOT, 'group', { limit: 1 }))).toEqual([GROUP])
    expect(await all(contents.objects(ROOT, 'group', { marker: GROUP }))).toEqual([ROOT])
    expect(await all(contents.objects(ROOT, 'group', { marker: ROOT }))).toEqual([])
    expect(await all(contents.objects(ROOT, 'dataset'))).toEqual([DATASET])
    expect(await all(contents.objects(ROOT, 'datatype', { marker: DATASET }))).toEqual([DATATYPE])
  })

  it('are counted', async () => {
    const { contents } = await open()
    expect(await contents.statistics()).toEqual({
      groups: 2,
      datasets: 1,
      datatypes: 1,
      chunks: 1,
      allocatedBytes: 10,
      logicalBytes: 2,
      metadataBytes: 4086,
      entryBytes: 0,
      lastModified: MTIME,
      damage: failure('domain-unreadable', 'with/slash'),
    })
  })
})

describe('links', () => {
  it('come by title as UTF-8 bytes, in pages', async () => {
    const { contents } = await open()
    const sorted = ['Zahlen', 'beyond', 'broken', 'external', 'group', 'other', 'soft', '\uffee', '\u{1f600}']
    expect(await titles(contents, ROOT)).toEqual(sorted)
    expect(await titles(contents, ROOT, { limit: 3 })).toEqual(sorted.slice(0, 3))
    expect(await titles(contents, ROOT, { marker: 'group' })).toEqual(sorted.slice(5))
    expect(await titles(contents, ROOT, { marker: 'h', limit: 1 })).toEqual(['other'])
    expect(await titles(contents, ROOT, { marker: '\u{1f600}' })).toEqual([])
    expect(await titles(contents, ROOT, { prefix: 's' })).toEqual(['soft'])
    expect(await titles(contents, ROOT, { prefix: '\u{1f600}' })).toEqual(['\u{1f600}'])
    expect(await titles(contents, ROOT, { prefix: 'e', marker: 'group' })).toEqual([])
    expect(await titles(contents, ROOT, { limit: 0 })).toEqual([])
    expect(await titles(contents, DATASET)).toEqual([])
  })

  it('come in the order of their creation where the group keeps it', async () => {
    const { contents } = await open()
    const order = 'created'
    expect(await titles(contents, GROUP)).toEqual(['a', 'm', 'self', 'z'])
    expect(await titles(contents, GROUP, { order })).toEqual(['z', 'self', 'a', 'm'])
    expect(await titles(contents, GROUP, { order, marker: 'self', limit: 1 })).toEqual(['a'])
    expect(await titles(contents, GROUP, { order, marker: 'b' })).toEqual([])
  })

  it('of all classes are found by title', async () => {
    const { contents } = await open()
    const target = async (title: string) => (await contents.link(ROOT, title))?.target
    expect(await target('Zahlen')).toEqual({ class: 'H5L_TYPE_HARD', kind: 'dataset', id: DATASET })
    expect(await target('soft')).toEqual({ class: 'H5L_TYPE_SOFT', h5path: '/nowhere' })
    expect(await target('external')).toEqual({
      class: 'H5L_TYPE_EXTERNAL',
      h5path: '/x',
      h5domain: 'b.h5',
    })
    expect(await target('other')).toEqual({ class: 'H5L_TYPE_USER_DEFINED' })
    expect(await target('zahlen')).toBeUndefined()
    expect((await contents.link(GROUP, 'z'))?.target).toEqual({
      class: 'H5L_TYPE_HARD',
      kind: 'group',
      id: ROOT,
    })
  })

  it('to what cannot be read say why when they are named', async () => {
    const { contents } = await open()
    await expect(contents.link(ROOT, 'broken')).rejects.toEqual(
      failure('file-unreadable', '/ link "broken": '),
    )
    await expect(contents.link(ROOT, 'beyond')).rejects.toEqual(failure('file-unreadable', '100000'))
    const id = idAtAddress(ROOT, '3900')
    await expect(contents.object(id)).rejects.toEqual(failure('file-unreadable', '/broken: '))
  })

  it('to what cannot be read are listed with the reason, which has the code of a request for the domain', async () => {
    const { contents } = await open()
    for (const order of ['name', 'created'] as const) {
      const links = await all(contents.links(ROOT, { order }))
      expect(links.find(({ title }) => title === 'broken')?.target).toEqual({
        class: 'H5L_TYPE_ERROR',
        reason: failure('domain-unreadable', 'object header'),
      })
      expect(links).toHaveLength((await contents.status(ROOT)).linkCount)
    }
    // One that the model does not allow cannot be named.
    const [details] = await contents.details([ROOT])
    expect(details?.status?.damage).toEqual(failure('domain-unreadable', 'with/slash'))
    expect((await contents.details([GROUP]))[0]?.status).not.toHaveProperty('damage')
  })

  it('without a name are reported once, with their group', async () => {
    const warnings: string[] = []
    const { contents } = await open(STRUCTURES, {}, { warn: message => warnings.push(message) })
    await contents.status(ROOT)
    await contents.details([ROOT])
    expect(warnings).toEqual([expect.stringMatching(/links or attributes of \/ are lost: .*with\/slash/)])
  })

  it('of a page, and objects of one, are all that is copied of a list', async () => {
    const { contents } = await open()
    const pages = () => [contents.links(ROOT, { limit: 1 }), contents.objects(ROOT, 'group', { limit: 1 })]
    // Lists are made when they are first needed.
    for (const page of pages()) await all<unknown>(page)
    const slices = vi.spyOn(Array.prototype, 'slice')
    try {
      for (const page of pages()) expect(await all<unknown>(page)).toHaveLength(1)
      for (const { value } of slices.mock.results) expect(value.length).toBeLessThan(2)
    } finally {
      slices.mockRestore()
    }
  })

  it('are found by what they lead to', async () => {
    const { contents } = await open()
    const links = await all(contents.linksTo(DATASET))
    expect(links.map(({ group, title }) => [group, title])).toEqual([
      [ROOT, 'Zahlen'],
      [ROOT, '\u{1f600}'],
      [GROUP, 'a'],
    ])
    expect(await all(contents.linksTo(ROOT))).toEqual([{ group: GROUP, title: 'z' }])
    expect(await all(contents.linksTo(UNLINKED))).toEqual([])
  })
})

describe('attributes', () => {
  it('come by name, in pages, those that cannot be read with the reason', async () => {
    const { contents } = await open()
    const names = async (page?: Page) => (await all(contents.attributes(ROOT, page))).map(({ name }) => name)
    expect(await names()).toEqual(['a', 'b', 'cut', 'null', 'to dataset', 'to nothing'])
    const reason = failure('domain-unreadable', 'it needs 1 bytes of values and has 0')
    expect(await all(contents.attributes(ROOT, { marker: 'b', limit: 1 }))).toMatchObject([
      { name: 'cut', reason },
    ])
    expect(await names({ prefix: 'to', limit: 1 })).toEqual(['to dataset'])
    expect(await names({ marker: 'b', order: 'created', limit: 1 })).toEqual(['null'])
    expect(await contents.attribute(ROOT, 'a')).toMatchObject({
      committedType: DATATYPE,
      value: { data: Uint8Array.of(8) },
      created: MTIME,
    })
    expect(await contents.attribute(ROOT, 'A')).toBeUndefined()
  })

  it('that cannot be read say why when they are named', async () => {
    const { contents } = await open()
    await expect(contents.attribute(ROOT, 'cut')).rejects.toEqual(
      failure('file-unreadable', '/ attribute "cut": '),
    )
  })
})

describe('values', () => {
  async function datasetOf(contents: MountedContents): Promise<Dataset> {
    const object = await contents.object(DATASET)
    if (object?.kind !== 'dataset') throw new Error('it is no dataset')
    return object
  }

  const readAll = (contents: MountedContents, dataset: Dataset) =>
    all(expandPieces(dataset.type, contents.readPieces(dataset, resolveSelection(SELECT_ALL, dataset.space))))

  it('refer to objects that nothing has named before', async () => {
    const root = header(100, GROUP_INFO, link('a', 2000))
    const bytes = [...addressBytes(3200), ...addressBytes(100)]
    const { contents } = await open([root, dataset(2000, REFERENCE, bytes), header(3200, datatype(BYTE))])
    const [{ data }] = await readAll(contents, await datasetOf(contents))
    expect([0, 48].map(at => readObjectReference(data, at))).toEqual([
      { kind: 'datatype', id: UNLINKED },
      { kind: 'group', id: ROOT },
    ])
  })

  it('take the room that their part says, or none where it cannot', async () => {
    const { contents } = await open()
    expect(await contents.allocation(DATASET)).toEqual({ chunks: 1, bytes: 10 })
    expect(await contents.allocation(ROOT)).toEqual({ chunks: 0, bytes: 0 })
    const openValues: ContentsOptions['openValues'] = (...parts) => ({
      ...simpleValues(...parts),
      allocation: () => Promise.reject(new HyperslabError('file-unreadable', 'the index is damaged')),
    })
    const damaged = await open(STRUCTURES, {}, { openValues })
    expect(await damaged.contents.allocation(DATASET)).toEqual({ chunks: 0, bytes: 0 })
    expect(await damaged.contents.statistics()).toMatchObject({ datasets: 1, chunks: 0 })
  })
})

describe('opening', () => {
  it('reads the root group only', async () => {
    const many = Array.from({ length: 20 }, (_, i) => header(1000 + i * 100, datatype(BYTE)))
    const root = header(100, GROUP_INFO, ...many.map(({ address }) => link(`${address}`, address)))
    const { contents, reads } = await open([root, ...many])
    expect(await contents.object(ROOT)).toMatchObject({ kind: 'group' })
    expect(await contents.status(ROOT)).toMatchObject({ linkCount: 20 })
    // The signature, the superblock, and the block that has everything.
    expect(reads()).toBe(3)
  })

  it('is refused while a program writes without SWMR, unless the setting says otherwise', async () => {
    const flags = OPEN_FOR_WRITING
    await expect(open(STRUCTURES, { flags })).rejects.toEqual(failure('file-open-for-writing', 'h5clear -s'))
    const { contents } = await open(STRUCTURES, { flags }, { readsWhileWritten: true })
    expect(await contents.object(DATASET)).toMatchObject({ kind: 'dataset' })
    const swmr = await open(STRUCTURES, { flags: flags | SWMR })
    expect(await swmr.contents.object(DATASET)).toMatchObject({ kind: 'dataset' })
  })

  it('is refused without a root group', async () => {
    await expect(open([])).rejects.toEqual(failure('file-unreadable', 'the object header at 100'))
    await expect(open([header(100, datatype(BYTE))])).rejects.toEqual(failure('file-unreadable', 'root'))
  })
})

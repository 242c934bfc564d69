import { type DomainPath, type ObjectId, parseDomainPath } from '@hyperslab/model/names'
import { IN_THIS_THREAD } from '@hyperslab/store/chunks'
import { openStore } from '@hyperslab/store/engines'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  all,
  dataset,
  domain,
  group,
  hardLink,
  inPieces,
  int32s,
  newId,
  newRoot,
} from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import type { MountedFile } from '../mounts/mount.ts'
import { exportDomain } from '../transfer/export-domain.ts'
import { StoredDomains } from './stored-domains.ts'

const PATH = parseDomainPath('/f/a')
const NOBODY = {
  userName: 'ann',
  ...{ create: false, read: false, update: false, delete: false, readACL: false, updateACL: false },
}

let store: ReturnType<typeof openStore>
let stored: StoredDomains
let root: ObjectId
let id: ObjectId

beforeEach(async () => {
  store = openStore(openMemoryEngine(), { clock: testClock(), random: seededRandom(1), sweeps: false })
  stored = new StoredDomains(work => store.read(work), IN_THIS_THREAD)
  root = newRoot()
  id = newId(root)
  await store.write(async writer => {
    await writer.putDomain(domain('/f'))
    await writer.putDomain(domain(PATH, root))
    await writer.putDomain({ ...domain('/f/b', newRoot()), join: '{}' })
    await writer.createObject(group(root))
    await writer.createObject(dataset(id, { dims: [4], chunkDims: [4] }))
    await writer.putLinks(root, hardLink('d', id, 1, 'dataset'))
  })
  await put(1)
})
afterEach(async () => {
  // It waits for the states that are kept.
  stored.close()
  await store.close()
})

async function put(value: number): Promise<void> {
  const object = dataset(id, { dims: [4], chunkDims: [4] })
  await store.write(writer => writer.writeValues(object, all(object), inPieces(int32s([value, 2, 3, 4]))))
}

async function found(path: DomainPath = PATH): Promise<MountedFile> {
  const file = await stored.find(path)
  if (file?.kind !== 'file') throw new Error(`${path} is no file`)
  return file
}

async function bytesOf(file: MountedFile): Promise<Uint8Array> {
  const { source } = await file.open()
  const [head] = await source.read([{ position: 0, length: 100 }])
  const rest = new Uint8Array(source.size - 100)
  expect(await source.readInto(rest, 100)).toBe(rest.length)
  return Buffer.concat([head, rest])
}

function downloaded(): Promise<Uint8Array> {
  return store.read(async reader => {
    const pieces: Uint8Array[] = []
    for await (const piece of (await exportDomain(reader, PATH)).pieces()) pieces.push(piece.slice())
    return Buffer.concat(pieces)
  })
}

/** Ends the states that are kept. */
async function passTime(): Promise<void> {
  for (let i = 0; i < 20; i++) {
    stored.renew()
    await stored.find(PATH)
  }
}

it('are files with the bytes of their downloads, and folders; joined domains are neither', async () => {
  expect(await bytesOf(await found())).toEqual(await downloaded())
  expect(await stored.find(parseDomainPath('/f'))).toMatchObject({ kind: 'folder' })
  expect(await stored.find(parseDomainPath('/f/b'))).toBe(undefined)
  expect(await stored.find(parseDomainPath('/f/none'))).toBe(undefined)
  const children: string[] = []
  for await (const { path } of stored.children(parseDomainPath('/f'))) children.push(path)
  expect(children).toEqual([PATH])
})

it('are read in the state in which they were found, as long as it is kept, and then not at all', async () => {
  const before = await downloaded()
  const file = await found()
  await put(100)
  expect(await bytesOf(file)).toEqual(before)
  const open = await file.open()
  await passTime()
  await expect(open.source.readInto(new Uint8Array(8), 0)).rejects.toMatchObject({ code: 'file-changed' })
  await expect(file.open()).rejects.toMatchObject({ code: 'file-changed' })
  const again = await found()
  expect(again.stamp).not.toBe(file.stamp)
  expect(await bytesOf(again)).toEqual(await downloaded())
})

it('that are unchanged are read after their state has ended, too', async () => {
  const file = await found()
  await passTime()
  expect(await bytesOf(file)).toEqual(await downloaded())
})

it('are found as they are now after a renewal', async () => {
  await found()
  await store.write(writer => writer.putDomain(domain('/f/c', newRoot())))
  stored.renew()
  expect(await stored.find(parseDomainPath('/f/c'))).toMatchObject({ kind: 'file' })
})

it('are no files if an object has a list of its own', async () => {
  await store.write(writer => writer.setAcl(root, [NOBODY]))
  await expect(bytesOf(await found())).resolves.toBeDefined()
  await store.write(writer => writer.setAcl(id, [NOBODY]))
  stored.renew()
  await expect((await found()).open()).rejects.toMatchObject({
    code: 'file-unreadable',
    message: 'the domain /f/a cannot be joined: an object in it has an access list of its own',
  })
})

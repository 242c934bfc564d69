// Reads all of a file as a server does where it is mounted. Only errors of the service's own kind may come of it,
// however the file is damaged.

import { HyperslabError } from '@hyperslab/base/errors'
import { MountedValues, openContents } from '@hyperslab/files/mounts'
import { extentsOf, product } from '@hyperslab/model/dataset'
import { type ObjectId, parseDomainPath } from '@hyperslab/model/names'
import { IN_THIS_THREAD } from '@hyperslab/store/chunks'
import type { MountedContents } from '@hyperslab/store/store'
import { idAtAddress, mountedRoot } from '../../packages/files/mounts/object-ids.ts'
import { SELECT_ALL } from '../../packages/server/service/selection/request.ts'
import { resolveSelection } from '../../packages/server/service/selection/resolve.ts'
import { BufferPool } from '../../packages/store/chunks/buffer-pool.ts'
import { ChunkFilters } from '../../packages/store/chunks/chunk-filters.ts'
import { sourceOf } from '../fixtures/file-of-structures.ts'

const PATH = parseDomainPath('/damaged')
const ROOT = mountedRoot('secret', PATH)

/** The most elements that are read of one dataset. */
const MOST_ELEMENTS = 100_000
const MOST_OBJECTS = 300

export async function readMounted(bytes: Uint8Array): Promise<void> {
  const source = sourceOf(bytes)
  const file = { kind: 'file', path: PATH, size: source.size, stamp: '', lastModified: 0 } as const
  await tolerate(async () => {
    const kept = await openContents({ source, openSibling: async () => undefined }, file, {
      root: ROOT,
      acl: [],
      openValues: (reader, readResolved) =>
        new MountedValues({
          reader,
          readResolved,
          source,
          filters: new ChunkFilters(IN_THIS_THREAD, 2 ** 20),
          pool: new BufferPool(2 ** 20),
          pieceBytes: 2 ** 20,
          pathOf: address => reader.pathOf(address),
        }),
    })
    await readContents(kept.for({}))
  })
}

async function readContents(contents: MountedContents): Promise<void> {
  const ids = new Set<ObjectId>([ROOT])
  for (const id of ids) {
    if (ids.size > MOST_OBJECTS) break
    await tolerate(() => readObject(contents, id))
    await tolerate(async () => {
      for await (const { target } of contents.links(id)) if ('id' in target) ids.add(target.id)
    })
    await tolerate(async () => {
      for await (const attribute of contents.attributes(id)) {
        if ('type' in attribute && attribute.committedType) ids.add(attribute.committedType)
      }
    })
  }
  // Nothing has this id: the whole file is looked through.
  await tolerate(() => contents.object(idAtAddress(ROOT, '1')))
  await tolerate(() => contents.statistics())
}

async function readObject(contents: MountedContents, id: ObjectId): Promise<void> {
  const object = await contents.object(id)
  await contents.status(id)
  if (object?.kind !== 'dataset' || object.space.class === 'H5S_NULL') return
  if (product(extentsOf(object.space)) > MOST_ELEMENTS) return
  const selection = resolveSelection(SELECT_ALL, object.space)
  for await (const piece of contents.readPieces(object, selection)) if (piece.count === 0) break
}

async function tolerate(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof HyperslabError)) throw error
  }
}

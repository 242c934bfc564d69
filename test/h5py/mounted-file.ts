// A file as the domain that it is when it is mounted, for comparisons.

import { dirname } from 'node:path'
import { openFileSource, siblingFiles } from '@hyperslab/files/import'
import { MountedValues, openContents } from '@hyperslab/files/mounts'
import type { FileAddress } from '@hyperslab/h5/reader'
import type { DomainPath, ObjectId } from '@hyperslab/model/names'
import { expandPieces } from '@hyperslab/model/values'
import { IN_THIS_THREAD } from '@hyperslab/store/chunks'
import { addressOfId, mountedRoot } from '../../packages/files/mounts/object-ids.ts'
import { BufferPool } from '../../packages/store/chunks/buffer-pool.ts'
import { ChunkFilters } from '../../packages/store/chunks/chunk-filters.ts'
import type { DomainSource } from './domain-reader.ts'

export interface MountedDomain {
  readonly reader: DomainSource
  addressOf(id: ObjectId): FileAddress
  close(): void
}

/** `root`: the address of its root group. */
export async function mountFile(file: string, path: DomainPath, root: FileAddress): Promise<MountedDomain> {
  const source = openFileSource(file)
  const siblings = siblingFiles({ found: file, real: file }, dirname(file), openFileSource)
  const close = () => {
    source.close()
    siblings.close()
  }
  const { size, stamp, lastModified } = source
  const mounted = { kind: 'file', path, size, stamp, lastModified } as const
  const id = mountedRoot('secret', path)
  try {
    const kept = await openContents({ source, openSibling: siblings.open }, mounted, {
      root: id,
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
    const contents = kept.for({})
    const times = { created: lastModified, lastModified }
    const domain = async () => ({ path, root: id, readOnly: true, closed: false, ...times })
    return {
      reader: {
        domain,
        object: contents.object.bind(contents),
        links: contents.links.bind(contents),
        attributes: contents.attributes.bind(contents),
        readValues: (dataset, selection) =>
          expandPieces(dataset.type, contents.readPieces(dataset, selection)),
      },
      addressOf: object => (object === id ? root : (addressOfId(id, object) ?? `unknown ${object}`)),
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

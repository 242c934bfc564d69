// The objects of a file along its hard links, each once, by the first path to it.

import { inParallel, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { type FileAddress, type FileLink, type H5FileReader, memberPath } from '@hyperslab/h5/reader'
import type { ObjectKind } from '@hyperslab/model/names'
import { PARALLEL_OBJECTS } from '../../transfer/file-objects.ts'

export interface WalkedObject {
  readonly address: FileAddress
  readonly path: string
  readonly title: string
  readonly kind: ObjectKind
}

/** An object of a file that others may be put beside. */
export interface OutlinedObject {
  readonly path: string
  readonly kind: ObjectKind
  /** The links of a group. */
  readonly links?: readonly FileLink[]
  /** The names of the attributes of a group. */
  readonly attributes?: readonly string[]
  /** Present: it is a dimension scale. */
  readonly scale?: OutlinedScale
  /** The dimension scales of a dataset, by dimension. */
  readonly scales?: readonly (FileAddress | undefined)[]
}

export interface OutlinedScale {
  /** The length of the dimension. */
  readonly length: number
  /** The number of the dimension in a file of netCDF-4. */
  readonly number?: number
}

/** Objects of one file of a joined domain. @limit safety, objects */
const MAX_OBJECTS = 20_000

/** The results of `read` for the root group and for all objects below it: a group's before those of its members. */
export async function walkObjects<Result>(
  reader: H5FileReader,
  read: (object: WalkedObject) => Promise<Result>,
): Promise<readonly Result[]> {
  const root: WalkedObject = { address: reader.root, path: '/', title: '', kind: 'group' }
  const results: Result[] = [await read(root)]
  const seen = new Set<FileAddress>([reader.root])
  const groups = [root]
  for (const group of groups) {
    for await (const links of reader.links(group.address)) {
      if (isTurnOver()) await nextTurn()
      const targets = links.flatMap(link => {
        if (link.class !== 'H5L_TYPE_HARD' || seen.has(link.address)) return []
        seen.add(link.address)
        return [link]
      })
      if (seen.size > MAX_OBJECTS)
        throw new HyperslabError('file-unreadable', `it has more than ${MAX_OBJECTS} objects`)
      const found = new Map<FileAddress, { readonly object: WalkedObject; readonly result: Result }>()
      await inParallel(targets, PARALLEL_OBJECTS, async ({ address, title }) => {
        const { kind } = await reader.object(address)
        const object = { address, path: memberPath(group.path, title), title, kind }
        found.set(address, { object, result: await read(object) })
      })
      // In the order of the links, whichever object was read first.
      for (const { address } of targets) {
        const one = found.get(address)
        if (!one) continue
        results.push(one.result)
        if (one.object.kind === 'group') groups.push(one.object)
      }
    }
  }
  return results
}

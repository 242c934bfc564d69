// Reads all that a file gives, as an importer does, and bounds what it asks for: a dataset may claim any extents.

import { HyperslabError } from '@hyperslab/base/errors'
import type { FileAddress, H5FileReader, ReferenceResolver } from '@hyperslab/h5/reader'
import { extentsOf } from '@hyperslab/model/dataset'
import { elementSize } from '@hyperslab/model/datatype'
import { idFromHex } from '@hyperslab/model/names'

const MOST_OBJECTS = 3000
const MOST_CHUNKS = 10_000
/** The most bytes that are read of one dataset in one piece, and of the whole file. */
const PIECE_BYTES = 2 ** 20
const FILE_BYTES = 2 ** 24

const ID = idFromHex('0'.repeat(32))

/** Errors of the reader's own kind are what a damaged file gives; any other is thrown. Returns how much was read. */
export async function readEverything(
  open: () => Promise<H5FileReader>,
): Promise<{ objects: number; refused: number }> {
  let refused = 0
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HyperslabError)) throw error
      refused++
      return undefined
    }
  }
  const reader = await attempt(open)
  if (!reader) return { objects: 0, refused }
  const resolve: ReferenceResolver = () => ({ kind: 'dataset', id: ID })
  const known = new Set<FileAddress>([reader.root])
  let left = FILE_BYTES

  const readDataset = async (address: FileAddress) => {
    const dataset = await attempt(() => reader.dataset(address))
    if (!dataset || dataset.space.class === 'H5S_NULL') return
    await attempt(async () => {
      let chunks = 0
      for await (const batch of (await reader.storedChunks(address))?.batches() ?? []) {
        chunks += batch.length
        if (chunks > MOST_CHUNKS) break
      }
    })
    const dims = extentsOf(dataset.space)
    let room = Math.max(1, Math.floor(Math.min(PIECE_BYTES, left) / elementSize(dataset.type)))
    const count = dims.toReversed().map(extent => {
      const some = Math.min(extent, Math.max(1, room))
      room = Math.floor(room / Math.max(1, some))
      return some
    })
    count.reverse()
    const corners = [dims.map(() => 0), dims.map((extent, d) => extent - count[d])]
    for (const start of String(corners[0]) === String(corners[1]) ? corners.slice(1) : corners) {
      if (left <= 0) break
      const elements = await attempt(() => reader.readValues(address, start, count, resolve))
      if (elements) left -= elements.data.length + elements.heap.length
    }
  }

  for (const address of known) {
    if (known.size > MOST_OBJECTS) break
    const object = await attempt(() => reader.object(address))
    if (!object) continue
    await attempt(async () => {
      for await (const _ of reader.attributes(address, resolve));
    })
    if (object.kind === 'datatype') await attempt(() => reader.datatype(address))
    if (object.kind === 'dataset') await readDataset(address)
    if (object.kind !== 'group') continue
    await attempt(async () => {
      for await (const links of reader.links(address))
        for (const link of links) if (link.class === 'H5L_TYPE_HARD') known.add(link.address)
    })
  }
  await reader.close()
  return { objects: known.size, refused }
}

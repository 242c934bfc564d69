// A domain as an HDF5 file: the file that it is, byte by byte as it lies, or one that is written anew.

import { newMemory } from '../h5file/byte-source.ts'
import type { ChunkEncoding } from '../h5file/writer/chunk-encoding.ts'
import { planFile } from '../h5file/writer/file-plan.ts'
import type { ObjectId } from '../hdf5/object-id.ts'
import type { DomainFile, FileRequest } from '../service/domains/domain-files.ts'
import type { OwnFile, Reader } from '../storage/store.ts'
import { filledPieces } from './file-source.ts'

/** A longer part is read in pieces. */
const PIECE_BYTES = 2 ** 20

interface OpenRequest extends FileRequest {
  readonly encoding: ChunkEncoding
}

/** What `DomainFiles.open` promises. */
export async function openDomainFile(
  reader: Reader,
  root: ObjectId,
  { repack, ...request }: OpenRequest,
): Promise<DomainFile> {
  const own = repack ? undefined : await reader.ownFile(root)
  if (own) {
    const { size, version } = own
    const pieces: DomainFile['pieces'] = (position, length) => ownPieces(own, position, length)
    return { length: size, version: `${root} ${version}`, losses: async () => [], pieces }
  }
  const plan = await planFile(reader, root, request)
  const { form } = await reader.state(root)
  return {
    length: plan.length,
    version: `${form} ${request.skipUnreadable}`,
    losses: () => plan.losses(),
    pieces: (position, length) => plan.pieces(position, length),
  }
}

async function* ownPieces({ read }: OwnFile, position: number, length: number): AsyncGenerator<Uint8Array> {
  if (length <= PIECE_BYTES) {
    const memory = newMemory(length)
    yield memory.subarray(0, await read(memory, position))
    return
  }
  let done = 0
  yield* filledPieces(async buffer => {
    const count = await read(buffer.subarray(0, length - done), position + done)
    done += count
    return count
  })
}

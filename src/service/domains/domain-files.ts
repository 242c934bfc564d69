// Whole domains as HDF5 files, and HDF5 files as domains: who may take one out. What makes the file is a part of the server, `DomainFiles`,
// which `src/transfer` implements.

import type { DomainPath } from '../../hdf5/domain-path.ts'
import type { ObjectId } from '../../hdf5/object-id.ts'
import type { AbortCheck, HdfObject, Reader } from '../../storage/store.ts'
import { requirePermission } from '../access/access.ts'
import type { Context } from '../context.ts'
import { openDomain } from './domains.ts'

/** A part of a domain that its file does not have, or a part of a file that its domain does not have. */
export interface FileLoss {
  /** Of the object, or of the link. */
  readonly path: string
  readonly message: string
}

/** A domain as the bytes of an HDF5 file. They are read while the snapshot of its reader is open. */
export interface DomainFile {
  readonly length: number
  /** From the first byte to the last. A piece is valid until the next one is asked for. */
  pieces(): AsyncIterable<Uint8Array>
  /** What is known to be left out; all of it when the pieces have been read. */
  losses(): Promise<readonly FileLoss[]>
}

export interface FileRequest {
  /** Datasets without values are left out; otherwise they are an error. */
  readonly skipUnreadable: boolean
  readonly signal: AbortCheck
  /** Called for each object before it becomes part of the file; throws when it must not. */
  readonly visit: (object: HdfObject) => void
}

export interface DomainFiles {
  /** `values-unreadable` for a dataset without values, `type-unsupported` for what a file cannot hold, each with the path. */
  plan(reader: Reader, root: ObjectId, request: FileRequest): Promise<DomainFile>
}

/** The file of a domain, for a caller that may read each object that hard links reach from its root group. */
export async function downloadDomain(
  context: Context,
  files: Pick<DomainFiles, 'plan'>,
  path: DomainPath,
  { skipUnreadable }: Pick<FileRequest, 'skipUnreadable'>,
): Promise<DomainFile> {
  const { reader, signal } = context
  const domain = await openDomain(context, path)
  requirePermission(context, 'read', domain)
  const visit = (object: HdfObject): void => requirePermission(context, 'read', domain, object)
  const file = await files.plan(reader, domain.root.id, { skipUnreadable, signal, visit })
  return { length: file.length, losses: () => file.losses(), pieces: () => unchanged(reader, file) }
}

/** A domain that is a file itself may change while it is read: then the last piece is not sent. */
async function* unchanged(reader: Reader, file: DomainFile): AsyncGenerator<Uint8Array> {
  let done = 0
  for await (const piece of file.pieces()) {
    done += piece.length
    if (done === file.length) await reader.requireUnchanged()
    yield piece
  }
}

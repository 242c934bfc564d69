// Whole domains as HDF5 files, and HDF5 files as domains: the permissions to download and upload them. `DomainFiles`
// reads and writes the files; `src/transfer` implements it.

import type { AbortCheck } from '../../bounded/turns.ts'
import type { Acl } from '../../hdf5/acl.ts'
import type { DomainPath } from '../../hdf5/domain-path.ts'
import type { LinkedFiles } from '../../hdf5/linked-files.ts'
import type { ObjectId } from '../../hdf5/object-id.ts'
import type { DomainEntry, HdfObject, Reader, Writer } from '../../storage/store.ts'
import { requirePermission, requireWritable } from '../access/access.ts'
import type { Context, OpenDomain, WriteContext } from '../context.ts'
import { createDomain, domainExists, type NewDomain, requireCreatable } from './domain-creation.ts'
import { deleteDomain, openDomain, withRoot } from './domains.ts'
import { requireState } from './pinned.ts'
import { requireRequiredState } from './required-state.ts'

/** A part of a domain that its file does not have, or a part of a file that its domain does not have. */
export interface FileLoss {
  /** The path of the object, or of the link. */
  readonly path: string
  readonly message: string
}

/** A domain as the bytes of an HDF5 file. They are read while the snapshot of its reader is open. */
export interface DomainFile {
  readonly length: number
  /** A version that differs for different bytes. */
  readonly version: string
  /** The bytes of a part. A piece is valid until the next one is requested. */
  pieces(position: number, length: number): AsyncIterable<Uint8Array>
  /** The parts that are known to be left out; all of them when the pieces have been read. */
  losses(): Promise<readonly FileLoss[]>
}

/** Options of the file of a domain. */
export interface FileForm {
  /** True: datasets without values are left out; otherwise they are an error. */
  readonly skipUnreadable: boolean
  /** True: a domain that is a file is written anew, too. */
  readonly repack: boolean
}

export interface FileRequest extends FileForm {
  readonly signal: AbortCheck
  /** Called for each object before it becomes part of the file; throws when it must not. */
  readonly visit: (object: HdfObject) => void
}

/** An uploaded file. */
export interface IncomingFile<Published> {
  /** The bytes of the file, which can be iterated once. */
  readonly pieces: AsyncIterable<Uint8Array>
  /** The number of bytes, if it is known before they are read. */
  readonly length: number | undefined
  /** Names that the file may have for itself: its own name, if the request contains it, and that of the domain. */
  readonly names: readonly string[]
  /** True: a file of which a part would be left out or changed is refused. */
  readonly strict: boolean
  /** The locations of the files that its external links name; absent: the names are the locations. */
  readonly linkedFiles?: LinkedFiles
  /** Aborted when the client leaves; then nothing is stored. */
  readonly signal: AbortSignal
  /**
   * Makes the contents, which no domain has yet, a domain. It is called in the last transaction, which may run several
   * times.
   */
  readonly publish: (writer: Writer, root: ObjectId) => Promise<Published>
}

export interface DomainFiles {
  /**
   * The file that the domain is (`Reader.ownFile`), or else one that is planned now. Throws `values-unreadable` for a
   * dataset without values and `type-unsupported` for a type that a file cannot hold, each with the path.
   */
  open(reader: Reader, root: ObjectId, request: FileRequest): Promise<DomainFile>
  /**
   * Reads a file to its end and makes it a domain, all of it or nothing, also when the process dies. Parts that cannot
   * be kept are left out. Throws `not-hdf5`, `file-unreadable`, `file-damaged`; `body-too-large` beyond the setting
   * max_upload; `storage-full`.
   */
  take<Published>(
    file: IncomingFile<Published>,
  ): Promise<{ published: Published; losses: readonly FileLoss[] }>
}

/**
 * The file of a domain, for a caller that may read each object that hard links reach from its root group. Throws
 * `domain-changed` unless the file is of the `state`, if one is given.
 */
export async function downloadDomain(
  context: Context,
  files: Pick<DomainFiles, 'open'>,
  path: DomainPath,
  form: FileForm,
  state?: string,
): Promise<DomainFile> {
  const { reader, signal } = context
  const domain = await openDomain(context, path)
  requirePermission(context, 'read', domain)
  if (state !== undefined) await requireState(context, domain, state, 'form')
  await requireRequiredState(context, domain)
  // Objects without a list of their own are checked once: one answer holds for all.
  let arePlainAllowed = false
  const visit = (object: HdfObject): void => {
    const isPlain = object.acl.length === 0
    if (isPlain && arePlainAllowed) return
    requirePermission(context, 'read', domain, object)
    arePlainAllowed ||= isPlain
  }
  return files.open(reader, domain.root.id, { ...form, signal, visit })
}

export interface UploadOptions extends Pick<NewDomain, 'owner' | 'createParents' | 'closed'> {
  /** True: a domain of that name is replaced, in one step. Its owner and its access control list stay. */
  readonly replace: boolean
}

/** Throws unless the caller may make a file the domain at `path`, without reading its bytes. */
export async function requireUpload(
  context: Context,
  path: DomainPath,
  options: UploadOptions,
): Promise<void> {
  await requireCreatable(context, path, options)
  await replacedDomain(context, path, options)
}

/** Makes the contents, which no domain has yet, the domain at `path`. */
export async function publishUpload(
  context: WriteContext,
  path: DomainPath,
  contents: ObjectId,
  { replace, ...options }: UploadOptions,
): Promise<{ entry: DomainEntry; acl: Acl }> {
  const { writer, now } = context
  await requireCreatable(context, path, options)
  const replaced = await replacedDomain(context, path, { replace })
  if (!replaced) return createDomain(context, path, { ...options, contents })
  const { acl } = replaced.root
  await deleteDomain(context, path)
  await writer.setAcl(contents, acl)
  const { importedFrom: _, ...kept } = replaced.entry
  const entry = { ...kept, root: contents, created: now, lastModified: now }
  await writer.putDomain(entry)
  return { entry, acl }
}

/** The domain that is to be replaced: the caller must have the permission to delete it. Undefined: the path is free. */
async function replacedDomain(
  context: Context,
  path: DomainPath,
  { replace }: Pick<UploadOptions, 'replace'>,
): Promise<OpenDomain | undefined> {
  const entry = await context.reader.domain(path)
  if (!entry) return undefined
  const domain = replace ? await withRoot(context, entry) : undefined
  if (!domain) throw domainExists(path)
  requireWritable(domain)
  requirePermission(context, 'delete', domain)
  return domain
}

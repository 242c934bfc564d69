// Opens the target of an import into a store. Its contents become the domain of a path, with the access of the folder
// or of the domain that is replaced.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Acl, ObjectId, Timestamp } from '@hyperslab/model/names'
import { type DomainPath, isTopLevel, parentOf } from '@hyperslab/model/names'
import type { DomainEntry, ImportedFile, Reader, Store, Writer } from '@hyperslab/store/store'
import { type ContentsOptions, ImportTarget, type Publication } from './target.ts'

/** The owner of a domain, its list, and whether the list is closed. */
export interface DomainAccess {
  readonly owner?: string
  readonly acl: Acl
  readonly closed: boolean
}

export interface StoreTargetOptions {
  readonly path: DomainPath
  /** The file that is imported. Its last change is the creation time of everything imported (classic 3.6). */
  readonly file: ImportedFile
  readonly readOnly: boolean
  /** True: an existing domain of that name is replaced in one transaction. */
  readonly replace: boolean
  /** The access of a new domain in a folder. */
  accessWithin(reader: Pick<Reader, 'domain'>, folder: DomainPath): Promise<DomainAccess>
}

/** Opens the target; throws `domain-exists` if the name is taken. */
export async function openStoreTarget(store: Store, options: StoreTargetOptions): Promise<ImportTarget> {
  await store.read(async reader => {
    await requireFreePath(reader, options)
    for (let folder = parentOf(options.path); !isTopLevel(folder); folder = parentOf(folder)) {
      const entry = await reader.domain(folder)
      if (entry?.root !== undefined) throw notFolder(folder)
    }
  })
  const time = options.file.lastModified
  const publish: ContentsOptions['publish'] = (writer, root, inPart, acl) =>
    publishFile(writer, root, inPart, acl, options, store.now())
  return new ImportTarget(store, { time, publish })
}

async function publishFile(
  writer: Writer,
  root: ObjectId,
  inPart: boolean,
  ownAcl: Acl | undefined,
  options: StoreTargetOptions,
  now: Timestamp,
): Promise<Publication> {
  const { path, file, readOnly } = options
  const replaced = await requireFreePath(writer, options)
  // A file that replaces a domain keeps its access, save for users that the list of the file names.
  const { acl, ...access } = replaced
    ? await accessOf(writer, replaced)
    : await options.accessWithin(writer, parentOf(path))
  if (replaced) await writer.deleteDomain(path)
  const newFolders = await createFolders(writer, parentOf(path), now)
  await writer.setAcl(root, joinAcls(ownAcl ?? [], acl))
  const dates = { created: file.lastModified, lastModified: file.lastModified }
  const importedFrom = inPart ? ({ ...file, inPart } as const) : file
  await writer.putDomain({ path, root, ...access, ...dates, readOnly, importedFrom })
  return { newFolders, replaced: replaced !== undefined }
}

function joinAcls(first: Acl, second: Acl): Acl {
  const named = new Set(first.map(({ userName }) => userName))
  return [...first, ...second.filter(({ userName }) => !named.has(userName))]
}

/**
 * The domain to replace, if there is one. It may be read-only, because only the owner of the data folder can make it
 * so.
 */
async function requireFreePath(
  reader: Pick<Writer, 'domain'>,
  { path, file, replace }: Pick<StoreTargetOptions, 'path' | 'file' | 'replace'>,
): Promise<DomainEntry | undefined> {
  const entry = await reader.domain(path)
  if (!entry) return undefined
  if (entry.root === undefined) {
    throw new HyperslabError('domain-exists', `${path} is a folder`, { subject: path })
  }
  if (replace) return entry
  const isOld = entry.importedFrom !== undefined && !isSameFile(entry.importedFrom, file)
  const reason = isOld ? 'already exists, and the file has changed since it was imported' : 'already exists'
  throw new HyperslabError('domain-exists', `the domain ${path} ${reason}: --replace replaces it`, {
    subject: path,
  })
}

/** The file as it is now, if the domain was imported from it. */
export async function importedFile(
  store: Store,
  path: DomainPath,
  file: ImportedFile,
): Promise<ImportedFile | undefined> {
  const entry = await store.read(reader => reader.domain(path))
  return entry?.importedFrom && isSameFile(entry.importedFrom, file) ? entry.importedFrom : undefined
}

function isSameFile(a: ImportedFile, b: ImportedFile): boolean {
  return a.size === b.size && a.lastModified === b.lastModified
}

async function accessOf(writer: Writer, { root, owner, closed }: DomainEntry): Promise<DomainAccess> {
  const acl = root === undefined ? [] : ((await writer.object(root))?.acl ?? [])
  return { ...(owner !== undefined && { owner }), acl, closed }
}

/** Creates missing folders; returns them, the outermost first. */
async function createFolders(
  writer: Writer,
  folder: DomainPath,
  now: Timestamp,
): Promise<readonly DomainPath[]> {
  if (isTopLevel(folder)) return []
  const entry = await writer.domain(folder)
  if (entry?.root !== undefined) throw notFolder(folder)
  if (entry) return []
  const above = await createFolders(writer, parentOf(folder), now)
  await writer.putDomain({ path: folder, created: now, lastModified: now, readOnly: false, closed: false })
  return [...above, folder]
}

function notFolder(path: DomainPath): HyperslabError {
  return new HyperslabError('parent-is-domain', `${path} is a domain: only a folder can hold others`, {
    subject: path,
  })
}

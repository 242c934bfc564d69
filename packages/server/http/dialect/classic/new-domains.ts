// Domains by the names of the classic dialect, in which a folder is no domain: a name may be that of a folder and of a
// domain, as a directory `run7` and a file `run7.h5` lie side by side (classic 12.3).

import { HyperslabError } from '@hyperslab/base/errors'
import { childOf, type DomainPath, FILE_EXTENSION, nameOf, parentOf } from '@hyperslab/model/names'
import type { Context, WriteContext } from '../../../service/context.ts'
import { deleteDomain } from '../../../service/domains/domains.ts'

/**
 * The path that a new domain of the name gets: that of the name or, where a folder has it, with `.h5`, which the name
 * leaves out. Throws when the name is that of a table of contents, or of the folder of all homes.
 */
export async function pathOfNew(context: Context, path: DomainPath): Promise<DomainPath> {
  await context.meanings?.requireOrdinary(context, path, 'created')
  return (await isFolder(context, path)) ? childOf(parentOf(path), nameOf(path) + FILE_EXTENSION) : path
}

/** Deletes a domain; a folder is none, and stays. */
export async function deleteDomainOnly(context: WriteContext, path: DomainPath): Promise<void> {
  await context.meanings?.requireOrdinary(context, path, 'deleted')
  if (await isFolder(context, path)) {
    throw new HyperslabError('domain-is-folder', `${path} is a folder, not a domain`, { subject: path })
  }
  await deleteDomain(context, path)
}

async function isFolder({ reader }: Context, path: DomainPath): Promise<boolean> {
  const entry = await reader.domain(path)
  return entry !== undefined && entry.root === undefined
}

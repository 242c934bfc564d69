// Domains by the names of the classic dialect, in which a folder is no domain: a name may be that of a folder and of a
// domain, as a directory `run7` and a file `run7.h5` lie side by side (classic 12.3).

import { HyperslabError } from '@hyperslab/base/errors'
import { childOf, type DomainPath, FILE_EXTENSION, nameOf, parentOf } from '@hyperslab/model/names'
import type { Context, WriteContext } from '../context.ts'
import { contentsOf, deleteDomain } from './domains.ts'

/**
 * The path that a new domain of the name gets: that of the name or, where a folder has it, with `.h5`, which the name
 * leaves out. Throws when the name is that of a table of contents, or of the folder of all homes.
 */
export async function pathOfNew(context: Context, path: DomainPath): Promise<DomainPath> {
  await requireOrdinary(context, path, 'created')
  const entry = await context.reader.domain(path)
  const isFolder = entry !== undefined && entry.root === undefined
  return isFolder ? childOf(parentOf(path), nameOf(path) + FILE_EXTENSION) : path
}

/** Deletes a domain; a folder is none, and stays. */
export async function deleteDomainOnly(context: WriteContext, path: DomainPath): Promise<void> {
  await requireOrdinary(context, path, 'deleted')
  const entry = await context.reader.domain(path)
  if (entry !== undefined && entry.root === undefined) {
    throw new HyperslabError('domain-is-folder', `${path} is a folder, not a domain`, { subject: path })
  }
  await deleteDomain(context, path)
}

async function requireOrdinary(context: Context, path: DomainPath, change: string): Promise<void> {
  const contents = await contentsOf(context)
  if (contents === undefined && path !== context.homes) return
  const what = contents ? 'the table of contents' : 'the folder of all homes'
  throw new HyperslabError('folder-protected', `${path} cannot be ${change}: it is ${what}`, {
    subject: path,
  })
}

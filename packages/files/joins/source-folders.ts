// The folders that the search for a source reads, said without a look at any file: so it does not depend on what is in
// them.

import {
  type DomainPath,
  isWithin,
  namesBelow,
  parentOf,
  parseDomainPath,
  parseGlob,
} from '@hyperslab/model/names'
import type { JoinSource } from './definition.ts'
import { DEEP } from './find-files.ts'

/** The folder that the search for a source of a stored definition begins in. */
export function startOf(source: JoinSource): DomainPath {
  return source.kind === 'pattern' ? source.folder : parentOf(parseDomainPath(source.location))
}

/** Whether the search for the source goes on in a folder, which is below its first one. */
export function leadsInto(source: JoinSource, folder: DomainPath): boolean {
  const start = startOf(source)
  if (source.kind !== 'pattern' || folder === start || !isWithin(start, folder)) return false
  const below = namesBelow(start, folder) ?? []
  const { names } = source
  const end = names.indexOf(DEEP)
  const own = end < 0 ? below : below.slice(0, end)
  // The last name is that of the files.
  const isReached = end < 0 ? below.length < names.length : true
  return isReached && own.every((name, i) => parseGlob(names[i]).matches(name))
}

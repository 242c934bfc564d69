// A domain as an HDF5 file.

import { HyperslabError } from '@hyperslab/base/errors'
import { type FileOptions, type NewFile, planFile } from '@hyperslab/h5/writer'
import type { DomainPath } from '@hyperslab/model/names'
import type { Reader } from '@hyperslab/store/store'

/** The file of the domain in the state that `reader` reads, which must stay open until its pieces have been read. */
export async function exportDomain(
  reader: Reader,
  path: DomainPath,
  options: FileOptions = {},
): Promise<NewFile> {
  const entry = await reader.domain(path)
  if (entry?.root) return planFile(reader, entry.root, options)
  const rule = entry ? 'is a folder: name the domains in it' : 'is not there'
  throw new HyperslabError('domain-not-found', `the domain ${path} ${rule}`, { subject: path })
}

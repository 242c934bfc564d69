// A file, imported into a store and exported again, for tests that compare the three.

import { writeFile } from 'node:fs/promises'
import { exportDomain } from '@hyperslab/files/export'
import { importFile, openFileSource, openStoreTarget } from '@hyperslab/files/import'
import type { FileWarning } from '@hyperslab/h5/reader'
import type { DomainPath } from '@hyperslab/model/names'
import type { Store } from '@hyperslab/store/store'
import { ALL_PERMISSIONS } from '../../packages/server/service/access/access.ts'
import { accessWithin } from '../../packages/server/service/access/folder-access.ts'
import { openReader } from './open-reader.ts'

/** Replaces the domain by what the file holds. Chunks are taken over as they are where that is possible. */
export async function importInto(store: Store, domain: DomainPath, file: string): Promise<void> {
  const source = openFileSource(file)
  const reader = await openReader(file)
  try {
    const { size, lastModified } = source
    const target = await openStoreTarget(store, {
      path: domain,
      file: { size, lastModified },
      readOnly: false,
      replace: true,
      accessWithin: (reader, folder) => accessWithin(reader, folder, { defaultAcl: ALL_PERMISSIONS }),
    })
    await importFile(reader, target, {
      signal: new AbortController().signal,
      progress: () => {},
      requireUnchanged: () => source.requireUnchanged(),
      file: { size, pieces: stop => source.pieces(stop) },
    })
  } finally {
    await reader.close()
    source.close()
  }
}

/** Writes the domain to the file. What cannot be read is left out. */
export async function exportTo(
  store: Store,
  domain: DomainPath,
  file: string,
): Promise<readonly FileWarning[]> {
  return store.read(async reader => {
    const newFile = await exportDomain(reader, domain, { skipUnreadable: true })
    await writeFile(file, newFile.pieces())
    return newFile.losses()
  })
}

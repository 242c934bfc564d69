// A file, imported into a store and exported again, for tests that compare the three.

import { writePieces } from '../../src/durable-file.ts'
import type { FileWarning } from '../../src/h5file/file-reader.ts'
import type { DomainPath } from '../../src/hdf5/domain-path.ts'
import { ALL_PERMISSIONS } from '../../src/service/access/access.ts'
import { accessWithin } from '../../src/service/access/folder-access.ts'
import type { Store } from '../../src/storage/store.ts'
import { exportDomain } from '../../src/transfer/export-domain.ts'
import { openFileSource } from '../../src/transfer/file-source.ts'
import { importFile } from '../../src/transfer/import-file.ts'
import { openStoreTarget } from '../../src/transfer/store-target.ts'
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
    await writePieces(file, newFile.pieces())
    return newFile.losses()
  })
}

// The interface of a destination of `hyperslab import`: a data folder or a running server.

import type { FileWarning } from '@hyperslab/h5/reader'
import type { DomainPath } from '@hyperslab/model/names'
import type { ImportedFile } from '@hyperslab/store/store'
import type { LocalFile, LocalImportOptions } from './import-local.ts'

export interface ImportedDomain {
  /** The imported objects, in words. */
  readonly contents: string
  /** The losses. */
  readonly warnings: readonly FileWarning[]
  /** The folders that were created for it, the outermost first. */
  readonly newFolders: readonly DomainPath[]
  /** True: a domain of that name was replaced. */
  readonly replaced: boolean
}

export interface Destination {
  /** Makes the file a domain, wholly or not at all. */
  import(file: LocalFile, options: LocalImportOptions): Promise<ImportedDomain>
  /** Whether the domain was imported from the file in its current state, as far as is known, and with losses. */
  importedFile(path: DomainPath, file: ImportedFile): Promise<{ readonly inPart?: boolean } | undefined>
  /** The names of the domain for clients: its path and, in the default bucket, its name in the classic dialect. */
  describe(path: DomainPath): Promise<string>
}

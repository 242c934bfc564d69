// The catalog of the files of a mount on other machines: a list of addresses, or a bucket.

import type { DomainPath, Timestamp } from '@hyperslab/model/names'
import type { ListedState } from './remote-files.ts'

export interface Catalog {
  /** The modification time of the folders: when the catalog was made, since addresses have no times. */
  readonly lastModified: Timestamp
  /** The address of the file at the path; undefined: there is none. */
  locate(path: DomainPath): URL | undefined
  hasFolder(path: DomainPath): Promise<boolean>
  /**
   * The entries of a folder after `after`, by name as UTF-8 bytes; names that do not begin with `prefix` may be left
   * out.
   */
  entries(folder: DomainPath, after: string | undefined, prefix: string): AsyncIterable<CatalogEntry>
  /** The address of a file that the file at `url` names; undefined: it is not in the catalog. */
  locateSibling(url: URL, name: string): URL | undefined
  /** The path of the domain at an address that `locate` or `locateSibling` gave. */
  pathOf(url: URL): DomainPath | undefined
}

/** A file, a folder, or one of each with the same name. */
export interface CatalogEntry {
  readonly name: string
  readonly isFolder: boolean
  readonly file?: { readonly url: URL; readonly listed?: ListedState }
}

// Files on other machines as a mount. Other files than those of HDF5 are not served, and a file that cannot be read is
// left out of listings; the error of `find` has the reason.

import { BoundedMap } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Sibling } from '@hyperslab/h5/reader'
import { namesToTry } from '@hyperslab/model/dataset'
import { childOf, type DomainPath, nameOf } from '@hyperslab/model/names'
import type { Page } from '@hyperslab/store/store'
import { FirstFound } from '../../transfer/first-found.ts'
import { fileChanged } from '../domain-errors.ts'
import type { Mount, MountedFile, MountedFolder, OpenFile } from '../mount.ts'
import type { Catalog, CatalogEntry } from './catalog.ts'
import type { HttpSource } from './http-source.ts'
import { type RemoteFile, RemoteFiles } from './remote-files.ts'
import { MAX_REQUESTS, type RemoteRequests } from './remote-requests.ts'

/**
 * Milliseconds in which a known state of a remote file counts; changes are seen within two seconds.
 * @limit safety, ms
 */
const MAX_AGE = 1500

export interface RemoteMountOptions {
  /** The folder of the namespace. */
  readonly path: DomainPath
  readonly requests: RemoteRequests
  /** Milliseconds after which the state of a file is requested again. */
  readonly maxAge?: number | undefined
  /** Called when a listing leaves out a file, once for each reason. */
  readonly warn?: ((message: string) => void) | undefined
}

/** The siblings of an open file. */
interface Siblings {
  /** The stamps of requested siblings, by their addresses; undefined: there was none. */
  readonly lookups: FirstFound<string, string | undefined>
  /** All sources that are read, and the file itself. */
  readonly sources: Set<HttpSource>
}

/** Files left out whose reasons are remembered. @limit memory, warnings */
const MAX_WARNINGS = 1000

export class RemoteMount implements Mount {
  readonly path: DomainPath
  readonly isRemote = true
  readonly #catalog: Catalog
  readonly #requests: RemoteRequests
  readonly #files: RemoteFiles
  readonly #warn: RemoteMountOptions['warn']
  /** The reasons why files were left out, by path, so that each is logged once. @limit memory, files */
  readonly #warnings = new BoundedMap<DomainPath, string>(MAX_WARNINGS)

  constructor(catalog: Catalog, { path, requests, maxAge = MAX_AGE, warn }: RemoteMountOptions) {
    this.path = path
    this.#catalog = catalog
    this.#requests = requests
    this.#warn = warn
    this.#files = new RemoteFiles({ requests, maxAge })
  }

  async find(path: DomainPath): Promise<MountedFile | MountedFolder | undefined> {
    const url = this.#catalog.locate(path)
    if (url) {
      const file = await this.#files.look(url, path, 'head')
      if (file?.test.isHdf5) return this.#mountedFile(path, url, file)
    }
    return (await this.#catalog.hasFolder(path)) ? this.#mountedFolder(path) : undefined
  }

  async *children(folder: DomainPath, page: Page = {}): AsyncGenerator<MountedFile | MountedFolder> {
    const { marker, limit = Number.POSITIVE_INFINITY, prefix = '' } = page
    const after = marker === undefined ? undefined : nameOf(marker as DomainPath)
    if (limit === 0) return
    let count = 0
    let batch: CatalogEntry[] = []
    for await (const entry of this.#catalog.entries(folder, after, prefix)) {
      batch.push(entry)
      if (batch.length < Math.min(MAX_REQUESTS, limit - count)) continue
      for (const child of await this.#childrenOf(folder, batch)) {
        yield child
        if (++count === limit) return
      }
      batch = []
    }
    yield* await this.#childrenOf(folder, batch)
  }

  async locate(holder: DomainPath, name: string): Promise<DomainPath | undefined> {
    const url = this.#catalog.locate(holder)
    const sibling = url && this.#catalog.locateSibling(url, name)
    return sibling && this.#catalog.pathOf(sibling)
  }

  async close(): Promise<void> {
    this.#requests.close()
  }

  async #childrenOf(
    folder: DomainPath,
    entries: readonly CatalogEntry[],
  ): Promise<readonly (MountedFile | MountedFolder)[]> {
    const children = await Promise.all(entries.map(entry => this.#child(folder, entry)))
    return children.filter(child => child !== undefined)
  }

  async #child(
    folder: DomainPath,
    { name, file, isFolder }: CatalogEntry,
  ): Promise<MountedFile | MountedFolder | undefined> {
    const path = childOf(folder, name)
    if (file) {
      const found = await this.#lookOrLeaveOut(path, file)
      if (found?.test.isHdf5) return this.#mountedFile(path, file.url, found)
    }
    return isFolder ? this.#mountedFolder(path) : undefined
  }

  async #lookOrLeaveOut(
    path: DomainPath,
    { url, listed }: NonNullable<CatalogEntry['file']>,
  ): Promise<RemoteFile | undefined> {
    try {
      return await this.#files.look(url, path, 'signature', listed)
    } catch (error) {
      if (!(error instanceof HyperslabError)) throw error
      if (this.#warnings.get(path) !== error.message) this.#warn?.(error.message)
      this.#warnings.set(path, error.message)
      return undefined
    }
  }

  #mountedFolder(path: DomainPath): MountedFolder {
    return { kind: 'folder', path, lastModified: this.#catalog.lastModified }
  }

  #mountedFile(path: DomainPath, url: URL, file: RemoteFile): MountedFile {
    const { size, lastModified, stamp } = file.state
    const { damage } = file.test
    if (damage !== undefined && this.#warnings.get(path) !== damage) {
      this.#warnings.set(path, damage)
      this.#warn?.(`${path}: ${damage}`)
    }
    const open = () => this.#open(path, url, file)
    return { kind: 'file', path, size, lastModified, stamp, ...(damage !== undefined && { damage }), open }
  }

  async #open(path: DomainPath, url: URL, file: RemoteFile): Promise<OpenFile> {
    const opened = await this.#files.withHead(file, url, path)
    if (!opened) throw fileChanged(path)
    const { source } = opened
    const siblings: Siblings = { lookups: new FirstFound(), sources: new Set([source]) }
    return {
      source,
      openSibling: this.#siblingsOf(url, siblings),
      // Each source gives bytes of one state only.
      isUnchanged: async () => ![...siblings.sources].some(source => source.isChanged),
      areSiblingsCurrent: () =>
        siblings.lookups.areCurrent(async (address, stamp) => {
          const now = await this.#files.look(new URL(address), address, 'signature')
          return now?.state.stamp === stamp
        }),
      siblingsState: () => siblings.lookups.state(stamp => stamp),
      close: () => undefined,
    }
  }

  /** Opens siblings; adds them to `siblings`. */
  #siblingsOf(url: URL, siblings: Siblings): OpenFile['openSibling'] {
    return async name => {
      for (const one of namesToTry(name)) {
        const sibling = await this.#openSibling(url, one, siblings)
        if (sibling) return sibling
      }
      return undefined
    }
  }

  async #openSibling(url: URL, name: string, siblings: Siblings): Promise<Sibling | undefined> {
    const sibling = this.#catalog.locateSibling(url, name)
    if (!sibling) return undefined
    const source = (await this.#files.look(sibling, name, 'head'))?.source
    const { lookups, sources } = siblings
    lookups.add(sibling.href, source?.stamp)
    if (source) sources.add(source)
    return source && { source, path: name, openSibling: this.#siblingsOf(sibling, siblings) }
  }
}

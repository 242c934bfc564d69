// A list of addresses as the catalog of a mount: one or many, each with its name in the folder.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Timestamp } from '@hyperslab/model/names'
import { childOf, compareUtf8, type DomainPath, nameOf, parentOf } from '@hyperslab/model/names'
import type { Catalog, CatalogEntry } from './catalog.ts'

export class UrlList implements Catalog {
  readonly lastModified: Timestamp
  readonly #urls: ReadonlyMap<DomainPath, URL>
  /** Domains by address without the query, in one spelling. */
  readonly #byAddress: ReadonlyMap<string, readonly [DomainPath, URL]>
  /** The entries of the mount and its folders, by name. */
  readonly #folders: ReadonlyMap<DomainPath, readonly CatalogEntry[]>

  /** `urls`: by the paths of the domains, all of them below `folder`. */
  constructor(folder: DomainPath, urls: ReadonlyMap<DomainPath, URL>, lastModified: Timestamp) {
    this.lastModified = lastModified
    this.#urls = urls
    this.#byAddress = new Map([...urls].map(entry => [spellingOf(entry[1]), entry]))
    this.#folders = foldersOf(folder, urls)
  }

  locate(path: DomainPath): URL | undefined {
    return this.#urls.get(path)
  }

  async hasFolder(path: DomainPath): Promise<boolean> {
    return this.#folders.has(path)
  }

  async *entries(folder: DomainPath, after: string | undefined): AsyncGenerator<CatalogEntry> {
    for (const entry of this.#folders.get(folder) ?? []) {
      if (after === undefined || compareUtf8(entry.name, after) > 0) yield entry
    }
  }

  /** The address of a sibling beside that of the file, whatever the names in the folder. */
  locateSibling(url: URL, name: string): URL | undefined {
    if (name.startsWith('/')) return undefined
    const address = new URL(`./${name.split('/').map(encodeURIComponent).join('/')}`, url)
    return this.#byAddress.get(spellingOf(address))?.[1]
  }

  pathOf(url: URL): DomainPath | undefined {
    return this.#byAddress.get(spellingOf(url))?.[0]
  }
}

function spellingOf({ origin, pathname }: URL): string {
  return origin + pathname.split('/').map(decodePart).join('/')
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function foldersOf(
  top: DomainPath,
  urls: ReadonlyMap<DomainPath, URL>,
): ReadonlyMap<DomainPath, readonly CatalogEntry[]> {
  const folders = new Map<DomainPath, Map<string, CatalogEntry>>([[top, new Map()]])
  const add = (path: DomainPath, part: Omit<CatalogEntry, 'name'>) => {
    const folder = parentOf(path)
    if (!folders.has(folder)) {
      folders.set(folder, new Map())
      if (folder !== top) add(folder, { isFolder: true })
    }
    const name = nameOf(path)
    const entry = folders.get(folder)?.get(name)
    folders
      .get(folder)
      ?.set(name, { ...entry, ...part, name, isFolder: part.isFolder || entry?.isFolder === true })
  }
  for (const [path, url] of urls) add(path, { isFolder: false, file: { url } })
  const sorted = [...folders].map(([path, entries]) => {
    return [path, [...entries.values()].sort((a, b) => compareUtf8(a.name, b.name))] as const
  })
  return new Map(sorted)
}

/** An address, and a name that may hold blanks. */
const LINE = /^(\S+)(?:\s+(.+))?$/

/**
 * The addresses of a file with one on each line, and after a blank the name of the domain in the folder; without it the
 * last part of the address is the name. Empty lines, and those that begin with `#`, are ignored.
 */
export function parseUrlList(list: string, folder: DomainPath): ReadonlyMap<DomainPath, URL> {
  const urls = new Map<DomainPath, URL>()
  for (const [index, line] of list.split(/\r?\n/).entries()) {
    const [, address = '', name] = LINE.exec(line.trim()) ?? []
    if (address === '' || address.startsWith('#')) continue
    const location = `line ${index + 1}`
    const url = parseAddress(address, location)
    const path = domainAt(folder, name ?? lastPartOf(url), location)
    if (urls.has(path)) {
      throw malformedAddress(
        location,
        `${path} is already the domain of another address: write a name after it`,
      )
    }
    urls.set(path, url)
  }
  return urls
}

/** Parses an address. `location` names it in messages, since the address itself may contain secrets. */
export function parseAddress(text: string, location: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw malformedAddress(location, 'it must be an address that begins with http:// or https://')
  }
  url.hash = ''
  return url
}

function lastPartOf({ pathname }: URL): string {
  return decodePart(pathname.slice(pathname.lastIndexOf('/') + 1))
}

function domainAt(folder: DomainPath, name: string, location: string): DomainPath {
  try {
    return name.split('/').reduce(childOf, folder)
  } catch (error) {
    if (!(error instanceof HyperslabError)) throw error
    throw malformedAddress(location, `the name of its domain does not fit: ${error.message}`)
  }
}

function malformedAddress(location: string, rule: string): HyperslabError {
  return new HyperslabError('malformed-url', `${location}: ${rule}`)
}

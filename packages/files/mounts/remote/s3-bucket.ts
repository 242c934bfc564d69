// A bucket of S3, or its keys below a prefix, as the catalog of a mount. Requests are signed (Signature Version 4) when
// the environment has a key, and anonymous otherwise. Buckets are part of the path of addresses, which every server
// understands.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Listing, MAX_XML_BYTES, parseErrorCode, parseListing } from '@hyperslab/base/outgoing'
import type { Timestamp } from '@hyperslab/model/names'
import {
  childOf,
  compareUtf8,
  type DomainPath,
  MAX_COMPONENT_BYTES,
  namesBelow,
} from '@hyperslab/model/names'
import type { Catalog, CatalogEntry } from './catalog.ts'
import { inNameOrder } from './name-order.ts'
import { type RemoteRequests, refused } from './remote-requests.ts'

export interface S3BucketOptions {
  /** The folder of the namespace. */
  readonly path: DomainPath
  readonly requests: RemoteRequests
  /** The address of the bucket, without a slash at the end. */
  readonly address: string
  /** The beginning of all keys: empty, or it ends with a slash. */
  readonly prefix: string
  readonly lastModified: Timestamp
}

export class S3Bucket implements Catalog {
  readonly lastModified: Timestamp
  readonly #options: S3BucketOptions

  constructor(options: S3BucketOptions) {
    this.lastModified = options.lastModified
    this.#options = options
  }

  locate(path: DomainPath): URL | undefined {
    const name = this.#nameOf(path)
    return name === '' || name.split('/').some(part => part.startsWith('.')) ? undefined : this.#urlOf(name)
  }

  async hasFolder(path: DomainPath): Promise<boolean> {
    const name = this.#nameOf(path)
    if (name === '') return true
    if (!this.locate(path)) return false
    return this.#hasKeys(`${this.#options.prefix}${name}/`, path)
  }

  entries(folder: DomainPath, after: string | undefined, prefix: string): AsyncIterable<CatalogEntry> {
    const name = this.#nameOf(folder)
    const start = name === '' ? this.#options.prefix : `${this.#options.prefix}${name}/`
    const pages = this.#pages(folder, start, after, prefix)
    return this.#entriesAfter(
      inNameOrder(pages, name => this.#hasKeys(`${start}${name}/`, folder)),
      after,
    )
  }

  /** Looks the sibling up by key, below the prefix of the mount. */
  locateSibling(url: URL, name: string): URL | undefined {
    if (name.startsWith('/')) return undefined
    const sibling = new URL(`./${name.split('/').map(encodeURIComponent).join('/')}`, url)
    return sibling.href.startsWith(this.#urlOf('').href) ? sibling : undefined
  }

  pathOf({ href }: URL): DomainPath | undefined {
    const names = href.slice(this.#urlOf('').href.length).split('/').map(decodeURIComponent)
    try {
      return names.reduce(childOf, this.#options.path)
    } catch (error) {
      // A key that no domain can have as its name.
      if (error instanceof HyperslabError) return undefined
      throw error
    }
  }

  async *#entriesAfter(
    entries: AsyncIterable<CatalogEntry>,
    after: string | undefined,
  ): AsyncGenerator<CatalogEntry> {
    for await (const entry of entries) {
      if (after === undefined || compareUtf8(entry.name, after) > 0) yield entry
    }
  }

  async *#pages(
    folder: DomainPath,
    start: string,
    after: string | undefined,
    prefix: string,
  ): AsyncGenerator<readonly CatalogEntry[]> {
    let continuation: string | undefined
    do {
      const listing = await this.#list(folder, {
        delimiter: '/',
        prefix: start + prefix,
        ...(after !== undefined && { 'start-after': start + after }),
        ...(continuation !== undefined && { 'continuation-token': continuation }),
      })
      const objects = listing.objects.filter(({ listed }) => listed.size !== 0)
      const files = objects.map(({ key, listed }) => {
        const name = key.slice(start.length)
        return {
          name,
          isFolder: false,
          file: { url: this.#urlOf(key.slice(this.#options.prefix.length)), listed },
        }
      })
      const folders = listing.prefixes.map(key => ({ name: key.slice(start.length, -1), isFolder: true }))
      yield mergeByKey(files.filter(isServed), folders.filter(isServed))
      continuation = listing.continuation
    } while (continuation !== undefined)
  }

  async #hasKeys(prefix: string, subject: string): Promise<boolean> {
    const { objects } = await this.#list(subject, { prefix, 'max-keys': '1' })
    return objects.length > 0
  }

  async #list(subject: string, parameters: Readonly<Record<string, string>>): Promise<Listing> {
    const all = Object.entries({ 'list-type': '2', 'encoding-type': 'url', ...parameters })
    const query = all.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
    const url = new URL(`${this.#options.address}?${query}`)
    const pieces: Uint8Array[] = []
    let length = 0
    const { status } = await this.#options.requests.get({ url, subject }, () => {
      pieces.length = length = 0
      return piece => {
        length += piece.length
        if (length > MAX_XML_BYTES) throw refused(subject, 'the listing of its bucket does not end')
        pieces.push(piece)
      }
    })
    const xml = Buffer.concat(pieces).toString()
    const listing = status === 200 ? parseListing(xml) : undefined
    if (listing) return listing
    const code = parseErrorCode(xml)
    throw refused(
      subject,
      `its bucket cannot be listed: its server answers ${status}${code ? ` ${code}` : ''}`,
    )
  }

  /** Below the folder of the mount; empty for that folder itself. */
  #nameOf(path: DomainPath): string {
    return namesBelow(this.#options.path, path)?.join('/') ?? ''
  }

  #urlOf(name: string): URL {
    const { address, prefix } = this.#options
    return new URL(`${address}/${(prefix + name).split('/').map(encodeURIComponent).join('/')}`)
  }
}

/** Whether an entry is served: a key may be any string, but a domain's name may not; hidden names are skipped. */
function isServed({ name }: CatalogEntry): boolean {
  const isName = name !== '' && !name.startsWith('.') && !/[/\\\0]/.test(name)
  return isName && Buffer.byteLength(name) <= MAX_COMPONENT_BYTES
}

function mergeByKey(
  files: readonly CatalogEntry[],
  folders: readonly CatalogEntry[],
): readonly CatalogEntry[] {
  const keyed = [
    ...files.map(entry => ({ entry, key: entry.name })),
    ...folders.map(entry => ({ entry, key: `${entry.name}/` })),
  ]
  return keyed.sort((a, b) => compareUtf8(a.key, b.key)).map(({ entry }) => entry)
}

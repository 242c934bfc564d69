// The contents of a folder, and of a group of a domain, as lists and trees show them: by pages, in the order of names.

import type { Api, Domain, RequestError } from '@hyperslab/client'
import { extentsOf, formatDatatype, formatShape, parseDatatype } from '@hyperslab/client/elements'
import { UsageError } from '../usage-error.ts'
import { shownTime } from './output.ts'
import type { Service } from './service.ts'

/** A domain or folder in a folder, or a link of a group. */
export interface Entry {
  /** The path of a domain or folder, or of an object in its domain. */
  readonly path: string
  readonly name: string
  /** Whether it has entries of its own. */
  readonly isFolder: boolean
  /** The id of an object that a hard link points to. */
  readonly id?: string
  /** Columns of the long form. */
  readonly columns: readonly string[]
  /** A short description after its name in a tree. */
  readonly description: string
  /** The answer of the service about it. */
  readonly json: object
}

/** Characters of columns; longer cells push the next one away. */
const OWNER_WIDTH = 12
const BYTES_WIDTH = 14
const KIND_WIDTH = 12
const TEXT_WIDTH = 28

/** The object of a path, or what it is a part of: a folder, or a group of a domain. */
export type Container = { readonly folder: string } | { readonly domain: Domain; readonly object: string }

/** A path with a slash at its end is a folder; so is the top level. */
export async function containerAt(
  { client, signal }: Service,
  path: string,
  object: string | undefined,
): Promise<Container> {
  if (object === undefined) {
    if (isFolderPath(path)) return { folder: path }
    const answer = await client.domain(path).describe({ signal })
    if (!('root' in answer)) return { folder: path }
  }
  return { domain: client.domain(path), object: objectPath(object ?? '/') }
}

export function isFolderPath(path: string): boolean {
  return path.endsWith('/')
}

/** Paths of objects begin at the root group. */
export function objectPath(text: string): string {
  return text.startsWith('/') ? text : `/${text}`
}

/** `verbose`: with what the long form shows. */
export async function* entriesOf(
  service: Service,
  container: Container,
  verbose: boolean,
): AsyncGenerator<Entry> {
  if ('folder' in container) yield* entriesOfFolder(service, container.folder, verbose)
  else yield* entriesOfGroup(service, container.domain, container.object, verbose)
}

/** The container that an entry is. */
export function containerOf(container: Container, { path }: Entry): Container {
  return 'folder' in container ? { folder: path } : { domain: container.domain, object: path }
}

async function* entriesOfFolder(
  { client, signal }: Service,
  folder: string,
  verbose: boolean,
): AsyncGenerator<Entry> {
  const above = folder.replace(/\/$/, '')
  for await (const item of client.folder(folder, { verbose, signal })) {
    const name = item.name.slice(item.name.lastIndexOf('/') + 1)
    const isFolder = item.class === 'folder'
    const bytes = 'total_size' in item ? `${item.total_size}` : '-'
    yield {
      path: `${above}/${name}`,
      name: isFolder ? `${name}/` : name,
      isFolder,
      columns: [
        (item.owner || '-').padEnd(OWNER_WIDTH),
        bytes.padStart(BYTES_WIDTH),
        shownTime(item.lastModified),
      ],
      description: '',
      json: { ...withoutAddresses(item), name: `${above}/${name}` },
    }
  }
}

export function withoutAddresses<T extends { readonly hrefs?: unknown }>({
  hrefs: _,
  ...item
}: T): Omit<T, 'hrefs'> {
  return item
}

/** Links whose objects are described by one request. @limit safety, links */
const DESCRIBED_AT_ONCE = 200

async function* entriesOfGroup(
  { signal }: Service,
  domain: Domain,
  group: string,
  verbose: boolean,
): AsyncGenerator<Entry> {
  const { id, class: kind } = await domain.object(group, { signal })
  if (kind !== 'group') throw new UsageError(`${domain.path} ${group} is a ${kind}, which has no entries`, 1)
  const above = group === '/' ? '' : group
  let page: Api.LinkItem[] = []
  const describe = () => describeLinks(domain, above, page, verbose ? signal : undefined)
  for await (const link of domain.links(id, { signal })) {
    page.push(link)
    if (page.length < DESCRIBED_AT_ONCE) continue
    yield* await describe()
    page = []
  }
  yield* await describe()
}

/** `signal`: of the requests for the objects; undefined: the links tell enough. */
async function describeLinks(
  domain: Domain,
  above: string,
  links: readonly Api.LinkItem[],
  signal: AbortSignal | undefined,
): Promise<readonly Entry[]> {
  const paths = links
    .filter(({ class: kind }) => kind === 'H5L_TYPE_HARD')
    .map(({ title }) => `${above}/${title}`)
  const objects = signal && (await domain.objects(paths, { signal }))
  return links.map(link => entryOf(link, `${above}/${link.title}`, objects?.get(`${above}/${link.title}`)))
}

function entryOf(
  link: Api.LinkItem,
  path: string,
  object: Api.FoundObject | RequestError | undefined,
): Entry {
  const common = { path, name: link.title, isFolder: false }
  const json = { ...link, href: undefined, path }
  if (link.class === 'H5L_TYPE_HARD') {
    const isGroup = link.collection === 'groups'
    const found = object !== undefined && 'id' in object ? object : undefined
    const kind = link.collection.slice(0, -1)
    const text = found ? describeObject(found) : ''
    return {
      ...common,
      name: isGroup ? `${common.name}/` : common.name,
      isFolder: isGroup,
      id: link.id,
      columns: [kind.padEnd(KIND_WIDTH), text.padEnd(TEXT_WIDTH)],
      description: isGroup ? '' : text,
      json: found ? { ...json, object: withoutAddresses(found) } : json,
    }
  }
  const [kind, text] = describeLink(link)
  return {
    ...common,
    columns: [kind.padEnd(KIND_WIDTH), text.padEnd(TEXT_WIDTH)],
    description: `-> ${text}`,
    json,
  }
}

function describeLink(
  link: Exclude<Api.LinkItem, { readonly class: 'H5L_TYPE_HARD' }>,
): readonly [string, string] {
  if (link.class === 'H5L_TYPE_SOFT') return ['soft link', link.h5path]
  if (link.class === 'H5L_TYPE_EXTERNAL') return ['external', `${link.h5domain} ${link.h5path}`]
  return link.class === 'H5L_TYPE_ERROR' ? ['unreadable', link.unreadable] : ['link', 'user-defined']
}

/** The type and shape of a dataset, the type of a committed datatype, the number of links of a group. */
export function describeObject(object: Api.FoundObject): string {
  if (object.class === 'group') return `${object.linkCount} link${object.linkCount === 1 ? '' : 's'}`
  const type = formatDatatype(parseDatatype(object.type))
  return object.class === 'dataset' ? `${type}, ${formatShape(extentsOf(object.shape))}` : type
}

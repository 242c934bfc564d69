// Paths: the titles of links that lead from a group to an object (hsds-objects 8.7 and 8.10). Hard links are always
// followed; symbolic links, which are soft and external ones, if the request says so. The caller needs `read` on every
// group that a path leads through and on the object at its end, in whichever domain they are.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import { namesToTry } from '@hyperslab/model/dataset'
import { excerpt } from '@hyperslab/model/json'
import { type DomainPath, linkTitle, type ObjectId, type ObjectReference } from '@hyperslab/model/names'
import type { DomainEntry, HdfObject, Link, LinkTarget, Reader } from '@hyperslab/store/store'
import type { Context, OpenDomain } from '../context.ts'
import { openDomain } from '../domains/domains.ts'
import { parseLinkedDomain } from '../domains/path-names.ts'
import { memberOf } from '../objects/members.ts'
import { openObject } from '../objects/objects.ts'
import { readTogether } from '../objects/read-together.ts'
import { requireLink } from './links.ts'

/** The titles of a path, in order. */
export interface Path {
  /** The group where the path begins; absent: the root group. */
  readonly start?: ObjectId
  readonly titles: readonly string[]
}

/** The symbolic links to follow; a path through another one is malformed. */
export interface FollowedLinks {
  readonly soft: boolean
  readonly external: boolean
}

const NOTHING_SYMBOLIC: FollowedLinks = { soft: false, external: false }
export const ALL_LINKS: FollowedLinks = { soft: true, external: true }

/** An object that the caller may read, and its domain. */
export interface LocatedObject<T extends HdfObject = HdfObject> {
  readonly domain: OpenDomain
  readonly object: T
}

/** Symbolic links of one path: more count as a cycle (hsds-objects 8.7). @limit safety, links */
const MAX_SYMBOLIC_LINKS = 100

/** Parts of a path. @limit safety, parts */
const MAX_PARTS = 1000

/** The titles of a path, without empty ones and a `.` at the beginning (hsds-objects 8.7). */
export function titlesOf(path: string): readonly string[] {
  const parts = path.replace(/^\.(\/|$)/, '').split('/', MAX_PARTS + 1)
  if (parts.length > MAX_PARTS) {
    throw new HyperslabError('malformed-path', `a path has at most ${MAX_PARTS} parts: ${excerpt(path)}`)
  }
  return parts.filter(title => title !== '').map(linkTitle)
}

/**
 * The object at the end of the path; without titles the group where it begins. A symbolic link that cannot be resolved
 * is `object-not-found`, whatever the reason: a missing link or domain, no permission to read it, a cycle.
 */
export async function locate(
  context: Context,
  domain: OpenDomain,
  { start = domain.root.id, titles }: Path,
  following: FollowedLinks = NOTHING_SYMBOLIC,
): Promise<LocatedObject> {
  const group = await openObject(context, domain, 'group', start, 'read')
  return new Resolution(context, following).follow({ domain, object: group }, titles)
}

/** The object behind the link of a group that the caller may read, with the errors of `locate`. */
export function locateMember(
  context: Context,
  group: LocatedObject,
  title: string,
  following: FollowedLinks,
): Promise<LocatedObject> {
  return new Resolution(context, following).follow(group, [title])
}

/** The group where relative paths begin (absent: the root group), and the links to follow. */
export interface Following {
  readonly start?: ObjectId
  readonly following: FollowedLinks
}

/** Resolves each path in one snapshot; all of them or none. */
export async function locateAll(
  context: Context,
  domain: OpenDomain,
  paths: readonly string[],
  from: Following,
): Promise<ReadonlyMap<string, LocatedObject>> {
  const resolve = await pathResolver(context, domain, from)
  const located = new Map<string, LocatedObject>()
  const locateOne = async (path: string) => {
    try {
      return [path, await resolve(path)] as const
    } catch (error) {
      throw paths.length > 1 && error instanceof HyperslabError ? error.within(excerpt(path)) : error
    }
  }
  for await (const [path, found] of readTogether(new Set(paths), locateOne)) located.set(path, found)
  return located
}

/**
 * Resolves paths, some at a time, while their results are requested; one that leads nowhere has its error instead of an
 * object.
 */
export async function locateEach(
  context: Context,
  domain: OpenDomain,
  paths: readonly string[],
  from: Following,
): Promise<AsyncIterable<readonly [path: string, found: LocatedObject | HyperslabError]>> {
  const resolve = await pathResolver(context, domain, from)
  return readTogether(new Set(paths), async path => [path, await resultOrError(resolve(path))] as const)
}

/** The caller needs `read` on the group where relative paths begin, whatever the paths are. */
async function pathResolver(
  context: Context,
  domain: OpenDomain,
  { start = domain.root.id, following }: Following,
): Promise<(path: string) => Promise<LocatedObject>> {
  await openObject(context, domain, 'group', start, 'read')
  return async path => {
    const titles = titlesOf(path)
    return locate(context, domain, path.startsWith('/') ? { titles } : { start, titles }, following)
  }
}

/**
 * The object at one path, or its error. Throws errors that are not about the path: the whole request may succeed later.
 */
export async function resultOrError<T>(result: Promise<T>): Promise<T | HyperslabError> {
  try {
    return await result
  } catch (error) {
    if (isOfOneObject(error)) return error
    throw error
  }
}

/** One file on another machine, or one damaged value, keeps no other path from being read. */
const OF_ONE_OBJECT: ReadonlySet<ErrorCode> = new Set(['file-unavailable', 'values-damaged'])

/** Whether other objects of the request may be read although this one cannot. */
export function isOfOneObject(error: unknown): error is HyperslabError {
  if (!(error instanceof HyperslabError)) return false
  return OF_ONE_OBJECT.has(error.code) || (error.kind !== 'busy' && error.kind !== 'timeout')
}

/** The resolution of one path. */
class Resolution {
  readonly #context: Context
  readonly #following: FollowedLinks
  #symbolicLinks = 0

  constructor(context: Context, following: FollowedLinks) {
    this.#context = context
    this.#following = following
  }

  async follow(from: LocatedObject, titles: readonly string[]): Promise<LocatedObject> {
    const path = () => shownPath(from.domain, from.object.id, titles)
    let current = from
    for (const [position, title] of titles.entries()) {
      if (isTurnOver()) await nextTurn()
      this.#context.signal.throwIfAborted()
      if (current.object.kind !== 'group')
        throw unresolvedPath(path(), `"${titles[position - 1]}" is not a group`)
      current = await this.#behind(await requireLink(this.#context, current.object.id, title), current, path)
    }
    return current
  }

  async #behind(link: Link, location: LocatedObject, path: () => string): Promise<LocatedObject> {
    const { target, title } = link
    const { soft, external } = this.#following
    if (target.class === 'H5L_TYPE_SOFT' && soft) {
      return this.#followed(title, async () => {
        const from = target.h5path.startsWith('/') ? await this.#root(location.domain) : location
        return this.follow(from, titlesOf(target.h5path))
      })
    }
    if (target.class === 'H5L_TYPE_EXTERNAL' && external) {
      return this.#followed(title, async () => {
        const from = await this.#linkedRoot(location.domain.entry, target)
        return this.follow(from, titlesOf(target.h5path))
      })
    }
    // In HDF5 external links are user-defined links too; only the program that defined the others can follow them.
    if (target.class === 'H5L_TYPE_USER_DEFINED' && external) {
      throw unresolvedPath(path(), `${excerpt(title)} is a user-defined link`)
    }
    const { kind, id } =
      target.class === 'H5L_TYPE_HARD' ? target : hardTarget(link, path(), FLAGS[target.class])
    return {
      domain: location.domain,
      object: await openObject(this.#context, location.domain, kind, id, 'read'),
    }
  }

  async #root(domain: OpenDomain): Promise<LocatedObject> {
    return { domain, object: await openObject(this.#context, domain, 'group', domain.root.id, 'read') }
  }

  async #linkedRoot(holder: DomainEntry, target: ExternalTarget): Promise<LocatedObject> {
    const linked = await linkedDomain(this.#context.reader, holder, target)
    if (linked) return this.#root(await openDomain(this.#context, linked.path))
    const { h5domain: name } = target
    const path = parseLinkedDomain(name, holder.path)
    try {
      return await this.#root(await openDomain(this.#context, path))
    } catch (error) {
      if (!(error instanceof HyperslabError) || error.code !== 'domain-not-found') throw error
      const [, last] = namesToTry(name)
      const beside = last === undefined ? '' : `, and no ${excerpt(last)} beside the domain of the link`
      const message = `${error.message} in the same bucket, which external links stay in${beside}`
      throw new HyperslabError(error.code, message, { subject: path, cause: error })
    }
  }

  /** Errors after a symbolic link become errors of the link, except that the request does not follow the next one. */
  async #followed(title: string, work: () => Promise<LocatedObject>): Promise<LocatedObject> {
    try {
      if (++this.#symbolicLinks > MAX_SYMBOLIC_LINKS) {
        const message = `the path leads through more than ${MAX_SYMBOLIC_LINKS} symbolic links`
        throw new HyperslabError('object-not-found', message)
      }
      return await work()
    } catch (error) {
      if (!(error instanceof HyperslabError)) throw error
      if (error.code === 'object-not-found' || error.code === 'malformed-path') throw error
      // The same request may find an object there later.
      if (error.kind === 'busy' || error.kind === 'timeout') throw error
      const message = `the link ${excerpt(title)} leads nowhere: ${error.message}`
      throw new HyperslabError('object-not-found', message, { subject: title, cause: error })
    }
  }
}

type ExternalTarget = Extract<LinkTarget, { class: 'H5L_TYPE_EXTERNAL' }>

/** A name of a domain in a link, and the path at which its file was found. */
type DomainName = Pick<ExternalTarget, 'h5domain' | 'foundAt'>

/** The domain that a link of `holder` names; undefined: there is none. */
export async function linkedDomain(
  reader: Pick<Reader, 'domain' | 'linkedFile'>,
  holder: DomainEntry,
  name: DomainName,
): Promise<DomainEntry | undefined> {
  for await (const path of linkedPaths(reader, holder, name)) {
    const entry = await reader.domain(path)
    if (entry?.root !== undefined) return entry
  }
  return undefined
}

/**
 * The possible paths of the domain that a link of `holder` names, in the order in which they are tried (hsds-objects
 * 8.7).
 */
async function* linkedPaths(
  reader: Pick<Reader, 'linkedFile'>,
  holder: DomainEntry,
  { h5domain, foundAt }: DomainName,
): AsyncGenerator<DomainPath> {
  for (const name of namesToTry(h5domain)) {
    const said = foundAt !== undefined && name === h5domain ? [name, foundAt] : [name]
    for (const one of said) {
      const path = unlessMalformed(() => parseLinkedDomain(one, holder.path))
      if (path !== undefined) yield path
    }
    const file = await reader.linkedFile(holder, name)
    if (file !== undefined) yield file
  }
}

/** The result of `parse`; undefined: no domain can have the name, although a file may. */
function unlessMalformed<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof HyperslabError) return undefined
    throw error
  }
}

/** The group that a link of a path leads to; the path of a new object leads through hard links only. */
export async function groupBehind(
  context: Context,
  domain: OpenDomain,
  link: Link,
  path: string,
): Promise<ObjectId> {
  const { kind, id } = hardTarget(link, path, 'the path of a new object leads through hard links only')
  const isThere = (await memberOf(context, domain, id)) !== undefined
  if (kind === 'group' && isThere) return id
  throw malformedPath(path, `"${link.title}" is ${isThere ? 'not a group' : 'a link to a deleted object'}`)
}

/** The flags of a request that follow links of a class. */
const FLAGS: Readonly<Partial<Record<LinkTarget['class'], string>>> = {
  H5L_TYPE_SOFT: 'GET / and POST / follow it with follow_soft_links=1',
  H5L_TYPE_EXTERNAL: 'GET / and POST / follow it with follow_external_links=1',
}

const CLASSES: Readonly<Record<LinkTarget['class'], string>> = {
  H5L_TYPE_HARD: 'a hard link',
  H5L_TYPE_SOFT: 'a soft link',
  H5L_TYPE_EXTERNAL: 'an external link',
  H5L_TYPE_USER_DEFINED: 'a user-defined link',
}

function hardTarget({ title, target }: Link, path: string, hint = 'it is not followed'): ObjectReference {
  if (target.class === 'H5L_TYPE_HARD') return target
  throw malformedPath(path, `${excerpt(title)} is ${CLASSES[target.class]}: ${hint}`)
}

function malformedPath(path: string, reason: string): HyperslabError {
  return new HyperslabError('malformed-path', `the path ${path}: ${reason}`)
}

function unresolvedPath(path: string, reason: string): HyperslabError {
  return new HyperslabError('object-not-found', `the path ${path} leads nowhere: ${reason}`)
}

/** For messages: a path from the root group begins with a slash, one from another group does not. */
export function shownPath(domain: OpenDomain, start: ObjectId, titles: readonly string[]): string {
  return excerpt((start === domain.root.id ? '/' : '') + titles.join('/'))
}

// The Zarr view of every domain: the document or chunk at a path (docs/decisions/064).

import { BoundedMap, nextTurn, SharedWork } from '@hyperslab/base/bounded'
import type { ListedLink } from '@hyperslab/store/store'
import { DOCUMENTS, documentText, groupDocuments, nameFault, type ZarrFormat } from '@hyperslab/views/zarr'
import { type Context, isOfFiles } from '../context.ts'
import { readTogether } from '../objects/read-together.ts'
import { type KeptScales, keepScales } from './array-dimensions.ts'
import { readChunk, type ZarrChunk } from './chunk.ts'
import { isDimensionOnly } from './dimension-scales.ts'
import { type GroupNode, locateNode, notFound } from './locate.ts'
import { DocumentMaker, isArray, requireShown } from './nodes.ts'
import { consolidate, groupAlone } from './walk.ts'

export type ZarrAnswer = ZarrContent & {
  /** True: the path names a state of its domain, so the answer never changes. */
  readonly isFixed: boolean
  /** The state of the domain; absent: the path names it, or the answer is a chunk. */
  readonly state?: string
}

/** The same document has the same bytes in memory while it is kept. */
type ZarrContent =
  | { readonly document: Uint8Array }
  | { readonly chunk: ZarrChunk }
  /** The names of the members of a group, for readers that list a folder by the links in its page. */
  | { readonly names: AsyncIterable<string> }

/** Bytes of all consolidated documents that are kept. @limit memory, bytes */
const MAX_KEPT = 32 * 2 ** 20

export interface KeptZarr {
  /** Consolidated documents, by the state of their domain and their caller. */
  readonly documents: BoundedMap<string, Uint8Array>
  /** Consolidated documents that are being made: one of each domain at a time. */
  readonly making: SharedWork<GroupDocument>
  readonly scales: KeptScales
}

export function keepZarr(): KeptZarr {
  /**
   * Consolidated documents of domains that have not changed.
   * @limit speed, documents, bench/results.md#062-limits-of-speed
   */
  const documents = new BoundedMap<string, Uint8Array>(MAX_KEPT, { weightOf: ({ length }) => length })
  return { documents, making: new SharedWork(), scales: keepScales() }
}

/**
 * The document or chunk at a path. Throws `object-not-found` for another path, and the error if the caller cannot read
 * it.
 */
export async function readZarr(
  context: Context,
  path: string,
  format: ZarrFormat,
  kept: KeptZarr,
): Promise<ZarrAnswer> {
  const { node, remainder, isPinned, root } = await locateNode(context, path, format)
  const isOwn = node.domain.root.id === root
  const answer = async (document: Uint8Array | undefined, isOfOneDomain = true): Promise<ZarrAnswer> => {
    if (document === undefined) throw noDocument(remainder)
    if (isPinned) return { document, isFixed: isOwn && isOfOneDomain }
    return { document, isFixed: false, state: (await context.reader.state(root)).state }
  }
  if (node.kind === 'group') {
    const [name = '', ...others] = remainder
    // zarr-python asks for the root with a slash; without one it looks for a file that it would delete before writing.
    const isListed = remainder.length === 0 && (path.endsWith('/') || node.group.id !== root)
    if (isListed) return { names: memberNames(context, node, format), isFixed: false }
    if (others.length > 0) throw noDocument(remainder)
    const { document, isOfOneDomain } = await groupDocument(context, node, name, format, kept)
    return answer(document, isOfOneDomain)
  }
  requireShown(node)
  const maker = new DocumentMaker(context, format, kept.scales)
  const attributes = () => maker.attributes(node.dataset.id)
  const [name = ''] = remainder
  if (remainder.length === 1 && isDocument(name, format)) {
    const shown = await attributes()
    const documents = isArray(node) ? await maker.array(node, shown) : maker.members(node, shown)
    const text = documentText(name, documents, format)
    return answer(text === undefined ? undefined : Buffer.from(text))
  }
  if (!isArray(node)) throw noDocument(remainder)
  const chunk = await readChunk(context, node, remainder, format, {
    dims: async () => maker.dims(node, await attributes()),
    isFillMissing: async () => (await maker.array(node, await attributes())).isFillMissing === true,
  })
  // A chunk without a name may have its values elsewhere.
  return { chunk, isFixed: isPinned && isOwn && chunk.name !== undefined }
}

async function* memberNames(
  { reader, signal }: Context,
  { domain, group }: GroupNode,
  format: ZarrFormat,
): AsyncGenerator<string> {
  const { group: document, ...others } = DOCUMENTS[format]
  yield document
  if ('attributes' in others) yield others.attributes
  const shownName = async ({ title, target }: ListedLink) => {
    if (nameFault(title, format) !== undefined) return undefined
    const isStored = target.class === 'H5L_TYPE_HARD' && !isOfFiles(domain.entry)
    const member = isStored ? await reader.object(target.id) : undefined
    return member && isDimensionOnly(member) ? undefined : title
  }
  for await (const name of readTogether(reader.links(group.id), shownName)) {
    if (name !== undefined) yield name
    signal.throwIfAborted()
  }
}

function isDocument(name: string, format: ZarrFormat): boolean {
  return Object.values<string>(DOCUMENTS[format]).includes(name)
}

interface GroupDocument {
  /** Undefined: a group has no such document. */
  readonly document: Uint8Array | undefined
  readonly isOfOneDomain: boolean
}

const NO_DOCUMENT: GroupDocument = { document: undefined, isOfOneDomain: true }

async function groupDocument(
  context: Context,
  node: GroupNode,
  name: string,
  format: ZarrFormat,
  kept: KeptZarr,
): Promise<GroupDocument> {
  if (!isDocument(name, format)) return NO_DOCUMENT
  const made = (text: string | undefined, isOfOneDomain: boolean): GroupDocument => ({
    document: text === undefined ? undefined : Buffer.from(text),
    isOfOneDomain,
  })
  if (name === DOCUMENTS[2].group) {
    return made(documentText(name, groupDocuments([], new Map(), 2), 2), true)
  }
  if (name === DOCUMENTS[2].attributes) {
    // It names the parts that are left out, also behind links to other domains.
    return made(documentText(name, await groupAlone(context, node, format), format), false)
  }
  if (name !== DOCUMENTS[3].group && name !== DOCUMENTS[2].consolidated) return NO_DOCUMENT
  const { domain, group } = node
  const { state } = await context.reader.state(domain.root.id)
  const key = `${format} ${group.id} ${state} ${JSON.stringify(context.caller)}`
  const known = kept.documents.use(key)
  if (known !== undefined) return { document: known, isOfOneDomain: true }
  return kept.making.run(domain.root.id, key, context.signal, async signal => {
    const own = { ...context, signal }
    const { documents, metadata, isOfOneDomain } = await consolidate(own, node, format, kept.scales)
    // Each of these steps takes some milliseconds for megabytes.
    await nextTurn()
    const text = documentText(name, documents, format, metadata)
    await nextTurn()
    const result = made(text, isOfOneDomain)
    await nextTurn()
    if (result.document && isOfOneDomain) kept.documents.set(key, result.document)
    return result
  })
}

function noDocument(rest: readonly string[]) {
  return notFound(`there is no link and no document ${JSON.stringify(rest.join('/'))}`)
}

// The Zarr view of every domain: the document or chunk at a path (docs/decisions/064).

import { BoundedMap } from '../../bounded/bounded-map.ts'
import type { ZarrFormat } from '../../zarr/array-types.ts'
import { DOCUMENTS, documentText, groupDocuments } from '../../zarr/documents.ts'
import type { Context } from '../context.ts'
import { readChunk, type ZarrChunk } from './chunk.ts'
import { type DatasetNode, type GroupNode, locateNode, notFound } from './locate.ts'
import { DocumentMaker, isArray, requireShown } from './nodes.ts'
import { consolidate, groupAlone } from './walk.ts'

export type ZarrAnswer = ZarrContent & {
  /** True: the path names a state of its domain, so the answer never changes. */
  readonly isFixed: boolean
  /** The state of the domain; absent: the path names it, or the answer is a chunk. */
  readonly state?: string
}

type ZarrContent = { readonly document: string } | { readonly chunk: ZarrChunk }

/** Characters of consolidated documents that are kept. */
const MAX_KEPT = 32 * 2 ** 20

/** Consolidated documents, by the state of their domain and their caller. */
export type KeptDocuments = BoundedMap<string, string>

export function keepDocuments(): KeptDocuments {
  const kept = new BoundedMap<string, string>(MAX_KEPT, { weightOf: text => text.length })
  return kept
}

/**
 * The document or chunk at a path. Throws `object-not-found` for another path, and the error if the caller cannot read
 * it.
 */
export async function readZarr(
  context: Context,
  path: string,
  format: ZarrFormat,
  kept: KeptDocuments,
): Promise<ZarrAnswer> {
  const { node, remainder, isPinned, root } = await locateNode(context, path, format)
  const isOwn = node.domain.root.id === root
  const document = async (text: string | undefined, isOfOneDomain = true): Promise<ZarrAnswer> => {
    if (text === undefined) throw noDocument(remainder)
    if (isPinned) return { document: text, isFixed: isOwn && isOfOneDomain }
    return { document: text, isFixed: false, state: (await context.reader.state(root)).state }
  }
  if (node.kind === 'group') {
    const [name = '', ...others] = remainder
    if (others.length > 0) throw noDocument(remainder)
    const { text, isOfOneDomain } = await groupText(context, node, name, format, kept)
    return document(text, isOfOneDomain)
  }
  requireShown(node)
  const maker = new DocumentMaker(context, format)
  const documents = async (node: DatasetNode) => {
    const attributes = await maker.attributes(node.dataset.id)
    return isArray(node) ? maker.array(node, attributes) : maker.members(node, attributes)
  }
  const [name = ''] = remainder
  if (remainder.length === 1 && isDocument(name, format)) {
    return document(documentText(name, await documents(node), format))
  }
  if (!isArray(node)) throw noDocument(remainder)
  const isFillMissing = async () => (await documents(node)).metadata.fill_value !== null
  const chunk = await readChunk(context, node, remainder, format, isFillMissing)
  // A chunk without a name may have its values elsewhere.
  return { chunk, isFixed: isPinned && isOwn && chunk.name !== undefined }
}

function isDocument(name: string, format: ZarrFormat): boolean {
  return Object.values<string>(DOCUMENTS[format]).includes(name)
}

interface GroupText {
  /** The text of the document; undefined: a group has no such document. */
  readonly text: string | undefined
  readonly isOfOneDomain: boolean
}

const NO_TEXT: GroupText = { text: undefined, isOfOneDomain: true }

async function groupText(
  context: Context,
  node: GroupNode,
  name: string,
  format: ZarrFormat,
  kept: KeptDocuments,
): Promise<GroupText> {
  if (!isDocument(name, format)) return NO_TEXT
  if (name === DOCUMENTS[2].group) {
    return { ...NO_TEXT, text: documentText(name, groupDocuments([], new Map(), 2), 2) }
  }
  if (name === DOCUMENTS[2].attributes) {
    // It names the parts that are left out, also behind links to other domains.
    return { text: documentText(name, await groupAlone(context, node, format), format), isOfOneDomain: false }
  }
  if (name !== DOCUMENTS[3].group && name !== DOCUMENTS[2].consolidated) return NO_TEXT
  const { domain, group } = node
  const { state } = await context.reader.state(domain.root.id)
  const key = `${format} ${group.id} ${state} ${JSON.stringify(context.caller)}`
  const known = kept.use(key)
  if (known !== undefined) return { text: known, isOfOneDomain: true }
  const { documents, metadata, isOfOneDomain } = await consolidate(context, node, format)
  const text = documentText(name, documents, format, metadata)
  if (text !== undefined && isOfOneDomain) kept.set(key, text)
  return { text, isOfOneDomain }
}

function noDocument(rest: readonly string[]) {
  return notFound(`there is no link and no document ${JSON.stringify(rest.join('/'))}`)
}

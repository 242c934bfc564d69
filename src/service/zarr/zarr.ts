// The Zarr view of every domain: what a path of it is, a document or a chunk (docs/decisions/064).

import { BoundedMap } from '../../bounded/bounded-map.ts'
import type { ZarrFormat } from '../../zarr/array-types.ts'
import { DOCUMENTS, documentText } from '../../zarr/documents.ts'
import type { Context } from '../context.ts'
import { readChunk, type ZarrChunk } from './chunk.ts'
import { type DatasetNode, type GroupNode, locateNode, notFound } from './locate.ts'
import { DocumentMaker, isArray, requireShown } from './nodes.ts'
import { consolidate, groupAlone } from './walk.ts'

export type ZarrAnswer = { readonly document: string } | { readonly chunk: ZarrChunk }

/** Characters of consolidated documents that are kept. */
const MAX_KEPT = 32 * 2 ** 20

/** Consolidated documents, by the state of their domain and their caller. */
export class KeptDocuments {
  readonly #kept = new BoundedMap<string, string>(MAX_KEPT, { weightOf: text => text.length })

  use(name: string): string | undefined {
    return this.#kept.use(name)
  }

  set(name: string, text: string): void {
    this.#kept.set(name, text)
  }
}

/** Throws `object-not-found` for a path that is neither, and whatever keeps the caller from reading it. */
export async function readZarr(
  context: Context,
  path: string,
  format: ZarrFormat,
  kept: KeptDocuments,
): Promise<ZarrAnswer> {
  const { node, rest } = await locateNode(context, path, format)
  if (node.kind === 'group') {
    const [name = '', ...others] = rest
    const text = others.length === 0 ? await groupText(context, node, name, format, kept) : undefined
    if (text === undefined) throw noDocument(rest)
    return { document: text }
  }
  requireShown(node)
  const maker = new DocumentMaker(context, format)
  const documents = async (node: DatasetNode) => {
    const attributes = await maker.attributes(node.dataset.id)
    return isArray(node) ? maker.array(node, attributes) : maker.members(node, attributes)
  }
  const [name = ''] = rest
  if (rest.length === 1 && isDocument(name, format)) {
    const text = documentText(name, await documents(node), format)
    if (text === undefined) throw noDocument(rest)
    return { document: text }
  }
  if (!isArray(node)) throw noDocument(rest)
  const isFillMissing = async () => (await documents(node)).metadata.fill_value !== null
  return { chunk: await readChunk(context, node, rest, format, isFillMissing) }
}

function isDocument(name: string, format: ZarrFormat): boolean {
  return Object.values<string>(DOCUMENTS[format]).includes(name)
}

async function groupText(
  context: Context,
  node: GroupNode,
  name: string,
  format: ZarrFormat,
  kept: KeptDocuments,
): Promise<string | undefined> {
  if (!isDocument(name, format)) return undefined
  if (name === DOCUMENTS[2].group)
    return documentText(name, { kind: 'group', metadata: { zarr_format: 2 }, attributes: new Map() }, 2)
  if (name === DOCUMENTS[2].attributes)
    return documentText(name, await groupAlone(context, node, format), format)
  if (name !== DOCUMENTS[3].group && name !== DOCUMENTS[2].consolidated) return undefined
  const { domain, group } = node
  const { state } = await context.reader.state(domain.root.id)
  const key = `${format} ${group.id} ${state} ${JSON.stringify(context.caller)}`
  const known = kept.use(key)
  if (known !== undefined) return known
  const { documents, metadata, isOfOneDomain } = await consolidate(context, node, format)
  const text = documentText(name, documents, format, metadata)
  if (text !== undefined && isOfOneDomain) kept.set(key, text)
  return text
}

function noDocument(rest: readonly string[]) {
  return notFound(`there is no link and no document ${JSON.stringify(rest.join('/'))}`)
}

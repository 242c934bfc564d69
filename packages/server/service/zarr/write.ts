// Writes by the protocol of Zarr: keys that are put and deleted. Each is one transaction.

import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, isJsonObject, JsonParser, type JsonValue } from '@hyperslab/model/json'
import { DOCUMENTS, isReserved, MAX_WRITTEN_CHUNK, type ZarrFormat } from '@hyperslab/views/zarr'
import { requirePermission, requireWritable } from '../access/access.ts'
import type { Context, WriteContext } from '../context.ts'
import { deleteDomain } from '../domains/domains.ts'
import { DimensionScales } from './dimension-scales.ts'
import { notFound } from './locate.ts'
import { removeMember } from './remove.ts'
import { deleteChunk, putChunk } from './write-chunk.ts'
import { type DocumentChange, putDocument } from './write-documents.ts'
import { domainPlace, requireNewPlace, writePlace } from './write-place.ts'

/** Bytes of a body: a chunk that its codec has made a little longer. @limit memory, bytes */
export const MAX_BODY = MAX_WRITTEN_CHUNK + 2 ** 20

/** Bytes of a document: consolidated metadata of 50,000 nodes have some more, and are not read. @limit memory, bytes */
const MAX_DOCUMENT = 16 * 2 ** 20
/** Bytes that are parsed at once: other requests run in between. @limit safety, bytes */
const PARSED_AT_ONCE = 65_536

async function parseDocument(body: Uint8Array, name: string): Promise<JsonValue> {
  if (name === DOCUMENTS[2].consolidated) return new Map()
  if (body.length > MAX_DOCUMENT) {
    throw new HyperslabError(
      'body-too-large',
      `${name} has ${body.length} bytes: at most ${MAX_DOCUMENT} are read`,
    )
  }
  const parser = new JsonParser()
  for (let start = 0; start < body.length; start += PARSED_AT_ONCE) {
    parser.push(body.subarray(start, start + PARSED_AT_ONCE))
    await nextTurn()
  }
  return parser.finish()
}

/** Throws for callers that may change nothing at the path, whatever the body is. */
export async function permitZarr(context: Context, path: string, format: ZarrFormat): Promise<void> {
  const { root, path: domain } = await domainPlace(context, documentOf(path, format)?.path ?? path)
  if (root) {
    requireWritable(root.domain)
    requirePermission(context, ['create', 'update'], root.domain)
  } else await requireNewPlace(context, domain)
}

/** Puts a document or a chunk. */
export async function putZarr(
  context: WriteContext,
  path: string,
  body: Uint8Array,
  format: ZarrFormat,
): Promise<DocumentChange> {
  const key = documentOf(path, format)
  if (!key) {
    await putChunk(context, path, body, format)
    return 'changed'
  }
  const json = await parseDocument(body, key.name)
  if (isJsonObject(json)) return putDocument(context, key.path, key.name, json, format)
  throw new HyperslabError('malformed-body', `${key.name} must be a JSON object, not ${excerpt(json)}`)
}

/**
 * Deletes a chunk, or the node whose document, or whose own path, is named: with all below it. That of the root is the
 * domain.
 */
export async function deleteZarr(context: WriteContext, path: string, format: ZarrFormat): Promise<void> {
  const key = documentOf(path, format) ?? { path, name: undefined }
  const { root, path: domain, titles } = await domainPlace(context, key.path)
  if (!root) throw notFound(`there is no domain ${domain}`)
  if (isOfView(key.name, format)) {
    throw new HyperslabError(
      'option-unsupported',
      `${key.name} is made of what is there: PUT other attributes`,
    )
  }
  if (titles.length === 0) return deleteDomain(context, domain)
  requirePermission(context, 'delete', root.domain)
  const { found, link, missing } = await writePlace(context, root, titles).catch((error: unknown) => {
    // A path below an array is that of a chunk.
    if (key.name === undefined && error instanceof HyperslabError && error.code === 'malformed-path')
      return NOWHERE
    throw error
  })
  if (found === undefined) return deleteChunk(context, path, format)
  if (missing.length > 0 || !link) throw notFound(`there is nothing at ${excerpt(path)}`)
  const scales = new DimensionScales(context)
  await removeMember(context, link, found, scales)
  await scales.settleMember(link.group, link.title, found.object.id)
  await scales.finish()
}

const NOWHERE = { found: undefined, link: undefined, missing: [] } as const

function isOfView(name: string | undefined, format: ZarrFormat): boolean {
  const documents = DOCUMENTS[format]
  return 'consolidated' in documents && (name === documents.consolidated || name === documents.attributes)
}

interface DocumentKey {
  readonly path: string
  readonly name: string
}

/** The node and the name of a key that is a document; undefined: it is a chunk. */
function documentOf(path: string, format: ZarrFormat): DocumentKey | undefined {
  const slash = path.lastIndexOf('/')
  const name = path.slice(slash + 1)
  return isReserved(name, format) ? { path: path.slice(0, Math.max(slash, 0)), name } : undefined
}

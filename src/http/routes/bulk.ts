// All objects of a domain in one answer: `GET /?getobjs=1`, which is what clients open a file with (hsds-objects 8.11).
// However many there are, they are sent while they are read.

import type { BulkDescription, BulkWanted } from '../../service/descriptions/bulk-descriptions.ts'
import { type StreamedMembers, streamJson } from '../body/json-stream.ts'
import type { Body } from '../dialect/dialect.ts'
import type { Reply, Request } from '../message.ts'
import { flag } from '../parameters.ts'
import type { Answer } from '../route.ts'
import { presentOf } from './paths.ts'

/** What to tell of all objects, if they are asked for and the dialect has that. */
export function bulkIn(request: Request): BulkWanted | undefined {
  const { presentFound, rules } = request.dialect
  if (!presentFound || !flag(request, 'getobjs')) return undefined
  return {
    attributes: rules.domains.bulkAttributes === 'always' || flag(request, 'include_attrs'),
    byCreation: flag(request, 'CreateOrder'),
  }
}

/** What is told of the domain, and its objects by their ids. */
export function bulkReply(
  { hrefs, ...domain }: Body,
  objects: AsyncIterable<BulkDescription>,
  { place, request }: Answer,
): Reply {
  const { dialect } = request
  const present = presentOf(request)
  async function* members(): StreamedMembers {
    for await (const view of objects) yield [dialect.formatId(view.object), present.bulkObject(place, view)]
  }
  const pieces = streamJson({ ...domain, domain_objs: members(), hrefs }, place.nonFinite)
  return { status: 200, stream: { contentType: dialect.jsonContentType, pieces } }
}

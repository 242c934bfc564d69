// All objects of a domain in one answer: `GET /?getobjs=1`, which clients send to open a file (hsds-objects 8.11). The
// answer is sent while the objects are read, so their number has no limit.

import type { BulkDescription } from '../../service/descriptions/bulk-descriptions.ts'
import type { Body } from '../dialect/dialect.ts'
import { type StreamedMembers, streamJson } from '../message/json-stream.ts'
import type { Reply } from '../message/message.ts'
import type { Answer } from '../route/route.ts'
import { presentOf } from './paths.ts'

/** The members of the domain, and its objects by their ids. */
export function bulkReply(
  { hrefs, ...domain }: Body,
  objects: AsyncIterable<BulkDescription>,
  { place, dialect }: Answer,
): Reply {
  const present = presentOf(dialect)
  async function* members(): StreamedMembers {
    for await (const view of objects) yield [dialect.formatId(view.object), present.bulkObject(place, view)]
  }
  const pieces = streamJson({ ...domain, domain_objs: members(), hrefs }, place.nonFinite)
  return { status: 200, stream: { contentType: dialect.jsonContentType, pieces } }
}

// Redirects below a prefix of paths: their addresses are whole. jupyter-server-proxy puts the prefix before every
// address without a host, also before one that has it already or is relative.

import type { NamingSettings } from '../dialect/dialect.ts'
import { baseOf } from '../dialect/place.ts'
import type { Reply, Request } from '../message/message.ts'
import { prefixOf } from '../message/path-prefix.ts'
import type { SentShare } from '../message/share-address.ts'

type Naming = Pick<NamingSettings, 'publicUrl' | 'baseDomain'>

/** The reply with the whole address in `Location`, if it is a redirect below a prefix. */
export function withWholeLocation(
  reply: Reply,
  { headers, prefix, target }: Pick<Request, 'headers' | 'prefix' | 'target'>,
  share: SentShare | undefined,
  naming: Naming,
): Reply {
  const location = reply.headers?.Location
  if (location === undefined || reply.status < 300 || prefixOf(headers) === '') return reply
  const isWithoutSlash = share !== undefined && !share.hasSlash
  const sent = baseOf(headers, naming) + prefix + (isWithoutSlash ? '' : target.path)
  if (!URL.canParse(location, sent)) return reply
  return { ...reply, headers: { ...reply.headers, Location: new URL(location, sent).href } }
}

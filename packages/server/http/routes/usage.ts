// The route of the use of a folder: what the domains below it hold, by child or by owner.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import { bucketOf, type DomainPath } from '@hyperslab/model/names'
import { compareItems, getUsage, type UsagePosition } from '../../service/domains/usage.ts'
import { parseBucketFolder } from '../dialect/buckets.ts'
import { presentUsage } from '../dialect/schemas/usage.ts'
import { jsonReply, type RequestHead } from '../message/message.ts'
import { STRING } from '../message/schema.ts'
import { LISTING } from '../route/common-parameters.ts'
import { optionalQuery, type Parameter, wordQuery } from '../route/parameter.ts'
import { namespaceReadRoute } from '../route/route.ts'

/** Items of one answer. @limit safety, items */
const MAX_ITEMS = 1000

const PARAMETERS = {
  folder: {
    name: 'folder',
    in: 'query',
    description: 'The path of the folder; without it, the one that the request names, or else the top level.',
    schema: { type: 'string', examples: ['/lab/'] },
    read: ({ target, buckets }: RequestHead) => {
      const text = target.query.get('folder')
      return (named: DomainPath) => (text ? parseBucketFolder(text, bucketOf(named), buckets) : named)
    },
  } satisfies Parameter<(named: DomainPath) => DomainPath>,
  by: wordQuery(
    'by',
    ['folder', 'owner'],
    'The sums: of each domain and folder in the folder, with all below it, by default; or of each owner.',
  ),
  limit: LISTING.limit,
  after: optionalQuery({
    name: 'Marker',
    description: 'The items after those of an answer: its `next`.',
    schema: STRING,
    parse: parsePosition,
  }),
}

function parsePosition(text: string): UsagePosition {
  const [, bytes, name] = /^(\d{1,16}):(.*)$/s.exec(text) ?? []
  if (bytes !== undefined && name !== undefined) return { bytes: Number(bytes), name }
  throw new HyperslabError('malformed-parameter', `Marker=${excerpt(text)} must be the "next" of an answer`)
}

export const usageRoute = namespaceReadRoute({
  name: 'get-usage',
  method: 'GET',
  path: '/usage',
  summary: 'Tells how much the domains below a folder hold, by child or by owner.',
  access: 'read',
  parameters: PARAMETERS,
  answers: { 200: { description: 'The use of what the caller may read.', json: 'Usage' } },
  run: (context, named, { folder, by = 'folder' }) => getUsage(context, folder(named), by),
  respond(usage, _, { after, limit = MAX_ITEMS }) {
    const items = after ? usage.items.filter(item => compareItems(after, item) < 0) : usage.items
    const page = items.slice(0, Math.min(limit, MAX_ITEMS))
    return jsonReply(presentUsage(usage, page, page.length < items.length))
  },
})

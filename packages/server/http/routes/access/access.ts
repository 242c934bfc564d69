// The route that changes the owner and the lists of a domain or folder, and of everything below it, in one transaction.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, type JsonObject } from '@hyperslab/model/json'
import { type DomainPath, isWithin } from '@hyperslab/model/names'
import { type AccessChange, changeAccess } from '../../../service/access/access-changes.ts'
import { MAX_ITEMS, requirePathAccess } from '../../../service/acls.ts'
import { pathInBucket } from '../../../service/domains/path-names.ts'
import { aclName, userName } from '../../../service/user-names.ts'
import type { Rules } from '../../dialect/rules.ts'
import { kindOf, objectBody } from '../../input/members.ts'
import { jsonReply } from '../../message/message.ts'
import { STRING } from '../../message/schema.ts'
import { changedAccessIn } from '../../route/changes.ts'
import { LISTING, requireNamed } from '../../route/common-parameters.ts'
import { optionalQuery } from '../../route/parameter.ts'
import { namespaceWriteRoute } from '../../route/route.ts'
import { changesIn } from './acls.ts'

const PARAMETERS = {
  limit: LISTING.limit,
  after: optionalQuery({
    name: 'Marker',
    description: 'The domains and folders after those of an answer: its `next`.',
    schema: STRING,
    parse: text => text,
  }),
}

const MEMBERS = ['owner', 'acls', 'remove', 'below', 'owned_by', 'force']

function accessChangeIn(body: JsonObject, rules: Rules): AccessChange {
  // A misspelled member would change more than was meant, in every dialect.
  const unknown = [...body.keys()].find(name => !MEMBERS.includes(name))
  if (unknown !== undefined) {
    const rule = `body must not have a member ${excerpt(unknown)}: its members are ${MEMBERS.join(', ')}`
    throw new HyperslabError('malformed-body', rule)
  }
  const owner = nameIn(body, 'owner')
  const ownedBy = nameIn(body, 'owned_by')
  const items = body.has('acls') ? changesIn(body, rules) : []
  const removed = removedIn(body)
  if (owner === undefined && items.length === 0 && removed.length === 0) {
    throw new HyperslabError('malformed-body', 'body must have at least one of owner, acls and remove')
  }
  const both = items.find(item => removed.includes(item.userName))?.userName
  if (both !== undefined) {
    throw new HyperslabError('malformed-acl', `body.acls and body.remove must not both name "${both}"`)
  }
  return {
    ...(owner !== undefined && { owner }),
    items,
    removed,
    below: flagIn(body, 'below'),
    ...(ownedBy !== undefined && { ownedBy }),
    force: flagIn(body, 'force'),
  }
}

function nameIn(body: JsonObject, member: string): string | undefined {
  const name = body.get(member)
  if (name === undefined) return undefined
  if (typeof name === 'string') return userName(name)
  throw new HyperslabError('malformed-body', `body.${member} must be the name of a user, not ${kindOf(name)}`)
}

function removedIn(body: JsonObject): readonly string[] {
  const names = body.get('remove') ?? []
  if (!Array.isArray(names) || names.length > MAX_ITEMS) {
    throw new HyperslabError('malformed-acl', `body.remove must be a list of at most ${MAX_ITEMS} names`)
  }
  return names.map(name => {
    if (typeof name === 'string') return aclName(name)
    throw new HyperslabError('malformed-acl', `body.remove must be a list of names, without ${kindOf(name)}`)
  })
}

function flagIn(body: JsonObject, member: string): boolean {
  const flag = body.get(member) ?? false
  if (typeof flag === 'boolean') return flag
  throw new HyperslabError('malformed-body', `body.${member} must be true or false, not ${kindOf(flag)}`)
}

/** The path of `Marker`, which must be that of the request or one below it. */
function positionOf(text: string | undefined, path: DomainPath): DomainPath | undefined {
  if (text === undefined) return undefined
  const named = pathInBucket(path)
  const after = `${path.slice(0, path.length - named.length)}${text}`
  if (isWithin(path, after as DomainPath)) return after as DomainPath // within a path, it is one
  throw new HyperslabError('malformed-parameter', `Marker=${excerpt(text)} must be the "next" of an answer`)
}

export const accessRoute = namespaceWriteRoute({
  name: 'change-access',
  method: 'PUT',
  path: '/access',
  summary:
    'Changes the owner and the access control lists of a domain or folder, and of everything below it.',
  access: 'updateACL',
  async permit(context, path) {
    requireNamed(path)
    await requirePathAccess(context, path, ['updateACL', 'read'])
  },
  parameters: PARAMETERS,
  body: {
    description: 'The change.',
    required: true,
    json: 'AccessChange',
    read: async (body, { rules }) => accessChangeIn(objectBody(await body.json()), rules),
  },
  answers: { 200: { description: 'The access is changed, as far as `next`.', json: 'AccessChanged' } },
  async run(context, path, { body, limit, after }) {
    requireNamed(path)
    return changeAccess(context, path, body, { limit, after: positionOf(after, path) })
  },
  respond: ({ changed, unchanged, next }, _, { body: { owner, below, ownedBy, removed } }) => ({
    ...jsonReply({
      changed: changed.length,
      unchanged,
      ...(next !== undefined && { next: pathInBucket(next) }),
    }),
    changed: () => ({
      ...(owner !== undefined && { owner }),
      ...(below && { below }),
      ...(ownedBy !== undefined && { ownedBy }),
      ...(removed.length > 0 && { removed }),
      ...changedAccessIn(changed),
      ...(next !== undefined && { next }),
    }),
  }),
})

// `/`: the domain itself, or without one the top of the namespace.

import { HyperslabError } from '../../errors.ts'
import { parentOf, ROOT_FOLDER } from '../../hdf5/domain-path.ts'
import { createDomain, deleteDomain, getDomain, listFolder } from '../../service/domains.ts'
import { isObject, kindOf, optionalObjectBody } from '../body/members.ts'
import { flag, listingOf } from '../parameters.ts'
import { namespaceReadRoute, namespaceWriteRoute, type Route } from '../route.ts'

export const domainRoutes: readonly Route[] = [
  namespaceReadRoute({
    name: 'get-domain',
    method: 'GET',
    path: '/',
    access: 'read',
    parse: listingOf,
    async run(context, path, listing) {
      if (path !== ROOT_FOLDER) return { domain: await getDomain(context, path) }
      return { children: await listFolder(context, path, listing) }
    },
    respond({ domain, children = [] }, { place, request: { dialect } }) {
      if (domain === undefined) return { status: 200, body: dialect.present.folderChildren(place, children) }
      const root = domain.entry.root
      return { status: 200, body: dialect.present.domain({ ...place, root }, domain) }
    },
  }),

  namespaceWriteRoute({
    name: 'create-domain',
    method: 'PUT',
    path: '/',
    access: 'create',
    async parse(request) {
      // Classic clients send no body, or one that means nothing.
      if (!request.dialect.rules.ownedDomains) return { folder: false }
      const body = optionalObjectBody(await request.body.json())
      const folder = body.get('folder')
      const owner = body.get('owner')
      if (owner !== undefined && typeof owner !== 'string') {
        throw new HyperslabError('malformed-body', `body.owner must be a user's name, not ${kindOf(owner)}`)
      }
      const group = body.get('group')
      const creationProperties = isObject(group) ? group.get('creationProperties') : undefined
      return {
        folder: flag(request, 'folder') || folder === true || folder === 1,
        ...(owner !== undefined && { owner }),
        ...(creationProperties !== undefined && { creationProperties }),
      }
    },
    async run(context, path, input, { rules }) {
      if (path === ROOT_FOLDER) {
        throw new HyperslabError(
          'domain-exists',
          'the request names no domain to create, only the top of the namespace',
        )
      }
      if (!rules.ownedDomains) return createDomain(context, path, { createParents: true })
      const { caller } = context
      if (parentOf(path) === ROOT_FOLDER && !caller.admin) {
        throw new HyperslabError(
          'permission-denied',
          `only an administrator may create ${path} at the top level`,
        )
      }
      if (input.owner !== undefined && input.owner !== caller.name && !caller.admin) {
        throw new HyperslabError('permission-denied', 'only an administrator may create for another owner')
      }
      const owner = input.owner ?? caller.name
      return createDomain(context, path, {
        ...input,
        ...(owner !== undefined && { owner }),
        createParents: rules.createsParents,
        closed: true,
      })
    },
    respond: (created, { place, request: { dialect } }) => ({
      status: 201,
      body: dialect.present.domainCreated({ ...place, root: created.entry.root }, created),
    }),
  }),

  namespaceWriteRoute({
    name: 'delete-domain',
    method: 'DELETE',
    path: '/',
    access: 'delete',
    parse: () => undefined,
    run(context, path, _, { rules }) {
      if (path === ROOT_FOLDER) {
        throw new HyperslabError('folder-protected', 'the top of the namespace cannot be deleted')
      }
      if (rules.ownedDomains && parentOf(path) === ROOT_FOLDER && !context.caller.admin) {
        throw new HyperslabError(
          'permission-denied',
          `only an administrator may delete ${path} at the top level`,
        )
      }
      return deleteDomain(context, path)
    },
    respond: (_, { place, request: { dialect } }) => ({
      status: 200,
      body: dialect.present.domainDeleted(place),
    }),
  }),
]

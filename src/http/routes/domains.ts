// `/`: the domain itself, or without one the top of the namespace. How domains of the hsds dialect are made and
// deleted is in owned-domains.ts.

import { HyperslabError } from '../../errors.ts'
import { PERMISSIONS } from '../../hdf5/acl.ts'
import { isTopLevel } from '../../hdf5/domain-path.ts'
import { parseGlob } from '../../hdf5/glob.ts'
import { parseQuery } from '../../hdf5/query/parse.ts'
import { compileScalarQuery } from '../../hdf5/query/scalars.ts'
import { PREFIXED_REFERENCES } from '../../hdf5/values/references.ts'
import type { WriteContext } from '../../service/context.ts'
import { describeDomain } from '../../service/descriptions/bulk-descriptions.ts'
import { createDomain } from '../../service/domains/domain-creation.ts'
import { deleteDomain, getDomain, openDomain } from '../../service/domains/domains.ts'
import { type FolderListing, listFolder } from '../../service/domains/folder-listing.ts'
import { scanDomain } from '../../service/statistics.ts'
import type { Request } from '../message.ts'
import { oldNamespaceReadRoute, oldNamespaceWriteRoute } from '../old-route.ts'
import { flag, oldListingOf } from '../parameters.ts'
import type { Route } from '../route.ts'
import { bulkIn, bulkReply } from './bulk.ts'
import { findObject, foundReply, pathIn } from './paths.ts'

/** Where not everybody may do everything, a new domain is its creator's, or he could not use it. */
function ownerIn({ caller, settings }: WriteContext): { readonly owner?: string } {
  const isOpen = PERMISSIONS.every(permission => settings.defaultAcl[permission])
  return isOpen || caller.name === undefined ? {} : { owner: caller.name }
}

/** The top level is listed without a domain, which no dialect need be told for: the options are those of hsds. */
function folderListingOf(request: Request): FolderListing {
  const { query } = request.target
  const pattern = query.get('pattern')
  const text = query.get('query')
  return {
    ...oldListingOf(request),
    ...(pattern && { pattern: parseGlob(pattern) }),
    ...(text && { query: compileScalarQuery(parseQuery(text, 'hsds'), PREFIXED_REFERENCES) }),
    verbose: flag(request, 'verbose'),
  }
}

export const domainRoutes: readonly Route[] = [
  oldNamespaceReadRoute({
    name: 'get-domain',
    method: 'GET',
    path: '/',
    access: 'read',
    repeatable: true,
    // The options of a listing are parsed when there is one: to other answers they mean nothing.
    parse: request => ({
      listing: () => folderListingOf(request),
      scans: request.dialect.rules.objects.describesMore && flag(request, 'verbose'),
      byPath: pathIn(request),
      bulk: bulkIn(request),
    }),
    async run(context, path, { listing, scans, byPath, bulk }, { rules }) {
      if (byPath) return { found: await findObject(context, path, byPath) }
      if (isTopLevel(path)) return { children: await listFolder(context, path, listing()) }
      const domain = await getDomain(context, path)
      if (domain.entry.root === undefined && !rules.domains.showsFolders) {
        throw new HyperslabError('domain-is-folder', `${path} is a folder, not a domain`, { subject: path })
      }
      const scan = scans ? await scanDomain(context, path) : undefined
      const isBulk = bulk && domain.entry.root !== undefined
      const objects = isBulk ? describeDomain(context, await openDomain(context, path), bulk) : undefined
      return { domain: { ...domain, ...(scan && { scan }) }, objects }
    },
    respond({ found, domain, objects, children = [] }, answer) {
      const { place, request } = answer
      const { present } = request.dialect
      if (found) return foundReply(found, answer)
      if (domain === undefined) return { status: 200, body: present.domains.children(place, children) }
      const body = {
        ...(flag(request, 'getdnids') && present.domains.dataNodes()),
        ...present.domains.shown({ ...place, root: domain.entry.root }, domain),
      }
      if (objects) return bulkReply(body, objects, answer)
      return { status: 200, body, tellsTime: domain.scan !== undefined }
    },
  }),

  oldNamespaceReadRoute({
    name: 'list-folder',
    method: 'GET',
    path: '/domains',
    access: 'read',
    only: 'hsds',
    parse: folderListingOf,
    run: (context, path, listing) => listFolder(context, path, listing),
    respond: (entries, { place, request: { dialect } }) => ({
      status: 200,
      body: { ...dialect.present.domains.children(place, entries), hrefs: [] },
    }),
  }),

  // Clients of the classic dialect send no body, or one that means nothing.
  oldNamespaceWriteRoute({
    name: 'create-domain',
    method: 'PUT',
    path: '/',
    access: 'create',
    only: 'classic',
    parse: () => undefined,
    run: (context, path) => createDomain(context, path, { createParents: true, ...ownerIn(context) }),
    respond: (created, { place, request: { dialect } }) => ({
      status: 201,
      body: dialect.present.domains.created({ ...place, root: created.entry.root }, created),
    }),
  }),

  oldNamespaceWriteRoute({
    name: 'delete-domain',
    method: 'DELETE',
    path: '/',
    access: 'delete',
    only: 'classic',
    parse: () => undefined,
    run: (context, path) => deleteDomain(context, path),
    respond: (_, { place, request: { dialect } }) => ({
      status: 200,
      body: dialect.present.domains.deleted(place),
    }),
  }),
]

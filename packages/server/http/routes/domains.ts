// Routes of `/`: the domain itself, or without one the top of the namespace. domain-writes.ts creates and deletes
// domains of the hsds dialect.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { DomainFiles } from '@hyperslab/files/export'
import { isTopLevel, PERMISSIONS, parseGlob } from '@hyperslab/model/names'
import { compileScalarQuery, parseQuery } from '@hyperslab/model/query'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import type { Context } from '../../service/context.ts'
import { describeDomain } from '../../service/descriptions/bulk-descriptions.ts'
import { deleteDomainOnly, pathOfNew } from '../../service/domains/classic-names.ts'
import { createDomain, type NewPlace } from '../../service/domains/domain-creation.ts'
import { contentsOf, getContents, getDomain, openDomain } from '../../service/domains/domains.ts'
import { type FolderListing, listFolder } from '../../service/domains/folder-listing.ts'
import { getStatistics } from '../../service/statistics.ts'
import { listedChildren, presentFolderChildren } from '../dialect/folder-children.ts'
import { STRING } from '../message/schema.ts'
import { LISTING, requireNamed } from '../route/common-parameters.ts'
import { flagQuery, optionalQuery, type ParameterValues, whenUsed } from '../route/parameter.ts'
import { namespaceReadRoute, namespaceWriteRoute, type Route, type UploadRequest } from '../route/route.ts'
import { bulkReply } from './bulk.ts'
import {
  DOWNLOAD_OPTIONS,
  download,
  downloadReply,
  fileRoute,
  UPLOAD,
  UPLOAD_OPTIONS,
  uploadRequest,
  WHOLE_DOMAIN,
} from './domain-files.ts'
import { DATA_NODES } from './domain-writes.ts'
import { findObject, foundReply, PATH_OPTIONS } from './paths.ts'

/**
 * The owner of a new domain: its creator, unless all callers have all permissions. Without an owner the creator could
 * not use it.
 */
function ownerIn({ caller, settings }: Context): { readonly owner?: string } {
  const isOpen = PERMISSIONS.every(permission => settings.defaultAcl[permission])
  return isOpen || caller.name === undefined ? {} : { owner: caller.name }
}

/**
 * The options of a listing of a folder. Both dialects have them: a request that lists the top level names no domain.
 */
const FOLDER_LISTING = {
  limit: LISTING.limit,
  marker: LISTING.marker,
  pattern: optionalQuery({
    name: 'pattern',
    description: 'Only domains and folders whose last name matches it: `*`, `?`, `[a-z]`.',
    schema: STRING,
    parse: parseGlob,
  }),
  query: optionalQuery({
    name: 'query',
    description: 'Only domains whose root groups have attributes of which this holds: `mass > 10`.',
    schema: STRING,
    parse: text => compileScalarQuery(parseQuery(text, 'words'), PREFIXED_REFERENCES),
  }),
  verbose: flagQuery('verbose', 'Domains come with what they hold.'),
}

function folderListingOf({ query, ...listing }: ParameterValues<typeof FOLDER_LISTING>): FolderListing {
  return { ...listing, ...(query && { query }) }
}

/** The same options for `/`, where they have no effect unless the top level is listed. */
const TOP_LISTING = {
  limit: whenUsed(FOLDER_LISTING.limit),
  marker: FOLDER_LISTING.marker,
  pattern: whenUsed(FOLDER_LISTING.pattern),
  query: whenUsed(FOLDER_LISTING.query),
  verbose: FOLDER_LISTING.verbose,
}

function topListingOf(given: ParameterValues<typeof TOP_LISTING>): FolderListing {
  const { limit, marker, pattern, query, verbose } = given
  return folderListingOf({ limit: limit(), marker, pattern: pattern(), query: query(), verbose })
}

/** The declaration of the page that the router sends to a browser (pages.ts). */
const START_PAGE_ANSWER = {
  'text/html': 'The page of /ui: without a query, where `Accept` prefers it to JSON.',
}

/** The route of the classic dialect. */
function getDomainOrTop(files: DomainFiles): Route {
  return namespaceReadRoute({
    name: 'get-domain',
    method: 'GET',
    path: '/',
    summary:
      'Describes the domain, gives it as a file, or, where the request names none, the table of contents.',
    access: 'read',
    only: 'classic',
    repeatable: true,
    parameters: { ...DOWNLOAD_OPTIONS, ...TOP_LISTING },
    answers: {
      200: {
        description: 'The domain, or the table of contents.',
        json: 'DomainView',
        file: WHOLE_DOMAIN,
        formats: START_PAGE_ANSWER,
      },
    },
    async run(context, path, { asFile, skipUnreadable, repack, ...given }) {
      if (asFile) {
        requireNamed(path)
        return { download: await download(context, files, path, { skipUnreadable, repack }) }
      }
      const contents = await contentsOf(context)
      const children = isTopLevel(path) && (await listFolder(context, path, topListingOf(given)))
      const domain = contents ? await getContents(context, contents) : await getDomain(context, path)
      if (domain.entry.root !== undefined) return { domain, ...(children && { children }) }
      throw new HyperslabError('domain-is-folder', `${path} is a folder, not a domain`, { subject: path })
    },
    respond(shown, { place, dialect }) {
      if ('download' in shown) return downloadReply(shown.download)
      const { domain, children } = shown
      const body = dialect.present.domains.shown({ ...place, root: domain.entry.root }, domain)
      return { status: 200, body: children ? { domains: listedChildren(place, children), ...body } : body }
    },
  })
}

/** The route of the hsds dialect, in which `/` also finds objects by path. */
function getDomainOrObject(files: DomainFiles): Route {
  return namespaceReadRoute({
    name: 'get-domain',
    method: 'GET',
    path: '/',
    summary:
      'Describes a domain or folder, gives a domain as a file, finds an object by its path, or lists the top level.',
    access: 'read',
    only: 'hsds',
    repeatable: true,
    parameters: {
      objectPath: optionalQuery({
        name: 'h5path',
        description: 'The object at this path is described instead of the domain.',
        schema: STRING,
        parse: text => text,
      }),
      ...PATH_OPTIONS,
      start: whenUsed(PATH_OPTIONS.start),
      objects: flagQuery('getobjs', 'The domain comes with all its objects.'),
      nodes: flagQuery('getdnids', 'The answer has `dn_ids`.'),
      ...DOWNLOAD_OPTIONS,
      ...TOP_LISTING,
    },
    answers: {
      200: {
        description: 'What was asked for.',
        json: 'DomainView',
        file: WHOLE_DOMAIN,
        formats: START_PAGE_ANSWER,
      },
    },
    async run(
      context,
      path,
      { asFile, skipUnreadable, repack, objectPath, start, ...parameters },
      { rules },
    ) {
      if (asFile) {
        if (objectPath === undefined) {
          requireNamed(path)
          return { download: await download(context, files, path, { skipUnreadable, repack }) }
        }
        const message = 'h5path must be absent where an HDF5 file is asked for: a file has the whole domain'
        throw new HyperslabError('malformed-parameter', message)
      }
      if (objectPath !== undefined) {
        return { found: await findObject(context, path, objectPath, { ...parameters, start: start() }) }
      }
      if (isTopLevel(path)) return { children: await listFolder(context, path, topListingOf(parameters)) }
      const shown = await getDomain(context, path)
      const scan = parameters.verbose ? await getStatistics(context, path) : undefined
      const domain = { ...shown, ...(scan && { scan: { ...scan, time: SYSTEM_CLOCK.now() * 1000 } }) }
      if (!parameters.objects || shown.entry.root === undefined) return { domain }
      const attributes = rules.domains.bulkAttributes === 'always' || parameters.attributes
      const wanted = { attributes, byCreation: parameters.byCreation }
      return { domain, objects: describeDomain(context, await openDomain(context, path), wanted) }
    },
    respond({ download, found, domain, objects, children = [] }, answer, { nodes }) {
      if (download) return downloadReply(download)
      const { place, dialect } = answer
      const { domains } = dialect.present
      if (found) return foundReply(found, answer)
      if (domain === undefined) return { status: 200, body: presentFolderChildren(place, children) }
      const body = {
        ...(nodes && DATA_NODES),
        ...domains.shown({ ...place, root: domain.entry.root }, domain),
      }
      if (objects) return bulkReply(body, objects, answer)
      return { status: 200, body, hasTime: domain.scan !== undefined }
    },
  })
}

const LIST_FOLDER: Route = namespaceReadRoute({
  name: 'list-folder',
  method: 'GET',
  path: '/domains',
  summary: 'Lists the domains and folders in a folder.',
  access: 'read',
  only: 'hsds',
  parameters: FOLDER_LISTING,
  answers: { 200: { description: 'The domains and folders.', json: 'FolderList' } },
  run: (context, path, given) => listFolder(context, path, folderListingOf(given)),
  respond: (entries, { place }) => ({
    status: 200,
    body: { ...presentFolderChildren(place, entries), hrefs: [] },
  }),
})

function newDomainOf(context: Context): NewPlace & { readonly createParents: true } {
  return { createParents: true, belowDomains: true, ...ownerIn(context) }
}

/** The same upload, to the path that a new domain of the name gets. */
function atPathOfNew({ permit, publish, ...upload }: UploadRequest): UploadRequest {
  return {
    ...upload,
    permit: async (context, path) => permit(context, await pathOfNew(context, path)),
    publish: async (context, path, contents) => publish(context, await pathOfNew(context, path), contents),
  }
}

/** Creates a domain. Clients of the classic dialect send no body, or one without a meaning. */
const CREATE_DOMAIN: Route = namespaceWriteRoute({
  name: 'create-domain',
  method: 'PUT',
  path: '/',
  summary: 'Creates a domain, also of an HDF5 file, and its folders.',
  access: 'create',
  only: 'classic',
  parameters: UPLOAD_OPTIONS,
  upload: UPLOAD,
  uploadOf: (given, head) => atPathOfNew(uploadRequest(given, head, async () => {}, newDomainOf)),
  answers: { 201: { description: 'The new domain.', json: 'DomainCreated' } },
  async run(context, path) {
    return createDomain(context, await pathOfNew(context, path), newDomainOf(context))
  },
  respond: (created, { place, dialect }) => ({
    status: 201,
    body: dialect.present.domains.created({ ...place, root: created.entry.root }, created),
  }),
})

const DELETE_DOMAIN: Route = namespaceWriteRoute({
  name: 'delete-domain',
  method: 'DELETE',
  path: '/',
  summary: 'Deletes a domain with everything in it.',
  access: 'delete',
  only: 'classic',
  parameters: {},
  answers: { 200: { description: 'The domain is deleted.', json: 'DomainDeleted' } },
  run: deleteDomainOnly,
  respond: () => ({ status: 200, body: { hrefs: [] } }),
})

export function domainRoutes(files: DomainFiles): readonly Route[] {
  const reads = [getDomainOrTop(files), getDomainOrObject(files), fileRoute(files), LIST_FOLDER]
  return [...reads, CREATE_DOMAIN, DELETE_DOMAIN]
}

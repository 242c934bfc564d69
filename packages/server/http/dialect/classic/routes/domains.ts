// Routes of `/` in the classic dialect: the domain itself, or the table of contents that the request names (classic 5
// and 12).

import { HyperslabError } from '@hyperslab/base/errors'
import type { DomainFiles } from '@hyperslab/files/export'
import { isTopLevel, PERMISSIONS } from '@hyperslab/model/names'
import { requirePermission } from '../../../../service/access/access.ts'
import type { Context } from '../../../../service/context.ts'
import { createDomain, type NewPlace } from '../../../../service/domains/domain-creation.ts'
import { getDomain, type ShownDomain } from '../../../../service/domains/domains.ts'
import { listFolder } from '../../../../service/domains/folder-listing.ts'
import { requireNamed } from '../../../route/common-parameters.ts'
import {
  namespaceReadRoute,
  namespaceWriteRoute,
  type Route,
  type UploadRequest,
} from '../../../route/route.ts'
import {
  DOWNLOAD_OPTIONS,
  download,
  downloadReply,
  UPLOAD,
  UPLOAD_OPTIONS,
  uploadRequest,
  WHOLE_DOMAIN,
} from '../../../routes/domain-files.ts'
import { TOP_LISTING, topListingOf } from '../../../routes/folder-listing.ts'
import { START_PAGE_ANSWER } from '../../../routes/pages.ts'
import { listedChildren } from '../../folder-children.ts'
import { deleteDomainOnly, pathOfNew } from '../new-domains.ts'

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
      const contents = await getContents(context)
      const children = isTopLevel(path) && (await listFolder(context, path, topListingOf(given)))
      const domain = contents ?? (await getDomain(context, path))
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

/** The table of contents that the request names. It has no state: mounted files change without one. */
async function getContents(context: Context): Promise<ShownDomain | undefined> {
  const contents = await context.meanings?.openContents?.(context)
  if (contents) requirePermission(context, 'read', contents)
  return contents && { entry: contents.entry }
}

/**
 * The owner of a new domain: its creator, unless all callers have all permissions. Without an owner the creator could
 * not use it.
 */
function ownerIn({ caller, settings }: Context): { readonly owner?: string } {
  const isOpen = PERMISSIONS.every(permission => settings.defaultAcl[permission])
  return isOpen || caller.name === undefined ? {} : { owner: caller.name }
}

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

/** Creates a domain. Clients send no body, or one without a meaning. */
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
    changed: () => ({ path: created.entry.path }),
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
  return [getDomainOrTop(files), CREATE_DOMAIN, DELETE_DOMAIN]
}

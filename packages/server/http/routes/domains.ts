// GET of `/` in the hsds dialect: the domain itself, an object of it, or without a domain the top of the namespace.
// domain-writes.ts creates and deletes domains.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { DomainFiles } from '@hyperslab/files/export'
import { type DomainPath, isTopLevel } from '@hyperslab/model/names'
import type { Context } from '../../service/context.ts'
import { type BulkDescription, describeDomain } from '../../service/descriptions/bulk-descriptions.ts'
import { getDomain, openDomain, type ShownDomain } from '../../service/domains/domains.ts'
import { type ListedEntry, listFolder } from '../../service/domains/folder-listing.ts'
import { getStatistics } from '../../service/statistics.ts'
import type { TimedStatistics } from '../dialect/dialect.ts'
import { presentFolderChildren } from '../dialect/folder-children.ts'
import type { Rules } from '../dialect/rules.ts'
import { STRING } from '../message/schema.ts'
import { requireNamed } from '../route/common-parameters.ts'
import { flagQuery, optionalQuery, type ParameterValues, whenUsed } from '../route/parameter.ts'
import { namespaceReadRoute, type Route } from '../route/route.ts'
import { bulkReply } from './bulk.ts'
import {
  DOWNLOAD_OPTIONS,
  type Download,
  download,
  downloadReply,
  type FileFacts,
  fileRoute,
  WHOLE_DOMAIN,
} from './domain-files.ts'
import { DATA_NODES } from './domain-writes.ts'
import { listFolderRoute, TOP_LISTING, topListingOf } from './folder-listing.ts'
import { START_PAGE_ANSWER } from './pages.ts'
import { type FoundObject, findObject, foundReply, PATH_OPTIONS } from './paths.ts'

const OPTIONS = {
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
}

/** The one thing that a request asked for. */
interface RootView {
  readonly download?: Download
  readonly found?: FoundObject
  /** The domains and folders at the top level. */
  readonly children?: readonly ListedEntry[]
  readonly domain?: ShownDomain & { readonly scan?: TimedStatistics }
  /** The objects of the domain. */
  readonly objects?: AsyncIterable<BulkDescription>
}

function getDomainRoute(files: DomainFiles): Route {
  return namespaceReadRoute({
    name: 'get-domain',
    method: 'GET',
    path: '/',
    summary:
      'Describes a domain or folder, gives a domain as a file, finds an object by its path, or lists the top level.',
    access: 'read',
    only: 'hsds',
    repeatable: true,
    parameters: OPTIONS,
    answers: {
      200: {
        description: 'What was asked for.',
        json: 'DomainView',
        file: WHOLE_DOMAIN,
        formats: START_PAGE_ANSWER,
      },
    },
    async run(context, path, { asFile, objectPath, start, ...given }, { rules }): Promise<RootView> {
      if (asFile) {
        requireNoObject(objectPath)
        requireNamed(path)
        const { skipUnreadable, repack } = given
        return { download: await download(context, files, path, { skipUnreadable, repack }) }
      }
      if (objectPath !== undefined) {
        return { found: await findObject(context, path, objectPath, { ...given, start: start() }) }
      }
      if (isTopLevel(path)) return { children: await listFolder(context, path, topListingOf(given)) }
      return describe(context, path, given, rules)
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

function requireNoObject(objectPath: string | undefined): void {
  if (objectPath === undefined) return
  const message = 'h5path must be absent where an HDF5 file is asked for: a file has the whole domain'
  throw new HyperslabError('malformed-parameter', message)
}

/** The domain or folder, perhaps with its statistics and its objects. */
async function describe(
  context: Context,
  path: DomainPath,
  given: Pick<ParameterValues<typeof OPTIONS>, 'verbose' | 'objects' | 'attributes' | 'byCreation'>,
  { domains }: Rules,
): Promise<RootView> {
  const shown = await getDomain(context, path)
  const scan = given.verbose ? await getStatistics(context, path) : undefined
  const domain = { ...shown, ...(scan && { scan: { ...scan, time: SYSTEM_CLOCK.now() * 1000 } }) }
  if (!given.objects || shown.entry.root === undefined) return { domain }
  const attributes = domains.bulkAttributes === 'always' || given.attributes
  const wanted = { attributes, byCreation: given.byCreation }
  return { domain, objects: describeDomain(context, await openDomain(context, path), wanted) }
}

export function domainRoutes(files: DomainFiles, facts: FileFacts): readonly Route[] {
  return [getDomainRoute(files), fileRoute(files, facts), listFolderRoute]
}

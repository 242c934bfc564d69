// Listings of folders: their options, and the route of `/domains`.

import { parseGlob } from '@hyperslab/model/names'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { type FolderListing, listFolder } from '../../service/domains/folder-listing.ts'
import { parseQuery } from '../../service/query/parse.ts'
import { compileScalarQuery } from '../../service/query/scalars.ts'
import { presentFolderChildren } from '../dialect/folder-children.ts'
import { jsonReply } from '../message/message.ts'
import { STRING } from '../message/schema.ts'
import { LISTING } from '../route/common-parameters.ts'
import { flagQuery, optionalQuery, type ParameterValues, whenUsed } from '../route/parameter.ts'
import { namespaceReadRoute, type Route } from '../route/route.ts'

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
export const TOP_LISTING = {
  limit: whenUsed(FOLDER_LISTING.limit),
  marker: FOLDER_LISTING.marker,
  pattern: whenUsed(FOLDER_LISTING.pattern),
  query: whenUsed(FOLDER_LISTING.query),
  verbose: FOLDER_LISTING.verbose,
}

export function topListingOf(given: ParameterValues<typeof TOP_LISTING>): FolderListing {
  const { limit, marker, pattern, query, verbose } = given
  return folderListingOf({ limit: limit(), marker, pattern: pattern(), query: query(), verbose })
}

export const listFolderRoute: Route = namespaceReadRoute({
  name: 'list-folder',
  method: 'GET',
  path: '/domains',
  summary: 'Lists the domains and folders in a folder.',
  access: 'read',
  only: 'hsds',
  parameters: FOLDER_LISTING,
  answers: { 200: { description: 'The domains and folders.', json: 'FolderList' } },
  run: (context, path, given) => listFolder(context, path, folderListingOf(given)),
  respond: (entries, { place }) => jsonReply({ ...presentFolderChildren(place, entries), hrefs: [] }),
})

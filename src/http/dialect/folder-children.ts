// The domains and folders in a folder. Both dialects list the top level in this form when a request names no domain
// (common 2; hsds-objects 8.5).

import { pathInBucket } from '../../hdf5/domain-path.ts'
import { lazyList } from '../../hdf5/json.ts'
import { formatPrefixed } from '../../hdf5/object-id.ts'
import { toEpochSeconds } from '../../hdf5/timestamp.ts'
import type { ListedEntry } from '../../service/domains/folder-listing.ts'
import type { Body } from './dialect.ts'
import type { Place } from './hrefs.ts'
import { hrefToDomain } from './hrefs.ts'
import { statisticsMembers } from './hsds/statistics.ts'

export function presentFolderChildren(place: Place, entries: readonly ListedEntry[]): Body {
  return {
    domains: lazyList(entries, listed => listedDomain(place, listed)),
    hrefs: [{ href: `${place.base}/`, rel: 'self' }],
  }
}

function listedDomain(place: Place, { entry, statistics }: ListedEntry): Body {
  return {
    name: pathInBucket(entry.path),
    class: entry.root === undefined ? 'folder' : 'domain',
    ...(entry.root !== undefined && { root: formatPrefixed({ kind: 'group', id: entry.root }) }),
    owner: entry.owner ?? '',
    created: toEpochSeconds(entry.created),
    lastModified: toEpochSeconds(entry.lastModified),
    ...(statistics && statisticsMembers(statistics)),
    hrefs: [{ href: hrefToDomain(place, entry.path), rel: 'domain' }],
  }
}

// The domains and folders in a folder. Both dialects list the top level in this form when a request names no domain
// (common 2; hsds-objects 8.5).

import type { HyperslabError } from '@hyperslab/base/errors'
import { type JsonOutput, parseJson } from '@hyperslab/model/json'
import { formatPrefixed } from '@hyperslab/model/names'
import type { DomainEntry } from '@hyperslab/store/store'
import type { ListedEntry } from '../../service/domains/folder-listing.ts'
import { pathInBucket } from '../../service/domains/path-names.ts'
import { lazyList } from '../message/lazy-json.ts'
import { toEpochSeconds } from '../message/times.ts'
import type { Body } from './dialect.ts'
import { hrefToDomain, type Place } from './hrefs.ts'
import { statisticsMembers } from './hsds/statistics.ts'

export function presentFolderChildren(place: Place, entries: readonly ListedEntry[]): Body {
  return {
    domains: listedChildren(place, entries),
    hrefs: [{ href: `${place.base}/`, rel: 'self' }],
  }
}

export function listedChildren(place: Place, entries: readonly ListedEntry[]): JsonOutput {
  return lazyList(entries, listed => listedDomain(place, listed))
}

/**
 * The members of a file or folder that is served where it is: a file has its size before it is read.
 * `inside`: the damage that was found in it.
 */
export function mountedMembers(
  { mounted, join, fileSize, fileCount, damage }: DomainEntry,
  inside?: HyperslabError,
): Body {
  const reason = damage ?? inside?.message
  return {
    ...(mounted && { mounted }),
    ...(join !== undefined && { joined: true }),
    ...(fileSize !== undefined && { file_size: fileSize }),
    ...(fileCount !== undefined && { num_files: fileCount }),
    ...(reason !== undefined && { damage: reason }),
  }
}

/** The definition of a joined domain, which of its files cannot be read, and how many it has by now. */
export function joinMembers({ join, unwell = [], progress }: DomainEntry): Body {
  if (join === undefined) return {}
  const files = unwell.map(({ path, reason }) => ({ file: path, reason }))
  return {
    join: parseJson(join),
    ...(files.length > 0 && { unwell: files }),
    ...(progress && { joining: { joined: progress.limit, read: progress.done } }),
  }
}

/** The owner of a domain or folder; empty: it has none, or the answer names none. */
export function shownOwner({ namesOwners }: Place, { owner = '' }: DomainEntry): string {
  return namesOwners ? owner : ''
}

function listedDomain(place: Place, { entry, statistics }: ListedEntry): Body {
  return {
    name: pathInBucket(entry.path),
    class: entry.root === undefined ? 'folder' : 'domain',
    ...(entry.root !== undefined && { root: formatPrefixed({ kind: 'group', id: entry.root }) }),
    owner: shownOwner(place, entry),
    created: toEpochSeconds(entry.created),
    lastModified: toEpochSeconds(entry.lastModified),
    ...mountedMembers(entry, statistics?.damage),
    ...(statistics && statisticsMembers(statistics)),
    hrefs: [{ href: hrefToDomain(place, entry.path), rel: 'domain' }],
  }
}

// The use of a folder: its schemas, and its JSON, which is the same in both dialects and in the command.

import type { DomainPath } from '@hyperslab/model/names'
import { pathInBucket } from '../../../service/domains/path-names.ts'
import type { Grouping, Usage, UsageItem, Use } from '../../../service/domains/usage.ts'
import { COUNT, list, object, ref, type Schema, type Schemas, STRING, word } from '../../message/schema.ts'
import type { Body } from '../dialect.ts'
import { EXAMPLE_TIME, TIME } from './account/times.ts'
import { presentQuota } from './quotas.ts'

const USE: Readonly<Record<string, Schema>> = {
  domains: COUNT,
  objects: { ...COUNT, description: 'Groups, datasets and committed datatypes.' },
  bytes: {
    ...COUNT,
    description: 'Bytes of values and of all records: the sum of `total_size` of the domains.',
  },
  allocated_bytes: { ...COUNT, description: 'Bytes of values.' },
  metadata_bytes: { ...COUNT, description: 'Bytes of the records of objects, links and attributes.' },
  'last_modified?': { ...TIME, description: 'The last change, in UTC; absent: there are no domains.' },
}

const EXAMPLE_USE = {
  domains: 12,
  objects: 340,
  bytes: 5_300_000,
  allocated_bytes: 5_200_000,
  metadata_bytes: 98_000,
  last_modified: EXAMPLE_TIME,
}

export const usageSchemas: Schemas = {
  Usage: {
    ...object({
      folder: STRING,
      by: word('folder', 'owner'),
      total: { ...object(USE), description: 'The use of all domains that are counted.' },
      items: list(ref('UsageItem'), 'The sums, largest bytes first.'),
      'next?': {
        ...STRING,
        description: '`Marker` of the request for further items; absent: there are none.',
      },
      'quotas?': list(
        ref('Quota'),
        'The quotas of the folder and of those above it; absent: there are none.',
      ),
      'mounted?': { const: true, description: 'The folder is one of mounted files, which are not counted.' },
    }),
    description: 'The use of the domains below a folder that the caller may read.',
    examples: [
      {
        folder: '/lab',
        by: 'folder',
        total: EXAMPLE_USE,
        items: [{ name: '/lab/ann', class: 'folder', ...EXAMPLE_USE }],
      },
    ],
  },
  UsageItem: {
    ...object({
      'name?': { ...STRING, description: 'The path of a domain or folder in the folder; absent by owner.' },
      'class?': word('domain', 'folder'),
      'owner?': {
        ...STRING,
        description: 'The owner, if the sums are by owner; absent: the domains have none.',
      },
      ...USE,
    }),
    examples: [
      { name: '/lab/ann', class: 'folder', ...EXAMPLE_USE },
      { owner: 'ann', ...EXAMPLE_USE },
    ],
  },
}

function presentUse({ domains, objects, bytes, ...use }: Use): Body {
  return {
    domains,
    objects,
    bytes,
    allocated_bytes: use.allocatedBytes,
    metadata_bytes: use.metadataBytes,
    ...(domains > 0 && { last_modified: new Date(use.lastModified / 1000).toISOString() }),
  }
}

function presentItem(by: Grouping, item: UsageItem): Body {
  const { name, isFolder } = item
  if (by === 'owner') return { ...(name !== undefined && { owner: name }), ...presentUse(item) }
  return {
    name: pathInBucket(name as DomainPath), // by folder, names are paths
    class: isFolder ? 'folder' : 'domain',
    ...presentUse(item),
  }
}

/** `hasMore`: there are items after these. */
export function presentUsage(
  { folder, by, total, quotas, mounted }: Omit<Usage, 'items'>,
  items: readonly UsageItem[],
  hasMore = false,
): Body {
  const last = items.at(-1)
  return {
    folder: pathInBucket(folder),
    by,
    total: presentUse(total),
    items: items.map(item => presentItem(by, item)),
    ...(hasMore && last && { next: `${last.bytes}:${last.name ?? ''}` }),
    ...(quotas.length > 0 && { quotas: quotas.map(presentQuota) }),
    ...(mounted && { mounted }),
  }
}

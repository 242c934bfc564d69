// The contents of an entry of a folder, as far as the listing has them.

import type { Api } from '@hyperslab/client'

/** Bytes: of a mounted file, or stored for a domain. */
export function sizeOf(row: Api.ListedDomain): number | undefined {
  if (row.file_size !== undefined) return row.file_size
  return 'total_size' in row ? row.total_size : undefined
}

export function objectsOf(row: Api.ListedDomain): number | undefined {
  // `num_objects` counts chunks, too.
  return 'num_groups' in row ? row.num_groups + row.num_datasets + row.num_datatypes : undefined
}

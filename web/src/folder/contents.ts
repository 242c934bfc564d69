// What an entry of a folder holds, as far as its listing tells.

import type { Api } from '../../../client/index.ts'

/** Bytes. */
export function sizeOf(row: Api.ListedDomain): number | undefined {
  return 'total_size' in row ? row.total_size : undefined
}

export function objectsOf(row: Api.ListedDomain): number | undefined {
  return 'num_objects' in row ? row.num_objects : undefined
}

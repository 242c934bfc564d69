// The contents of an entry of a folder, as far as the listing and its picture have them.

import type { Api, Hyperslab } from '@hyperslab/client'

/** Bytes: of a mounted file, or stored for a domain. */
export function sizeOf(row: Api.ListedDomain): number | undefined {
  if (row.file_size !== undefined) return row.file_size
  return 'total_size' in row ? row.total_size : undefined
}

export function objectsOf(row: Api.ListedDomain): number | undefined {
  // `num_objects` counts chunks, too.
  return 'num_groups' in row ? row.num_groups + row.num_datasets + row.num_datatypes : undefined
}

/** Undefined: a domain that cannot be shown has no picture; opening it shows the reason. */
export async function pictureOf(
  client: Pick<Hyperslab, 'open'>,
  domain: string,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  try {
    const response = await client.open('GET /thumbnail', { domain }, { signal })
    return response.status === 200 ? await response.blob() : undefined
  } catch {
    return undefined
  }
}

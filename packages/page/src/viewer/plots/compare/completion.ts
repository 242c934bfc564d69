// What a field that takes a path offers: the members of the group, or the entries of the folder, that is typed so far.

import type { Domain, Hyperslab } from '@hyperslab/client'
import { childPath, parentPath } from '../../data/contents.ts'

/** Entries that are offered: more of them nobody reads. */
const MOST = 500

/** The group or folder of a path that is not yet whole. */
export function groupOf(path: string): string {
  return path.startsWith('/') ? parentPath(path) : '/'
}

export async function pathsIn(
  domain: Pick<Domain, 'links'>,
  group: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return first(domain.links(group, { pageSize: MOST, signal }), ({ title }) => childPath(group, title))
}

export async function filesIn(
  client: Pick<Hyperslab, 'folder'>,
  folder: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  return first(client.folder(folder, { pageSize: MOST, signal }), ({ name }) => name)
}

async function first<Item>(
  items: AsyncIterable<Item>,
  nameOf: (item: Item) => string,
): Promise<readonly string[]> {
  const names: string[] = []
  for await (const item of items) {
    names.push(nameOf(item))
    if (names.length === MOST) break
  }
  return names
}

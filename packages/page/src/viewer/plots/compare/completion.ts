// What a field that takes a path offers: the members of the group, or the entries of the folder, that is typed so far.

import type { Hyperslab } from '@hyperslab/client'
import { type Contents, parentPath } from '../../data/contents.ts'

/** Entries that are offered: more of them nobody reads. */
const MOST = 500

/** The group or folder of a path that is not yet whole. */
export function groupOf(path: string): string {
  return path.startsWith('/') ? parentPath(path) : '/'
}

export async function pathsIn(contents: Contents, group: string): Promise<readonly string[]> {
  const members = await contents.firstMembers(await contents.at(group), MOST)
  return members.map(({ path }) => path)
}

export async function filesIn(
  client: Pick<Hyperslab, 'folder'>,
  folder: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { name } of client.folder(folder, { pageSize: MOST, signal })) {
    names.push(name)
    if (names.length === MOST) break
  }
  return names
}

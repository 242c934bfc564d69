// The datasets that may be the axis of a line: those of its group with a coordinate for each element, or for each edge.

import { type Contents, parentPath } from './contents.ts'

/** Members of a group that are looked at. @limit safety, members */
const MAX_MEMBERS = 200

/** The paths of datasets of one dimension beside another dataset, for a dimension of this length. */
export async function axisCandidates(
  contents: Contents,
  path: string,
  length: number,
): Promise<readonly string[]> {
  const members = await contents.firstMembers(await contents.at(parentPath(path)), MAX_MEMBERS)
  const found = await Promise.all(members.map(member => contents.at(member.path).catch(() => undefined)))
  return found.flatMap(entity => {
    const [count, ...more] = entity?.dataset?.shape ?? []
    const isAxis = more.length === 0 && (count === length || count === length + 1)
    return entity && isAxis && entity.path !== path ? [entity.path] : []
  })
}

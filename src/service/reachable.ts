// What can be reached from a group by hard links: each object once, also where links lead in circles. Soft and
// external links are not followed, and links to objects that were deleted lead nowhere.

import type { ObjectId, ObjectReference } from '../hdf5/object-id.ts'
import type { Reader } from '../storage/store.ts'

/** Not the group itself, unless a link leads back to it. Breadth first; titles in the order of their names. */
export async function* reachableFrom(reader: Reader, group: ObjectId): AsyncGenerator<ObjectReference> {
  const seen = new Set<ObjectId>()
  const groups = [group]
  // The list grows while it is walked.
  for (const id of groups) {
    for await (const { target } of reader.links(id)) {
      if (target.class !== 'H5L_TYPE_HARD' || seen.has(target.id)) continue
      seen.add(target.id)
      if (!(await reader.object(target.id))) continue
      if (target.kind === 'group' && target.id !== group) groups.push(target.id)
      yield { kind: target.kind, id: target.id }
    }
  }
}

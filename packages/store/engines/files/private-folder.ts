// The folders of a store that hold its data. No other user of the system may open them: values may be anybody's, and
// the records have hashes of passwords. Where the data folder or a part of it belongs to another user, this process has
// its rights as a member of a group, and so may the next one that uses the folder (`fsGroup` of Kubernetes, OpenShift).

import { chmod, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './blobs.ts'

const OF_OTHERS = 0o007
const OF_GROUP = 0o070

/**
 * Takes the rights of other users on the folder away, and those of its group unless they are needed. A folder of
 * another user may only be changed by that user: then `warn` is called with the rights that others have.
 */
export async function keepFromOthers(folder: string, warn: (message: string) => void): Promise<void> {
  const { mode, uid } = await stat(folder)
  const user = process.geteuid?.()
  const isShared = uid !== user || (await stat(dirname(folder))).uid !== user
  const surplus = mode & (isShared ? OF_OTHERS : OF_OTHERS | OF_GROUP)
  if (surplus === 0) return
  try {
    await chmod(folder, mode & ~surplus & 0o7777)
  } catch (error) {
    if (!hasCode(error, 'EPERM')) throw error
    warn(
      `every user of this system may open ${folder} (mode ${(mode & 0o777).toString(8)}), which belongs to the user id ` +
        `${uid}: chmod o-rwx it as that user`,
    )
  }
}

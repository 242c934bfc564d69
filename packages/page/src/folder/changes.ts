// The changes of a folder, as the service tells them.

import { type Hyperslab, RequestError } from '@hyperslab/client'
import { type Following, type FollowingWindow, follow } from '../feed/follow.ts'
import { folderDomain } from '../shell/address.ts'

/** `none`: the service tells this user no changes. */
export type Connection = Following | 'none'

export interface ChangeListener {
  readonly onChange: () => void
  readonly onConnection: (connection: Connection) => void
}

/**
 * Calls `onChange` for each change of an entry of the folder, and when changes may have been missed, until the signal.
 * Changes below its folders are theirs.
 */
export async function followFolder(
  client: Pick<Hyperslab, 'events' | 'request'>,
  path: string,
  { onChange, onConnection }: ChangeListener,
  window: FollowingWindow,
): Promise<void> {
  try {
    const options = { ...window, onFollowing: onConnection }
    for await (const item of follow(client, folderDomain(path), options)) {
      if (item.type !== 'event' || isEntryOf(path, item.domain)) onChange()
    }
  } catch (error) {
    if (window.signal.aborted) return
    // Without the feed, the folder is as it was when it was opened.
    onConnection('none')
    if (!(error instanceof RequestError || error instanceof TypeError)) throw error
  }
}

/** Whether a changed domain or folder is in the folder, which ends with a slash, not deeper. */
function isEntryOf(path: string, changed: string): boolean {
  return changed.startsWith(path) && !changed.slice(path.length).includes('/')
}

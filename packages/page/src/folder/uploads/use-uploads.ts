// The uploads of a session, which go on while other places are shown.

import { useRef, useState, useSyncExternalStore } from 'react'
import { connectUpload } from '../../shell/connect.ts'
import type { Session } from '../../shell/session.ts'
import { UploadQueue, type UploadsState } from './queue.ts'
import { sendFile } from './send-file.ts'

export interface Uploads extends UploadsState, Pick<UploadQueue, 'add' | 'retry' | 'clear'> {}

export function useUploads(session: Session): Uploads {
  const current = useRef(session)
  current.current = session
  const [queue] = useState(
    () =>
      new UploadQueue(
        (upload, onProgress) =>
          sendFile({ session: current.current, connect: connectUpload }, upload, onProgress),
        () => performance.now(),
      ),
  )
  return {
    ...useSyncExternalStore(queue.subscribe, queue.state),
    add: (files, folder) => queue.add(files, folder),
    retry: uploads => queue.retry(uploads),
    clear: () => queue.clear(),
  }
}

// The viewer when it is loaded, and a note until then.

import { usePart } from '../common/part.ts'
import { TryAgain } from '../common/TryAgain.tsx'
import { useRetry } from '../common/use-retry.ts'
import { VIEWER } from './parts.ts'
import type { ViewerProps } from './Viewer.tsx'

export function LoadedViewer(props: ViewerProps) {
  const retry = useRetry(props.session.client)
  const Viewer = usePart(VIEWER, retry)
  if (Viewer) return <Viewer {...props} />
  if (retry.failure === undefined) return <p className="note">Loading the viewer …</p>
  return <TryAgain retry={retry} message="The viewer cannot be loaded." />
}

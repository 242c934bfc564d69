// The viewer when it is loaded, and a note until then.

import { useEffect, useState } from 'react'
import { unreachable } from '../errors.ts'
import { TryAgain } from '../TryAgain.tsx'
import { useRetry } from '../use-retry.ts'
import { loadedViewer, loadViewer, type ViewerComponent } from './load-viewer.ts'
import type { ViewerProps } from './Viewer.tsx'

export function LoadedViewer(props: ViewerProps) {
  const [Viewer, setViewer] = useState<ViewerComponent | undefined>(() => loadedViewer)
  const retry = useRetry(props.session.client)
  const { attempt, fail } = retry
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads it again
  useEffect(() => {
    if (Viewer) return
    let isCurrent = true
    loadViewer().then(
      component => {
        if (isCurrent) setViewer(() => component)
      },
      () => {
        if (isCurrent) fail(unreachable())
      },
    )
    return () => {
      isCurrent = false
    }
  }, [Viewer, attempt, fail])
  if (Viewer) return <Viewer {...props} />
  if (retry.failure === undefined) return <p className="note">Loading the viewer …</p>
  return <TryAgain retry={retry} message="The viewer cannot be loaded." />
}

// The viewer, which is six times as large as the rest of the page: it is loaded when a domain is opened.

import { useEffect, useState } from 'react'
import { unreachable } from '../errors.ts'
import { TryAgain } from '../TryAgain.tsx'
import { useRetry } from '../use-retry.ts'
import type { ViewerProps } from './Viewer.tsx'

type ViewerComponent = typeof import('./Viewer.tsx')['Viewer']

/** The component, one for all domains. */
let loaded: ViewerComponent | undefined

export function LoadedViewer(props: ViewerProps) {
  const [Viewer, setViewer] = useState<ViewerComponent | undefined>(() => loaded)
  const retry = useRetry(props.session.client)
  const { attempt, fail } = retry
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads it again
  useEffect(() => {
    if (Viewer) return
    let isCurrent = true
    const load = async () => {
      const module = await import('./Viewer.tsx')
      loaded = module.Viewer
      if (isCurrent) setViewer(() => module.Viewer)
    }
    load().catch(() => {
      if (isCurrent) fail(unreachable())
    })
    return () => {
      isCurrent = false
    }
  }, [Viewer, attempt, fail])
  if (Viewer) return <Viewer {...props} />
  if (retry.failure === undefined) return <p className="note">Loading the viewer …</p>
  return <TryAgain retry={retry} message="The viewer cannot be loaded." />
}

// Actions on a whole domain: none, unless it exists and the user may read it.

import { useEffect, useState } from 'react'
import type { Selection } from '../../../client/index.ts'
import { Alert } from '../Alert.tsx'
import { downloadDomain } from '../download.ts'
import type { Session } from '../session.ts'
import { useAction } from '../use-action.ts'
import { useRetry } from '../use-retry.ts'
import { CodeDialog } from './CodeDialog.tsx'

export interface DomainButtonsProps {
  readonly session: Session
  readonly path: string
  /** The path of the object that is shown. */
  readonly object: string
  /** Gives the slice of it that is shown; undefined: all of it. */
  readonly sliceOf: (object: string) => Selection | undefined
}

export function DomainButtons({ session, path, object, sliceOf }: DomainButtonsProps) {
  const isThere = useDomain(session, path)
  const [dialog, setDialog] = useState<{
    readonly select: Selection | undefined
    readonly attributes: boolean
  }>()
  const [download, run] = useAction()
  if (!isThere) return null
  return (
    <>
      {download.error === undefined ? null : <Alert message={download.error} />}
      <button
        type="button"
        onClick={() => setDialog({ select: sliceOf(object), attributes: showsAttributes() })}
      >
        Copy code
      </button>
      <button
        type="button"
        disabled={download.isRunning}
        onClick={() => void run(() => downloadDomain(session, path))}
      >
        Download
      </button>
      {dialog ? (
        <CodeDialog
          session={session}
          domain={path}
          object={object}
          {...dialog}
          close={() => setDialog(undefined)}
        />
      ) : null}
    </>
  )
}

/**
 * Whether h5web shows attributes instead of elements: it has no event for this, but the choice is marked in the page.
 */
function showsAttributes(): boolean {
  const mode = document.querySelector('[role="tablist"][aria-label="Viewer mode"] [aria-checked="true"]')
  return mode?.textContent === 'Inspect'
}

/** Whether a domain is at the path, as far as is known. */
function useDomain({ client }: Session, path: string): boolean {
  const { attempt, fail } = useRetry(client)
  const [found, setFound] = useState<{ readonly client: Session['client']; readonly path: string }>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks again
  useEffect(() => {
    const abort = new AbortController()
    client
      .domain(path)
      .describe({ signal: abort.signal })
      .then(description => {
        // The path may be that of a folder.
        if ('root' in description) setFound({ client, path })
      })
      .catch((reason: unknown) => {
        // The viewer shows the reason.
        if (!abort.signal.aborted) fail(reason)
      })
    return () => abort.abort()
  }, [client, path, attempt, fail])
  return found?.client === client && found.path === path
}

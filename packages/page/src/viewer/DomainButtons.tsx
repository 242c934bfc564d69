// Actions on a whole domain, which exists and which the user may read.

import type { Selection } from '@hyperslab/client'
import { useState } from 'react'
import { ShareDialog } from '../account/ShareDialog.tsx'
import { Alert } from '../common/Alert.tsx'
import { downloadDomain } from '../common/download.ts'
import { Icon } from '../common/Icon.tsx'
import { useAction } from '../common/use-action.ts'
import { formatPlace } from '../shell/address.ts'
import type { Session } from '../shell/session.ts'
import { CodeDialog } from './code/CodeDialog.tsx'
import { parseTableState } from './table/state.ts'
import { parseView } from './view-address.ts'

export interface DomainButtonsProps {
  readonly session: Session
  readonly path: string
  /** The path of the object that is shown. */
  readonly object: string
  /** How it is shown, as the address has it. */
  readonly view: string
  /** Gives the slice of it that is shown; undefined: all of it. */
  readonly sliceOf: (object: string) => Selection | undefined
}

export function DomainButtons({ session, path, object, view, sliceOf }: DomainButtonsProps) {
  const [dialog, setDialog] = useState<Element>()
  const { tab, table } = parseView(view)
  const { filter } = parseTableState(tab === undefined || tab === 'table' ? table : undefined)
  const [shareButton, setShareButton] = useState<Element>()
  const [download, run] = useAction()
  return (
    <>
      {download.error === undefined ? null : <Alert message={download.error} />}
      <button type="button" aria-label="Copy code" onClick={({ currentTarget }) => setDialog(currentTarget)}>
        <Icon name="code" />
        <span className="wide">Copy code</span>
      </button>
      <button
        type="button"
        aria-label="Download"
        disabled={download.isRunning}
        onClick={() => void run(() => downloadDomain(session, path))}
      >
        <Icon name="download" />
        <span className="wide">Download</span>
      </button>
      {session.user === undefined ? null : (
        <button
          type="button"
          aria-label="Share"
          onClick={({ currentTarget }) => setShareButton(currentTarget)}
        >
          <Icon name="link" />
          <span className="wide">Share</span>
        </button>
      )}
      {shareButton === undefined ? null : (
        <ShareDialog
          session={session}
          path={path}
          view={formatPlace({ kind: 'domain', path, object, view }).slice('ui?'.length)}
          near={shareButton}
          close={() => setShareButton(undefined)}
        />
      )}
      {dialog ? (
        <CodeDialog
          session={session}
          domain={path}
          object={object}
          sliceOf={sliceOf}
          filter={filter.trim() || undefined}
          attributes={tab === 'inspect'}
          near={dialog}
          close={() => setDialog(undefined)}
        />
      ) : null}
    </>
  )
}

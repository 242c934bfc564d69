// The uploads of this page: what runs is on top, and one total says how far all are.

import { memo, useEffect } from 'react'
import { formatDuration, formatSize } from '../../common/format.ts'
import { isBusy, type Upload } from './upload.ts'
import { byState, outcomeText, totalOf } from './upload-total.ts'
import type { Uploads } from './use-uploads.ts'

export function UploadList({ uploads }: { readonly uploads: Uploads }) {
  const { all, retry } = uploads
  const isRunning = all.some(isBusy)
  useWarning(isRunning)
  if (all.length === 0) return null
  const failed = all.filter(({ state }) => state === 'failed')
  const { size, sent, left } = totalOf(all, uploads.beginning, performance.now())
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be in reach of the keyboard
    <section className="uploads" aria-label="Uploads" tabIndex={0}>
      <div className="uploads-head">
        <strong role="status">{outcomeText(all)}</strong>
        {isRunning ? <progress aria-label="All uploads" max={Math.max(1, size)} value={sent} /> : null}
        <span className="muted">
          {isRunning ? `${formatSize(sent)} of ${formatSize(size)}` : formatSize(size)}
          {isRunning && left !== undefined ? `, ${formatDuration(left)} left` : ''}
        </span>
        <span className="buttons">
          {failed.length > 1 ? (
            <button type="button" onClick={() => retry(failed)}>
              Try all again
            </button>
          ) : null}
          {isRunning ? null : (
            <button type="button" onClick={() => uploads.clear()}>
              Clear
            </button>
          )}
        </span>
      </div>
      <ul>
        {all.toSorted(byState).map(upload => (
          <Entry key={upload.id} upload={upload} retry={retry} />
        ))}
      </ul>
    </section>
  )
}

interface EntryProps {
  readonly upload: Upload
  readonly retry: Uploads['retry']
}

/** Drawn again when its own upload has changed: the list may have thousands. */
const Entry = memo(function Entry({ upload, retry }: EntryProps) {
  const { path, state } = upload
  const name = path.lastIndexOf('/') + 1
  return (
    <li>
      <span className="path">
        <span className="muted">{path.slice(0, name)}</span>
        {path.slice(name)}
      </span>
      <State upload={upload} />
      {state === 'failed' ? (
        <button type="button" aria-label={`Try again: ${path}`} onClick={() => retry([upload])}>
          Try again
        </button>
      ) : null}
    </li>
  )
})

/** The browser asks before it leaves the page: uploads end with it. */
function useWarning(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return
    const warn = (event: Event) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isRunning])
}

function State({ upload: { state, file, sent, error, losses = [], path } }: { readonly upload: Upload }) {
  switch (state) {
    case 'waiting':
      return <span className="muted">waiting, {formatSize(file.size)}</span>
    case 'done':
      if (losses.length === 0) return <span className="muted">✓ {formatSize(file.size)}</span>
      return (
        <details>
          <summary>in part only: {losses.length === 1 ? '1 loss' : `${losses.length} losses`}</summary>
          {losses.map(loss => (
            <div key={`${loss.path} ${loss.message}`}>
              <span className="path">{loss.path}</span>: {loss.message}
            </div>
          ))}
        </details>
      )
    case 'there':
      return <span className="muted">a domain of this name is there already: not sent</span>
    case 'failed':
      return <span className="error">{error}</span>
    case 'sending': {
      const isRead = sent !== undefined && sent >= file.size
      return (
        <>
          <span className="muted">
            {isRead ? 'the service reads it' : `${formatSize(sent ?? 0)} of ${formatSize(file.size)}`}
          </span>
          <progress
            aria-label={`Upload of ${path}`}
            max={file.size}
            {...(sent !== undefined && !isRead && { value: sent })}
          />
        </>
      )
    }
  }
}

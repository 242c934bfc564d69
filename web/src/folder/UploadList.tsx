// The uploads of this page, with their progress and errors.

import { formatSize } from '../format.ts'
import { isBusy, type Upload, type Uploads } from './uploads.ts'

export function UploadList({ uploads }: { readonly uploads: Uploads }) {
  const { all } = uploads
  if (all.length === 0) return null
  const failed = all.filter(({ state }) => state === 'failed')
  const there = all.filter(({ state }) => state === 'there').length
  const done = all.filter(({ state }) => state === 'done').length
  return (
    <section className="uploads" aria-label="Uploads">
      <p>
        <span role="status">
          {done} of {all.length} {all.length === 1 ? 'file' : 'files'} uploaded
          {there > 0 ? `, ${there} there already` : ''}
          {failed.length > 0 ? `, ${failed.length} failed` : ''}
        </span>{' '}
        {failed.length > 1 ? (
          <button type="button" onClick={() => uploads.retry(failed)}>
            Try all again
          </button>
        ) : null}{' '}
        {all.some(isBusy) ? null : (
          <button type="button" onClick={() => uploads.clear()}>
            Clear
          </button>
        )}
      </p>
      <ul>
        {all.toSorted(byTrouble).map(upload => (
          <li key={upload.id}>
            <span className="path">{upload.path}</span> <State upload={upload} />
            {upload.state === 'failed' ? (
              <button
                type="button"
                aria-label={`Try again: ${upload.path}`}
                onClick={() => uploads.retry([upload])}
              >
                Try again
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Failed uploads come first, because few of thousands of files fail. */
function byTrouble(a: Upload, b: Upload): number {
  const rank = ({ state, losses = [] }: Upload) => (state === 'failed' ? 0 : losses.length > 0 ? 1 : 2)
  return rank(a) - rank(b)
}

function State({ upload: { state, file, sent, error, losses = [], path } }: { readonly upload: Upload }) {
  switch (state) {
    case 'waiting':
      return <span>waiting</span>
    case 'done':
      if (losses.length === 0) return <span>✓ {formatSize(file.size)}</span>
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
      return <span>a domain of this name is there already: not sent</span>
    case 'failed':
      return <span className="error">{error}</span>
    case 'sending':
      return (
        <progress
          aria-label={`Upload of ${path}`}
          max={file.size}
          {...(sent !== undefined && { value: sent })}
        />
      )
  }
}

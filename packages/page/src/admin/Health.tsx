// The health of the service: whether it is ready, mounts that do not answer, its version and since when it runs.

import { useCallback } from 'react'
import { Age } from '../common/Age.tsx'
import { messageOf } from '../common/errors.ts'
import { formatSize } from '../common/format.ts'
import { Skeleton } from '../common/Skeleton.tsx'
import { TryAgain } from '../common/TryAgain.tsx'
import { useLoaded } from '../common/use-loaded.ts'
import { loadHealth } from './health.ts'
import type { AdminPartProps } from './parts.ts'

export function Health({ session: { client } }: AdminPartProps) {
  const load = useCallback((signal: AbortSignal) => loadHealth(client, signal), [client])
  const { value: health, retry, reload } = useLoaded(client, load)
  if (health === undefined)
    return retry.failure === undefined ? (
      <Skeleton rows={3} />
    ) : (
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
    )
  const { problem, mounts, info } = health
  const { node, memory } = info
  return (
    <>
      <p role="status" className={problem === undefined ? 'state good' : 'state error'}>
        {problem === undefined ? 'The service is ready: its storage and its accounts answer.' : problem}
      </p>
      {mounts.map(({ path, since, reason }) => (
        <p key={path} role="alert" className="error">
          The files of {path} do not answer since <Age time={since} />: {reason}
        </p>
      ))}
      {problem === undefined && mounts.length === 0 ? <p>All mounts answer.</p> : null}
      <dl className="facts">
        <dt>Version</dt>
        <dd>
          {info.hyperslab_version}
          {info.hyperslab_commit === undefined ? '' : `, commit ${info.hyperslab_commit.slice(0, 12)}`}
        </dd>
        <dt>Runs since</dt>
        <dd>
          <Age time={node.start_time} />
        </dd>
        <dt>Processes</dt>
        <dd>{node.node_count}</dd>
        {memory === undefined ? null : (
          <>
            <dt>Memory of one process</dt>
            <dd>{formatSize(memory.rss)}</dd>
          </>
        )}
      </dl>
      <p>
        Backups are made beside the service: <a href="docs/guide/operating">operating</a> says how, and{' '}
        <a href="docs/guide/watching">watching</a> what to watch.
      </p>
      <button type="button" onClick={reload}>
        Look again
      </button>
    </>
  )
}

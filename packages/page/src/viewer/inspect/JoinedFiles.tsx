// The files of a domain that is made of many: their number beside the name of an object, and its definition among the
// information on the root group. Both follow as files arrive.

import type { Api } from '@hyperslab/client'
import { formatMadeOf, formatSize } from '../../common/format.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import { Lines } from './parts.tsx'

export function MadeOf() {
  const { num_files: files } = useJoinedDomain() ?? {}
  return files === undefined ? null : <span className="badge">{formatMadeOf(files)}</span>
}

export function JoinedFiles() {
  const domain = useJoinedDomain()
  if (domain === undefined) return null
  const { num_files: files, file_size: size, join } = domain
  const lines = [
    ...(files === undefined ? [] : [{ name: 'Files', text: files.toLocaleString('en') }]),
    ...(size === undefined ? [] : [{ name: 'Size', text: formatSize(size) }]),
    ...(join === undefined
      ? []
      : [
          { name: 'Sources', text: [join.sources].flat().map(source => <div key={source}>{source}</div>) },
          { name: 'Along', text: [join.along].flat().join(', ') },
        ]),
  ]
  return (
    <>
      <h3>Joined files</h3>
      <Lines lines={lines} label="Joined files" />
    </>
  )
}

/** Undefined: the domain is another one, or not known yet. */
function useJoinedDomain() {
  const { contents, version, isJoined } = useViewer()
  const { value } = useLoaded(
    async signal => (isJoined ? contents.domain.describe({ signal }) : undefined),
    [contents, version, isJoined],
  )
  return value && isDomain(value) ? value : undefined
}

function isDomain(answer: Api.DomainView): answer is Api.Domain {
  return 'root' in answer && answer.class === 'domain'
}

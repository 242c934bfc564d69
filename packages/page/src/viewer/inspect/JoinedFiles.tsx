// The files of a domain that is made of many: their number beside the name of an object, and its definition among the
// information on the root group. Both follow as files arrive.

import type { Api } from '@hyperslab/client'
import { formatMadeOf, formatSize } from '../../common/format.ts'
import { Popup } from '../../common/Popup.tsx'
import { useLoaded, useViewer } from '../viewer-context.ts'
import { definitionLines } from './joined-lines.ts'
import { Lines } from './parts.tsx'

export function MadeOf() {
  const { num_files: files, joining, unwell = [] } = useJoinedDomain() ?? {}
  return (
    <>
      {files === undefined ? null : <span className="badge">{formatMadeOf(files, joining?.joined)}</span>}
      {unwell.length === 0 ? null : (
        <Popup
          label={UNWELL}
          className="badge bad"
          face={`${unwell.length.toLocaleString('en')} not readable`}
        >
          <UnwellFiles files={unwell} />
        </Popup>
      )}
    </>
  )
}

export function JoinedFiles() {
  const domain = useJoinedDomain()
  if (domain === undefined) return null
  const { num_files: files, file_size: size, join, unwell = [] } = domain
  const lines = [
    ...(files === undefined ? [] : [{ name: 'Files', text: files.toLocaleString('en') }]),
    ...(size === undefined ? [] : [{ name: 'Size', text: formatSize(size) }]),
    ...(join === undefined
      ? []
      : definitionLines(join).map(({ name, texts }) => ({
          name,
          text: texts.map(text => <div key={text}>{text}</div>),
        }))),
  ]
  return (
    <>
      <h3>Joined files</h3>
      <Lines lines={lines} label="Joined files" />
      {unwell.length === 0 ? null : (
        <>
          <h3>{UNWELL}</h3>
          <UnwellFiles files={unwell} />
        </>
      )}
    </>
  )
}

const UNWELL = 'Files that cannot be read'

function UnwellFiles({ files }: { readonly files: NonNullable<Api.Domain['unwell']> }) {
  return (
    <ul className="unwell" aria-label={UNWELL}>
      {files.map(({ file, reason }) => (
        <li key={file}>{reason.includes(file) ? reason : `${file}: ${reason}`}</li>
      ))}
    </ul>
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

// The path of the chosen object: each group on the way leads to it. Beside it, what the object is.

import { CopyButton } from './CopyButton.tsx'
import { type Entity, nameOf, pathsTo } from './data/contents.ts'
import { useViewer } from './viewer-context.ts'
import { objectText } from './views/object-text.ts'

export interface PathProps {
  readonly object: string
  readonly entity: Entity | undefined
  /** What is drawn of the object. */
  readonly title: string | undefined
  readonly choose: (path: string) => void
}

export function Path({ object, entity, title, choose }: PathProps) {
  const { contents } = useViewer()
  const root = nameOf(contents.domain.path)
  const nameAt = (path: string) => (path === '/' ? root : nameOf(path))
  return (
    <nav className="object-path" aria-label="Path in the domain">
      {pathsTo(object).map(path => (
        <span key={path}>
          <button type="button" className="crumb" onClick={() => choose(path)}>
            {nameAt(path)}
          </button>
          {' / '}
        </span>
      ))}
      <strong>{nameAt(object)}</strong>{' '}
      {title === undefined || title === nameAt(object) ? null : <span className="object-title">{title}</span>}{' '}
      <CopyButton label="Copy path" icon="copy" text={object} />
      {/* Its place is kept until it comes. */}
      <span className="object-kind">{entity ? objectText(entity) : '\u00a0'}</span>
    </nav>
  )
}

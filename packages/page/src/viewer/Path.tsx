// The path of the chosen object: each group on the way leads to it. Beside it, what the object is.

import { CopyButton } from './CopyButton.tsx'
import { formatDatatype, formatShape } from './code/datatype-text.ts'
import { type Entity, nameOf, pathsTo } from './data/contents.ts'
import { useViewer } from './viewer-context.ts'

export interface PathProps {
  readonly object: string
  readonly entity: Entity | undefined
  readonly choose: (path: string) => void
}

export function Path({ object, entity, choose }: PathProps) {
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
      <strong>{nameAt(object)}</strong> <CopyButton label="Copy path" text={object} />
      {/* Its place is kept until it comes. */}
      <span className="object-kind">{entity ? describe(entity) : '\u00a0'}</span>
    </nav>
  )
}

function describe({ kind, object, dataset, type }: Entity): string {
  if (dataset) return `${formatShape(dataset.shape)}, ${formatDatatype(dataset.type)}`
  if (type) return `committed datatype, ${formatDatatype(type)}`
  if (object.class === 'group') return `group of ${object.linkCount.toLocaleString('en')}`
  return kind
}

// One dataset of a domain, drawn beside the members of its root group: the one of the picture of the domain, and by a
// click others. Its zoom and range are not in the address: the dataset itself is one click away.

import './group.css'
import { useCallback, useState } from 'react'
import { usePart } from '../../common/part.ts'
import { DRAWINGS } from '../drawings-part.ts'
import type { View } from '../view-address.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import { ErrorBoundary } from '../views/ErrorBoundary.tsx'
import type { ViewProps } from '../views/view.ts'
import { drawnAt, firstDatasets, nextOf } from './first-datasets.ts'

export function FirstLook({ choose }: Pick<ViewProps, 'choose'>) {
  const { contents } = useViewer()
  // Changes of the domain draw the dataset anew, and choose no other one.
  const { value: paths, isLoading } = useLoaded(signal => firstDatasets(contents, signal), [contents])
  const [chosen, setChosen] = useState<string>()
  // Its place is kept, so that the list does not move.
  if (paths === undefined && isLoading) return <section className="first-look" aria-busy="true" />
  const path = chosen ?? paths?.[0]
  if (paths === undefined || path === undefined) return null
  return (
    <section className="first-look" aria-label="First look">
      <p className="first-look-head">
        <button type="button" className="crumb" title="Open the dataset" onClick={() => choose(path)}>
          {path}
        </button>
        {paths.length > 1 ? (
          <button type="button" onClick={() => setChosen(nextOf(paths, path))}>
            Another ({paths.indexOf(path) + 1} of {paths.length})
          </button>
        ) : null}
      </p>
      <ErrorBoundary key={path}>
        <Drawn path={path} choose={choose} />
      </ErrorBoundary>
    </section>
  )
}

interface DrawnProps extends Pick<ViewProps, 'choose'> {
  readonly path: string
}

function Drawn({ path, choose }: DrawnProps) {
  const { contents, version, retry } = useViewer()
  const drawings = usePart(DRAWINGS, retry)
  const { value: subject } = useLoaded(signal => drawnAt(contents, path, signal), [path, contents, version])
  const [view, setView] = useState<View>({})
  const change = useCallback((choices: Partial<View>) => setView(before => ({ ...before, ...choices })), [])
  if (typeof subject === 'string') return <p className="note">{subject}</p>
  if (subject === undefined || drawings === undefined)
    return (
      <p className="note" aria-busy="true">
        Loading …
      </p>
    )
  const Drawing = drawings[subject.drawing]
  return <Drawing {...subject} view={view} change={change} onShow={showNothing} choose={choose} />
}

/** Programs that are copied read what the address says. */
function showNothing(): void {}

// The search above the tree, and its results in the place of the tree.

import { type KeyboardEvent, useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import { useViewer } from '../viewer-context.ts'
import { allPaths, type FoundPath, matches } from './search.ts'

/** Results that are drawn. */
const MOST_RESULTS = 500

export interface SearchResultsProps {
  readonly text: string
  readonly choose: (path: string) => void
}

export function SearchResults({ text, choose }: SearchResultsProps) {
  const { paths, isComplete, error } = useAllPaths()
  const found = useMemo(() => paths.filter(({ path }) => matches(path, text)), [paths, text])
  const count = `${found.length} ${found.length === 1 ? 'object' : 'objects'}`
  return (
    <div className="results">
      <p role="status">
        {error === undefined
          ? isComplete
            ? `${count} found`
            : `${count} found among ${paths.length} so far …`
          : error}
      </p>
      <ul aria-label="Found objects" onKeyDown={moveFocus}>
        {found.slice(0, MOST_RESULTS).map(({ path, kind }) => (
          <li key={path}>
            <button type="button" title={path} onClick={() => choose(path)}>
              <span className={`tree-icon ${kind}`} aria-hidden="true" />
              <span className="path">{path}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length > MOST_RESULTS ? <p>The first {MOST_RESULTS} are listed.</p> : null}
    </div>
  )
}

/** The arrow keys go from result to result. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const { target } = event
  if (step === undefined || !(target instanceof HTMLButtonElement)) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const next = buttons[buttons.indexOf(target) + step]
  event.preventDefault()
  next?.focus()
}

interface AllPaths {
  readonly paths: readonly FoundPath[]
  readonly isComplete: boolean
  readonly error?: string
}

/** All paths of the domain, more with each answer. */
function useAllPaths(): AllPaths {
  const { contents, version } = useViewer()
  const [state, setState] = useState<AllPaths>({ paths: [], isComplete: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has other paths
  useEffect(() => {
    const abort = new AbortController()
    const load = async () => {
      const paths: FoundPath[] = []
      for await (const found of allPaths(contents.domain, abort.signal)) {
        for (const one of found) paths.push(one)
        setState({ paths: [...paths], isComplete: false })
      }
      setState({ paths, isComplete: true })
    }
    load().catch((error: unknown) => {
      if (!abort.signal.aborted) setState(before => ({ ...before, error: messageOf(error) }))
    })
    return () => abort.abort()
  }, [contents, version])
  return state
}

// The search above the tree, and its results in the place of the tree.

import { type KeyboardEvent, memo, useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import { Icon } from '../../common/Icon.tsx'
import { useViewer } from '../viewer-context.ts'
import { OBJECT_ICONS, wordOfKind } from './object-icon.ts'
import { allPaths, type FoundPath, Matches } from './search.ts'

/** Results that are drawn. */
const MOST_RESULTS = 500
/** Results are drawn again when there are so many times as many paths. */
const MORE = 1.25

export interface SearchResultsProps {
  readonly text: string
  readonly choose: (path: string) => void
}

export function SearchResults({ text, choose }: SearchResultsProps) {
  const { paths, count: compared, isComplete, error } = useAllPaths()
  const found = useMatches(text, paths, compared)
  const count = `${found.length} ${found.length === 1 ? 'object' : 'objects'}`
  return (
    <div className="results">
      <p role="status">
        {error === undefined
          ? isComplete
            ? `${count} found`
            : `${count} found among ${compared} so far …`
          : error}
      </p>
      <ul aria-label="Found objects" onKeyDown={moveFocus}>
        {found.slice(0, MOST_RESULTS).map(({ path, kind }) => (
          <Result key={path} path={path} kind={kind} choose={choose} />
        ))}
      </ul>
      {found.length > MOST_RESULTS ? <p>The first {MOST_RESULTS} are listed.</p> : null}
    </div>
  )
}

interface ResultProps extends FoundPath {
  readonly choose: (path: string) => void
}

/** Drawn once: the results before it stay when more are found. */
const Result = memo(function Result({ path, kind, choose }: ResultProps) {
  return (
    <li>
      <button type="button" title={path} onClick={() => choose(path)}>
        <span className={`tree-icon ${kind}`}>
          <Icon name={OBJECT_ICONS[wordOfKind(kind)]} />
        </span>
        <span className="path">{path}</span>
      </button>
    </li>
  )
})

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

/** Those of the first `count` paths that have the text: of a list that has grown, only the new ones are compared. */
function useMatches(text: string, paths: readonly FoundPath[], count: number): readonly FoundPath[] {
  const matches = useMemo(() => new Matches(text, paths), [text, paths])
  return matches.among(count)
}

interface AllPaths {
  /** They grow: the state has another number of them with each answer. */
  readonly paths: readonly FoundPath[]
  readonly count: number
  readonly isComplete: boolean
  readonly error?: string
}

/** All paths of the domain, more with each answer. */
function useAllPaths(): AllPaths {
  const { contents, version } = useViewer()
  const [state, setState] = useState<AllPaths>({ paths: [], count: 0, isComplete: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has other paths
  useEffect(() => {
    const abort = new AbortController()
    const load = async () => {
      const paths: FoundPath[] = []
      let drawn = 0
      for await (const found of allPaths(contents.domain, abort.signal)) {
        for (const one of found) paths.push(one)
        // Each drawing compares and lists: as few of them for many paths as for some.
        if (paths.length < MORE * drawn) continue
        drawn = paths.length
        setState({ paths, count: drawn, isComplete: false })
      }
      setState({ paths, count: paths.length, isComplete: true })
    }
    load().catch((error: unknown) => {
      if (!abort.signal.aborted) setState(before => ({ ...before, error: messageOf(error) }))
    })
    return () => abort.abort()
  }, [contents, version])
  return state
}

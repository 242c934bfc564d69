// The contents of a domain: its tree, and the chosen object in one of its views. The address says which object, which
// view of it and how (`view-address.ts`); the viewer keeps nothing of this beside it.

import './viewer.css'
import type { Selection } from '@hyperslab/client'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { messageOf } from '../common/errors.ts'
import { usePart } from '../common/part.ts'
import { mayPass } from '../common/retry.ts'
import { TryAgain } from '../common/TryAgain.tsx'
import { type Retry, useRetry } from '../common/use-retry.ts'
import { problemOf } from '../shell/model.ts'
import type { Session } from '../shell/session.ts'
import { CopyButton } from './CopyButton.tsx'
import { Contents } from './data/contents.ts'
import { useLive } from './data/live.ts'
import { DRAWINGS } from './drawings-part.ts'
import { Editor } from './edit/Editor.tsx'
import { EditPart } from './edit/EditPart.tsx'
import { EditSwitch } from './edit/EditSwitch.tsx'
import { MadeOf } from './inspect/JoinedFiles.tsx'
import { Path } from './Path.tsx'
import { useOwnRange } from './plots/tools/use-own-range.ts'
import { SearchResults } from './tree/Search.tsx'
import { Tree } from './tree/Tree.tsx'
import { parseView, type View } from './view-address.ts'
import { useViewer, ViewerContext } from './viewer-context.ts'
import { COMPONENTS } from './views/components.ts'
import { ErrorBoundary } from './views/ErrorBoundary.tsx'
import { changedView, chosenView, tabChoice, tabForKey } from './views/object-model.ts'
import { useSubject } from './views/use-subject.ts'
import type { Subject, ViewProps } from './views/view.ts'
import { type ViewName, type ViewRule, viewsOf } from './views/views.ts'

export interface ViewerProps {
  readonly session: Session
  readonly path: string
  /** The path of the object to show. */
  readonly object: string
  /** How to show it: a query as `view-address.ts` has it. */
  readonly view: string
  /** Without the tree: the page is a part of another one. */
  readonly isEmbedded: boolean
  /** Nothing in the domain can be changed, or that is not known yet. */
  readonly isReadOnly: boolean
  /** Many files are read as this domain. */
  readonly isJoined: boolean
  /** The page has heard that the domain is there, or says nothing itself of one that is not. */
  readonly isKnown: boolean
  /** The user has chosen another object. */
  readonly onChoose: (object: string) => void
  /** The user has changed the view; a step is one that the button Back of the browser takes back. */
  readonly onView: (view: string, isStep: boolean) => void
  /** A dataset is shown, of which a slice, or all of it. */
  readonly onShow: (object: string, select: Selection | undefined) => void
  /** Something has changed, as the service has told. */
  readonly onHeard: () => void
}

export function Viewer({ session, path, onHeard, ...shown }: ViewerProps) {
  const { isJoined } = shown
  const retry = useRetry(session.client)
  const { attempt, succeed } = retry
  const contents = useMemo(
    () => session.takeContents(path) ?? new Contents(session.client, path),
    [session, path],
  )
  const live = useLive(session.client, contents, attempt)
  const { isLive } = live
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each change
  useEffect(() => {
    if (live.version > 0) onHeard()
  }, [live.version])
  const [ownChanges, change] = useOwnChanges(contents)
  const version = live.version + ownChanges
  // What failed before may be there now, or be another thing: it is requested again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each change
  useEffect(succeed, [version, succeed])
  const state = useMemo(
    () => ({ session, contents, retry, version, isLive, isJoined }),
    [session, contents, retry, version, isLive, isJoined],
  )
  return (
    <ViewerContext.Provider value={state}>
      <div className="viewer">
        {shown.isEmbedded ? null : <Sidebar object={shown.object} choose={shown.onChoose} />}
        <Editor
          canEdit={!shown.isEmbedded && !shown.isReadOnly}
          object={shown.object}
          choose={shown.onChoose}
          onChange={change}
        >
          <section className="object" aria-label="Object">
            <Failure retry={retry} />
            <ObjectView key={shown.object} {...shown} />
            <EditPart>{({ EditNote }) => <EditNote />}</EditPart>
          </section>
        </Editor>
      </div>
    </ViewerContext.Provider>
  )
}

/** The number of changes of this window, which are not waited for until the feed has them. */
function useOwnChanges(contents: Contents) {
  const [count, setCount] = useState(0)
  const change = useCallback(
    (ids: ReadonlySet<string> | undefined) => {
      contents.forget(ids)
      setCount(before => before + 1)
    },
    [contents],
  )
  return [count, change] as const
}

function Failure({ retry }: { readonly retry: Retry }) {
  return <TryAgain retry={retry} message={`Not everything could be loaded: ${messageOf(retry.failure)}`} />
}

interface SidebarProps {
  readonly object: string
  readonly choose: (path: string) => void
}

function Sidebar({ object, choose }: SidebarProps) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const part = useRef<HTMLElement>(null)
  return (
    <nav
      ref={part}
      className="sidebar"
      aria-label="Contents"
      onKeyDown={event => {
        // It leaves the search, wherever in it the focus is.
        if (event.key !== 'Escape' || text === '') return
        setText('')
        field.current?.focus()
      }}
    >
      <input
        ref={field}
        type="search"
        aria-label="Search"
        placeholder="Search ( / )"
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown' || event.altKey) return
          event.preventDefault()
          part.current?.querySelector<HTMLElement>('.results button')?.focus()
        }}
      />
      {/* The tree keeps what is open. */}
      <div className="sidebar-part" hidden={text.trim() !== ''}>
        <Tree object={object} choose={choose} />
      </div>
      {text.trim() === '' ? null : <SearchResults text={text.trim()} choose={choose} />}
    </nav>
  )
}

type ObjectViewProps = Omit<ViewerProps, 'session' | 'path' | 'onHeard'>

function ObjectView({ object, view: query, ...props }: ObjectViewProps) {
  const { isEmbedded, isKnown, onChoose, onView, onShow } = props
  const { isLive } = useViewer()
  const view = useMemo(() => parseView(query), [query])
  const { value: subject, error } = useSubject(object, view.tab)
  const change = useChange(query, onView)
  const views = useMemo(() => (subject ? viewsOf(subject) : []), [subject])
  const shown = useMemo(() => chosenView(views, subject, view.tab), [views, subject, view.tab])
  return (
    <>
      <div className="object-top">
        <div className="object-head">
          <Path object={object} entity={subject?.entity} title={subject?.plot?.title} choose={onChoose} />
          <EditPart>{({ EditMenu }) => <EditMenu path={object} entity={subject?.entity} />}</EditPart>
          <MadeOf />
          {isEmbedded ? null : <EditSwitch />}
          <CopyButton label="Copy link" icon="link" text={() => window.location.href} />
          {/* Its place is kept: it comes at any time, and moves nothing. */}
          <span className={isLive ? 'live' : 'live not-yet'} title="Changes are shown as they happen.">
            live
          </span>
        </div>
        {views.length > 1 && !isEmbedded ? (
          <Tabs views={views} shown={shown} choose={name => change(tabChoice(name))} />
        ) : null}
      </div>
      <Faults {...{ subject, error, isKnown }} />
      {subject && shown ? (
        <div className="view" role="tabpanel" aria-label={shown.label} key={shown.name}>
          <ErrorBoundary>
            <ViewOf
              name={shown.name}
              {...subject}
              view={view}
              change={change}
              onShow={onShow}
              choose={onChoose}
            />
          </ErrorBoundary>
        </div>
      ) : error === undefined ? (
        <p className="note" aria-busy="true">
          Loading …
        </p>
      ) : null}
    </>
  )
}

/** Changes choices in the address. Several changes at once come one after the other. */
function useChange(query: string, onView: ViewerProps['onView']): ViewProps['change'] {
  const latest = useRef({ query, onView })
  latest.current = { query, onView }
  return useCallback((choices: Partial<View>) => {
    const changed = changedView(latest.current.query, choices)
    if (changed === undefined) return
    latest.current.query = changed.query
    latest.current.onView(changed.query, changed.isStep)
  }, [])
}

interface FaultsProps {
  readonly subject: Subject | undefined
  readonly error: unknown
  readonly isKnown: boolean
}

/** Why the object cannot be shown, or not whole. Of a domain that may be missing, the page says so in its place. */
function Faults({ subject, error, isKnown }: FaultsProps) {
  if (!isKnown && problemOf(error) !== undefined) return null
  const damage = subject?.entity.object.damage
  return (
    <>
      {error !== undefined && subject === undefined && !mayPass(error) ? (
        <p role="alert" className="error">
          {messageOf(error)}
        </p>
      ) : null}
      {damage === undefined ? null : (
        <p role="alert" className="error">
          Not all of this object can be read: {damage}
        </p>
      )}
    </>
  )
}

function ViewOf({ name, ...props }: ViewProps & { readonly name: ViewName }) {
  const drawings = usePart(DRAWINGS, useViewer().retry)
  const Component = COMPONENTS[name]
  const View = typeof Component === 'string' ? drawings?.[Component] : Component
  const own = useOwnRange(name, props)
  return View ? <View {...props} {...own} /> : <p className="note">Loading …</p>
}

interface TabsProps {
  readonly views: readonly ViewRule[]
  readonly shown: ViewRule | undefined
  readonly choose: (name: string) => void
}

function Tabs({ views, shown, choose }: TabsProps) {
  const list = useRef<HTMLDivElement>(null)
  const move = (key: string) => {
    const next = tabForKey(key, views, shown)
    if (next === undefined) return
    choose(next.name)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[views.indexOf(next)]?.focus()
  }
  return (
    <div className="tabs" role="tablist" aria-label="Views" ref={list}>
      {views.map(view => (
        <button
          type="button"
          role="tab"
          key={view.name}
          aria-selected={view === shown}
          tabIndex={view === shown ? 0 : -1}
          onClick={() => choose(view.name)}
          onKeyDown={event => move(event.key)}
        >
          {view.label}
        </button>
      ))}
    </div>
  )
}

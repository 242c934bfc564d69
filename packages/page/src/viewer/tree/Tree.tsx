// The tree of a domain, drawn: only the members of open groups are requested, and only the rows in sight are drawn.

import {
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { Icon } from '../../common/Icon.tsx'
import { parentPath } from '../data/contents.ts'
import { useEntity } from '../use-entity.ts'
import { useViewer } from '../viewer-context.ts'
import {
  picked,
  placeOf,
  pressed,
  ROW_HEIGHT,
  rowsInSight,
  rowText,
  type Sight,
  type TreeState,
  type TreeStep,
  toggled,
  topFor,
} from './model.ts'
import { OBJECT_ICONS } from './object-icon.ts'
import { opened, type Row, rowsOf } from './rows.ts'

export interface TreeProps {
  readonly object: string
  readonly choose: (path: string) => void
}

/** Drawn again when another object is chosen, not with each change of a view. */
export const Tree = memo(function Tree({ object, choose }: TreeProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(() => opened(new Set(['/']), object))
  useEffect(() => setOpen(before => opened(before, object)), [object])
  const rows = useTreeRows(open)
  const frame = useRef<HTMLDivElement>(null)
  const sight = useTreeSight(frame)
  const { focused, setFocused, focus } = useRowFocus(frame, rows, object)
  const tree = { rows, open, object, height: sight.height }
  const actions = useActions(tree, step => {
    if (step.open) setOpen(step.open)
    if (step.focused) focus(step.focused)
    if (step.chosen !== undefined) choose(step.chosen)
  })
  const { first, last } = rowsInSight(sight)
  const shown = rows.slice(first, last)
  const hasFocused = shown.some(({ path }) => path === focused)
  return (
    <div className="tree" ref={frame}>
      <div role="tree" aria-label="Objects" style={{ height: rows.length * ROW_HEIGHT }}>
        {shown.map((row, i) => (
          <TreeRow
            key={row.path}
            row={row}
            top={(first + i) * ROW_HEIGHT}
            isOpen={open.has(row.path)}
            isChosen={row.path === object}
            isTabStop={hasFocused ? row.path === focused : i === 0}
            actions={actions}
            onFocus={setFocused}
          />
        ))}
      </div>
    </div>
  )
})

interface RowActions {
  readonly pick: (path: string, isGroup: boolean) => void
  readonly toggle: (path: string) => void
  readonly press: (event: KeyboardEvent, isGroup: boolean, path: string) => void
}

/** What the rows do to the tree as it is then. They stay the same, so that rows that stay are not drawn again. */
function useActions(tree: TreeState, take: (step: TreeStep) => void): RowActions {
  const latest = useRef({ tree, take })
  latest.current = { tree, take }
  return useMemo(
    () => ({
      pick: (path, isGroup) => latest.current.take(picked(latest.current.tree, path, isGroup)),
      toggle: path => latest.current.take(toggled(latest.current.tree, path)),
      press(event, isGroup, path) {
        if (event.ctrlKey || event.metaKey || event.altKey) return
        const step = pressed(event.key, latest.current.tree, path, isGroup)
        if (step === undefined) return
        event.preventDefault()
        latest.current.take(step)
      },
    }),
    [],
  )
}

/** The rows, again whenever members have come or changed. */
function useTreeRows(open: ReadonlySet<string>): readonly Row[] {
  const { contents, version } = useViewer()
  const [drawn, redraw] = useReducer((count: number) => count + 1, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has other lists
  useEffect(() => {
    const stops = [...open].map(group => contents.members(group).watch(redraw))
    return () => {
      for (const stop of stops) stop()
    }
  }, [contents, open, version])
  // biome-ignore lint/correctness/useExhaustiveDependencies: members come, and change
  return useMemo(() => rowsOf(contents, open), [contents, open, drawn, version])
}

function useTreeSight(frame: RefObject<HTMLDivElement>): Sight {
  const [sight, setSight] = useState<Sight>({ top: 0, height: 0 })
  useLayoutEffect(() => {
    const element = frame.current
    if (element === null) return
    const look = () => setSight({ top: element.scrollTop, height: element.clientHeight })
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [frame])
  return sight
}

/** The row that has the focus: the chosen one, until the keyboard moves to another one, which scrolls into sight. */
function useRowFocus(frame: RefObject<HTMLDivElement>, rows: readonly Row[], object: string) {
  const [focused, setFocused] = useState(object)
  /** The keyboard has moved to a row, which may not be drawn yet. */
  const waitsForFocus = useRef(false)
  const reveal = useCallback(
    (row: number) => {
      const element = frame.current
      if (element === null) return
      const top = topFor(row, { top: element.scrollTop, height: element.clientHeight })
      if (top !== element.scrollTop) element.scrollTop = top
    },
    [frame],
  )
  const chosenRow = placeOf(rows, object)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each chosen object, when its row is there
  useEffect(() => {
    reveal(chosenRow)
    setFocused(object)
  }, [object, chosenRow === -1, reveal])
  useEffect(() => {
    if (!waitsForFocus.current) return
    const element = frame.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(focused)}"]`)
    if (!element) return
    waitsForFocus.current = false
    element.focus()
  })
  const focus = (row: Row) => {
    setFocused(row.path)
    reveal(rows.indexOf(row))
    waitsForFocus.current = true
  }
  return { focused, setFocused, focus }
}

interface TreeRowProps {
  readonly row: Row
  readonly top: number
  readonly isOpen: boolean
  readonly isChosen: boolean
  readonly isTabStop: boolean
  readonly actions: RowActions
  readonly onFocus: (path: string) => void
}

const NOTES = { loading: 'Loading …', failed: 'The members could not be loaded.', empty: 'empty' }

/** Drawn again when something of its own has changed. */
const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { row, top, isOpen, isChosen, isTabStop, actions, onFocus } = props
  const { path, title, depth, note } = row
  const { contents } = useViewer()
  const found = useEntity(note === undefined ? path : undefined)
  const siblings = found.entity?.dataset && contents.members(parentPath(path)).members
  const style = { top, height: ROW_HEIGHT, paddingLeft: `${0.5 + depth * 0.875}rem` }
  if (note !== undefined) {
    return (
      <div className="tree-note" style={style}>
        {NOTES[note]}
      </div>
    )
  }
  const { kind, word, isLost, link, nxClass, shape, hint } = rowText(row, found, siblings)
  const isGroup = kind === 'group'
  return (
    <div
      role="treeitem"
      className={`tree-row${isLost ? ' lost' : ''}`}
      data-path={path}
      aria-label={title}
      aria-level={depth + 1}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      aria-selected={isChosen}
      aria-expanded={isGroup ? isOpen : undefined}
      tabIndex={isTabStop ? 0 : -1}
      title={hint}
      style={style}
      onClick={() => actions.pick(path, isGroup)}
      onKeyDown={event => actions.press(event, isGroup, path)}
      onFocus={() => onFocus(path)}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the row do it */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of the row do it */}
      <span
        className={isGroup ? `tree-arrow${isOpen ? ' open' : ''}` : 'tree-arrow none'}
        onClick={event => {
          if (!isGroup || path === '/') return
          event.stopPropagation()
          actions.toggle(path)
        }}
      />
      <span className={`tree-icon ${kind ?? 'link'}`} title={word}>
        <Icon name={OBJECT_ICONS[word]} label={word} />
      </span>
      <span className="tree-title">{title}</span>
      {link ? (
        <span className="tree-badge" role="img" aria-label={link}>
          ↗
        </span>
      ) : null}
      {nxClass ? <span className="tree-badge">{nxClass}</span> : null}
      {shape ? <span className="tree-shape">{shape}</span> : null}
      {isLost ? <span className="tree-shape">not found</span> : null}
    </div>
  )
})

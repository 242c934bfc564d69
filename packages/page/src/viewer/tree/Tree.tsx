// The tree of a domain: only the members of open groups are requested, and only the rows in sight are drawn.

import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from 'react'
import { messageOf } from '../../common/errors.ts'
import { formatShape } from '../code/datatype-text.ts'
import { type Entity, parentPath, textOf } from '../data/contents.ts'
import { useViewer } from '../viewer-context.ts'
import { opened, type Row, rowsOf } from './rows.ts'

/** Pixels. */
const ROW_HEIGHT = 26
/** Rows above and below those in sight. */
const SPARE_ROWS = 10

export interface TreeProps {
  readonly object: string
  readonly choose: (path: string) => void
}

export function Tree({ object, choose }: TreeProps) {
  const { contents, version } = useViewer()
  const [open, setOpen] = useState<ReadonlySet<string>>(() => opened(new Set(['/']), object))
  const [drawn, redraw] = useReducer((count: number) => count + 1, 0)
  const [focused, setFocused] = useState(object)
  const frame = useRef<HTMLDivElement>(null)
  /** The keyboard has moved to a row, which may not be drawn yet. */
  const waitsForFocus = useRef(false)
  const [sight, setSight] = useState({ top: 0, height: 0 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: members come, and change
  const rows = useMemo(() => rowsOf(contents, open), [contents, open, drawn, version])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has other lists
  useEffect(() => {
    const stops = [...open].map(group => contents.members(group).watch(redraw))
    return () => {
      for (const stop of stops) stop()
    }
  }, [contents, open, version])

  useEffect(() => setOpen(before => opened(before, object)), [object])
  const chosenRow = rows.findIndex(({ path, note }) => path === object && note === undefined)
  const reveal = useCallback((row: number) => {
    const element = frame.current
    if (element === null || row < 0) return
    const top = row * ROW_HEIGHT
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + ROW_HEIGHT > element.scrollTop + element.clientHeight)
      element.scrollTop = top + ROW_HEIGHT - element.clientHeight
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each chosen object, when its row is there
  useEffect(() => {
    reveal(chosenRow)
    setFocused(object)
  }, [object, chosenRow === -1, reveal])

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
  }, [])

  useEffect(() => {
    if (!waitsForFocus.current) return
    const element = frame.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(focused)}"]`)
    if (!element) return
    waitsForFocus.current = false
    element.focus()
  })

  const toggle = (path: string, isOpen: boolean) => {
    setOpen(before => {
      const groups = new Set(before)
      if (isOpen) groups.add(path)
      else groups.delete(path)
      return groups
    })
  }
  const pick = (path: string, isGroup: boolean) => {
    if (isGroup) toggle(path, path === object ? !open.has(path) : true)
    choose(path)
  }
  const focusRow = (index: number) => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)]
    if (row === undefined || row.note !== undefined) return
    setFocused(row.path)
    reveal(rows.indexOf(row))
    waitsForFocus.current = true
  }
  const press = (event: KeyboardEvent, isGroup: boolean, path: string) => {
    const at = rows.findIndex(row => row.path === path && row.note === undefined)
    const page = Math.max(1, Math.floor(sight.height / ROW_HEIGHT) - 1)
    const isOpen = open.has(path)
    const actions = new Map([
      ['ArrowDown', () => focusRow(at + 1)],
      ['ArrowUp', () => focusRow(at - 1)],
      ['PageDown', () => focusRow(at + page)],
      ['PageUp', () => focusRow(at - page)],
      ['Home', () => focusRow(0)],
      ['End', () => focusRow(rows.findLastIndex(({ note }) => note === undefined))],
      ['ArrowRight', () => (isGroup && !isOpen ? toggle(path, true) : focusRow(at + 1))],
      [
        'ArrowLeft',
        () =>
          isGroup && isOpen && path !== '/'
            ? toggle(path, false)
            : focusRow(rows.findIndex(row => row.path === parentPath(path))),
      ],
      ['Enter', () => pick(path, isGroup)],
      [' ', () => pick(path, isGroup)],
    ])
    const action = actions.get(event.key)
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    action()
  }

  const first = Math.max(0, Math.floor(sight.top / ROW_HEIGHT) - SPARE_ROWS)
  const last = Math.ceil((sight.top + sight.height) / ROW_HEIGHT) + SPARE_ROWS
  const hasFocused = rows.slice(first, last).some(({ path }) => path === focused)
  return (
    <div className="tree" ref={frame}>
      <div role="tree" aria-label="Objects" style={{ height: rows.length * ROW_HEIGHT }}>
        {rows.slice(first, last).map((row, i) => (
          <TreeRow
            key={row.path}
            row={row}
            top={(first + i) * ROW_HEIGHT}
            isOpen={open.has(row.path)}
            isChosen={row.path === object}
            isTabStop={hasFocused ? row.path === focused : i === 0}
            pick={pick}
            toggle={toggle}
            press={press}
            onFocus={setFocused}
          />
        ))}
      </div>
    </div>
  )
}

interface TreeRowProps {
  readonly row: Row
  readonly top: number
  readonly isOpen: boolean
  readonly isChosen: boolean
  readonly isTabStop: boolean
  readonly pick: (path: string, isGroup: boolean) => void
  readonly toggle: (path: string, isOpen: boolean) => void
  readonly press: (event: KeyboardEvent, isGroup: boolean, path: string) => void
  readonly onFocus: (path: string) => void
}

const NOTES = { loading: 'Loading …', failed: 'The members could not be loaded.', empty: 'empty' }

function TreeRow({ row, top, isOpen, isChosen, isTabStop, pick, toggle, press, onFocus }: TreeRowProps) {
  const { path, title, depth, member, note } = row
  const found = useEntityInSight(note === undefined ? path : undefined)
  const style = { top, height: ROW_HEIGHT, paddingLeft: `${0.5 + depth * 0.875}rem` }
  if (note !== undefined) {
    return (
      <div className="tree-note" style={style}>
        {NOTES[note]}
      </div>
    )
  }
  const kind = found.entity?.kind ?? member?.kind ?? (path === '/' ? 'group' : undefined)
  const isGroup = kind === 'group'
  const nxClass = found.entity && textOf(found.entity, 'NX_class')
  const shape = found.entity?.kind === 'dataset' ? formatShape(found.entity.dataset?.shape) : undefined
  const isLost = found.error !== undefined
  const hint = [path, member?.target && `→ ${member.target}`, found.error]
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
      title={hint.filter(Boolean).join('\n')}
      style={style}
      onClick={() => pick(path, isGroup)}
      onKeyDown={event => press(event, isGroup, path)}
      onFocus={() => onFocus(path)}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the row do it */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys of the row do it */}
      <span
        className={isGroup ? `tree-arrow${isOpen ? ' open' : ''}` : 'tree-arrow none'}
        onClick={event => {
          if (!isGroup || path === '/') return
          event.stopPropagation()
          toggle(path, !isOpen)
        }}
      />
      <span className={`tree-icon ${isLost ? 'lost' : (kind ?? 'link')}`} aria-hidden="true" />
      <span className="tree-title">{title}</span>
      {member && member.link !== 'hard' ? (
        <span className="tree-badge" role="img" aria-label={LINK_NAMES[member.link]}>
          ↗
        </span>
      ) : null}
      {nxClass ? <span className="tree-badge">{nxClass}</span> : null}
      {shape ? <span className="tree-shape">{shape}</span> : null}
      {isLost ? <span className="tree-shape">not found</span> : null}
    </div>
  )
}

const LINK_NAMES = { soft: 'soft link', external: 'external link', other: 'link' }

interface Found {
  readonly entity: Entity | undefined
  readonly error: string | undefined
}

const UNKNOWN: Found = { entity: undefined, error: undefined }

/** The object of a row, requested together with those of the other rows in sight. */
function useEntityInSight(path: string | undefined): Found {
  const { contents, version } = useViewer()
  const [found, setFound] = useState<Found>(UNKNOWN)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version may have another object there
  useEffect(() => {
    if (path === undefined) return
    let isCurrent = true
    contents.at(path).then(
      entity => {
        if (isCurrent) setFound({ entity, error: undefined })
      },
      (error: unknown) => {
        if (isCurrent) setFound({ entity: undefined, error: messageOf(error) })
      },
    )
    return () => {
      isCurrent = false
    }
  }, [contents, path, version])
  return found
}

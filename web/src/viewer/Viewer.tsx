// The contents of a domain: the viewer h5web on the client of the service.

import { App, DataProvider } from '@h5web/app'
import '@h5web/app/styles.css'
import { type RefObject, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Selection } from '../../../client/index.ts'
import { formatSelection } from '../../../client/selection.ts'
import { Alert } from '../Alert.tsx'
import type { Session } from '../session.ts'
import { TryAgain } from '../TryAgain.tsx'
import { useRetry } from '../use-retry.ts'
import { DomainApi, type DomainApiOptions } from './domain-api.ts'
import { enableBigIntJson } from './json-text.ts'
import { LargePlot } from './LargePlot.tsx'
import type { LargePart } from './large-part.ts'

enableBigIntJson()

export interface ViewerProps {
  readonly session: Session
  readonly path: string
  /** The path of the object to show. */
  readonly object: string
  /** The user has chosen another object. */
  readonly onChoose: (object: string) => void
  /** A dataset is shown, of which a slice, or all of it. It may be called while something is rendered. */
  readonly onShow: (object: string, select: Selection | undefined) => void
}

export function Viewer({ session, path, object, onChoose, onShow }: ViewerProps) {
  const [loadsWhole, setLoadsWhole] = useState(false)
  const retry = useRetry(session.client)
  const { attempt, fail } = retry
  const [large, onLarge] = useLargePart(object)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt asks for everything again
  const api = useMemo(
    () => new DomainApi(session, path, { loadsWhole, onShow, onLarge, onFail: fail }),
    [session, path, loadsWhole, onShow, onLarge, fail, attempt],
  )
  const shownPath = large?.path ?? object
  const showSlice = useCallback((select: Selection) => onShow(shownPath, select), [onShow, shownPath])
  const error = useReason(api, object)
  const frame = useRef<HTMLDivElement>(null)
  const beginning = `${loadsWhole} ${attempt}`
  const start = useChosenObject(frame, object, onChoose, beginning)
  useKeptFocus(frame)
  // React throws away components that wait before they are mounted, with the stores of DataProvider: each try would ask
  // anew.
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return (
    <div className="viewer" ref={frame}>
      <TryAgain retry={retry} message="Not everything could be loaded." />
      {error === undefined ? null : <Alert message={error} />}
      {large === undefined ? null : (
        <LargePlot
          key={`${large.path} ${large.part.shape} ${formatSelection(large.part.select)}`}
          client={session.client}
          domain={api.domain}
          part={large.part}
          title={large.path}
          loadWhole={loadsWhole ? undefined : () => setLoadsWhole(true)}
          onShow={showSlice}
        />
      )}
      <DataProvider api={api}>
        <Suspense fallback={<p className="note">Loading …</p>}>
          {isMounted ? <App key={`${start} ${beginning}`} initialPath={start} /> : null}
        </Suspense>
      </DataProvider>
    </div>
  )
}

/** The parts of an object that h5web cannot show. */
interface ShownPart {
  readonly object: string
  /** Of the dataset: of the signal, if the object is a group of NeXus. */
  readonly path: string
  readonly part: LargePart
}

function useLargePart(object: string): readonly [ShownPart | undefined, DomainApiOptions['onLarge']] {
  const [large, setLarge] = useState<ShownPart>()
  const shown = useRef(object)
  shown.current = object
  const onLarge = useCallback((path: string, part: LargePart | undefined, isSignal: boolean) => {
    const { current: object } = shown
    setLarge(before => {
      const isOfObject = before?.object === object
      // Axes are requested before their signal.
      if (isOfObject && before.path !== path && !isSignal) return before
      return part && { object, path, part }
    })
  }, [])
  return [large?.object === object ? large : undefined, onLarge]
}

/** The reason why no object is at a path, since h5web only reports that a link leads nowhere. */
function useReason(api: DomainApi, path: string): string | undefined {
  const [found, setFound] = useState<{ readonly path: string; readonly reason: string | undefined }>()
  useEffect(() => {
    let isCurrent = true
    api.reasonAt(path).then(
      reason => {
        if (isCurrent) setFound({ path, reason })
      },
      // h5web shows the error.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [api, path])
  return found?.path === path ? found.reason : undefined
}

/**
 * Keeps the object of the address and the one that h5web shows the same. h5web has no event for a change of object, but
 * the item of its tree is marked. Returns the object that it begins with, anew for another `beginning`.
 */
function useChosenObject(
  frame: RefObject<HTMLDivElement>,
  object: string,
  onChoose: (object: string) => void,
  beginning: string,
): string {
  const shown = useRef(object)
  const [start, setStart] = useState(object)
  const [before, setBefore] = useState(beginning)
  if (before !== beginning) {
    setBefore(beginning)
    setStart(shown.current)
  }
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const observer = new MutationObserver(() => {
      const chosen = element.querySelector<HTMLElement>('[role="treeitem"][aria-selected="true"]')?.dataset
        .path
      if (chosen === undefined || chosen === shown.current) return
      shown.current = chosen
      onChoose(chosen)
    })
    observer.observe(element, { subtree: true, childList: true, attributeFilter: ['aria-selected'] })
    return () => observer.disconnect()
  }, [frame, onChoose])
  useEffect(() => {
    if (object === shown.current) return
    shown.current = object
    const item = frame.current?.querySelector<HTMLElement>(
      `[role="treeitem"][data-path="${CSS.escape(object)}"]`,
    )
    // An item of a closed group is not there: then h5web begins anew.
    if (item) item.click()
    else setStart(object)
  }, [frame, object])
  return start
}

/**
 * Leaves the focus where the user put it. h5web focuses the chosen item of its tree once, when it draws it, which may
 * be later than the values: that would close an open menu, and take the keys from a field.
 */
function useKeptFocus(frame: RefObject<HTMLDivElement>): void {
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    /** Items that had the focus: a user who chooses an item gives it the focus before it is the chosen one. */
    const known = new WeakSet<EventTarget>()
    const remember = ({ target }: FocusEvent) => {
      if (target) known.add(target)
    }
    const keep = (event: FocusEvent) => {
      const { target: before, relatedTarget: item } = event
      if (!(before instanceof HTMLElement && item instanceof HTMLElement)) return
      if (known.has(item) || !element.contains(item) || !item.matches(CHOSEN_ITEM)) return
      // Nothing that closes when it loses the focus may see this.
      event.stopImmediatePropagation()
      known.add(item)
      item.addEventListener('focus', () => before.focus({ preventScroll: true }), { once: true })
    }
    element.addEventListener('focusin', remember)
    window.addEventListener('focusout', keep, { capture: true })
    return () => {
      element.removeEventListener('focusin', remember)
      window.removeEventListener('focusout', keep, { capture: true })
    }
  }, [frame])
}

const CHOSEN_ITEM = '[role="tree"] [role="treeitem"][aria-selected="true"]'

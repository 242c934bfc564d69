// What is in a domain: the viewer h5web on the client of the service.

import { App, DataProvider, enableBigIntSerialization } from '@h5web/app'
import '@h5web/app/styles.css'
import { type RefObject, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Session } from '../session.ts'
import { DomainApi } from './domain-api.ts'

enableBigIntSerialization()

export interface ViewerProps {
  readonly session: Session
  readonly path: string
  /** The path of the object to show. */
  readonly object: string
  /** The user has chosen another object. */
  readonly onChoose: (object: string) => void
}

// biome-ignore lint/style/noDefaultExport: React loads a part of the page by its default export
export default function Viewer({ session, path, object, onChoose }: ViewerProps) {
  const api = useMemo(() => new DomainApi(session, path), [session, path])
  const frame = useRef<HTMLDivElement>(null)
  const start = useChosenObject(frame, object, onChoose)
  // React throws away components that wait before they are mounted, with the stores of DataProvider: each try would ask anew.
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return (
    <div className="viewer" ref={frame}>
      <DataProvider api={api}>
        <Suspense fallback={<p className="note">Loading …</p>}>
          {isMounted ? (
            <App key={start} initialPath={start} sidebarOpen={window.innerWidth > NARROW} />
          ) : null}
        </Suspense>
      </DataProvider>
    </div>
  )
}

/** Pixels; the tree of a narrower page is closed at first. */
const NARROW = 800

/**
 * Keeps the object of the address and the one that h5web shows the same. h5web tells nobody which object that is, but the item of
 * its tree is marked. Returns the object that it begins with.
 */
function useChosenObject(
  frame: RefObject<HTMLDivElement>,
  object: string,
  onChoose: (object: string) => void,
): string {
  const shown = useRef(object)
  const [start, setStart] = useState(object)
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

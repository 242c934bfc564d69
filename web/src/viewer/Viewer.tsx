// What is in a domain: the viewer h5web on the client of the service.

import { App, DataProvider } from '@h5web/app'
import '@h5web/app/styles.css'
import { type RefObject, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type DatasetShape, RequestError, type Selection } from '../../../client/index.ts'
import { Alert } from '../Alert.tsx'
import type { Session } from '../session.ts'
import { DomainApi } from './domain-api.ts'
import { enableBigIntJson } from './json-text.ts'
import { LargeImage } from './LargeImage.tsx'
import { hasLargeSlices } from './large-slices.ts'

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

// biome-ignore lint/style/noDefaultExport: React loads a part of the page by its default export
export default function Viewer({ session, path, object, onChoose, onShow }: ViewerProps) {
  const [loadsWhole, setLoadsWhole] = useState(false)
  const api = useMemo(
    () => new DomainApi(session, path, { loadsWhole, onShow }),
    [session, path, loadsWhole, onShow],
  )
  const showSlice = useCallback((select: Selection) => onShow(object, select), [onShow, object])
  const { large, error } = useShownObject(api, object)
  const frame = useRef<HTMLDivElement>(null)
  const start = useChosenObject(frame, object, onChoose)
  // React throws away components that wait before they are mounted, with the stores of DataProvider: each try would ask anew.
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return (
    <div className="viewer" ref={frame}>
      {error === undefined ? null : <Alert message={error} />}
      {large === undefined || loadsWhole ? null : (
        <LargeImage
          key={object}
          domain={api.domain}
          dataset={large}
          title={object}
          loadWhole={() => setLoadsWhole(true)}
          onShow={showSlice}
        />
      )}
      <DataProvider api={api}>
        <Suspense fallback={<p className="note">Loading …</p>}>
          {isMounted ? <App key={`${start} ${loadsWhole}`} initialPath={start} /> : null}
        </Suspense>
      </DataProvider>
    </div>
  )
}

interface ShownObject {
  readonly path: string
  /** A dataset whose slices are large images. */
  readonly large?: DatasetShape
  /** Why there is no object at the path. */
  readonly error?: string
}

/** What the page itself shows of the object at a path. */
function useShownObject(api: DomainApi, path: string): ShownObject {
  const [shown, setShown] = useState<ShownObject>({ path })
  useEffect(() => {
    let isCurrent = true
    api.dataset(path).then(
      dataset => {
        if (!isCurrent) return
        // h5web tells of a link that leads nowhere only that there is nothing.
        if (dataset instanceof RequestError) setShown({ path, error: dataset.message })
        else setShown({ path, ...(dataset && hasLargeSlices(dataset) && { large: dataset }) })
      },
      // h5web shows the error.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [api, path])
  return shown.path === path ? shown : { path }
}

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

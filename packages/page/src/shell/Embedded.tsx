// One view of a domain for a frame in another page: no folders, no tree, no tabs. Its address is that of the page with
// `ui/embed` instead of `ui`.

import { useCallback, useEffect, useState } from 'react'
import { useLogin } from '../account/use-login.ts'
import type { Opening } from '../opening.ts'
import { LoadedViewer } from '../viewer/LoadedViewer.tsx'
import { formatPlace, nameOf, type Place, parsePlace } from './address.ts'
import { EMBEDDED_NAME } from './embedding.ts'

export function Embedded({ opening }: { readonly opening: Opening }) {
  const { session } = useLogin(opening)
  const [search, setSearch] = useState(window.location.search)
  const place = parsePlace(search)
  const go = useCallback((place: Place) => {
    window.history.replaceState(null, '', formatPlace(place).replace(/^ui/, EMBEDDED_NAME))
    setSearch(window.location.search)
  }, [])
  const domain = place.kind === 'domain' ? place : undefined
  const { path = '/', object = '/' } = domain ?? {}
  const choose = useCallback((object: string) => go({ kind: 'domain', path, object }), [go, path])
  const look = useCallback((view: string) => go({ kind: 'domain', path, object, view }), [go, path, object])
  useEffect(() => {
    document.title = `${nameOf(object)} – ${nameOf(path)}`
  }, [object, path])
  if (domain === undefined)
    return (
      <p role="alert" className="error">
        The address of a view names a domain: ui/embed?domain=/…
      </p>
    )
  return (
    <div className="page embedded">
      <main>
        {session ? (
          <LoadedViewer
            session={session}
            path={path}
            object={object}
            view={domain.view ?? ''}
            isEmbedded
            isReadOnly
            isJoined={false}
            isKnown
            onChoose={choose}
            onView={look}
            onShow={nothing}
            onHeard={nothing}
          />
        ) : null}
      </main>
      <a className="open-page" href={`../${formatPlace(domain)}`} target="_blank" rel="noopener">
        Open in Hyperslab
      </a>
    </div>
  )
}

/** No program is copied here, and nothing is said of the place. */
function nothing(): void {}

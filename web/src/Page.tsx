// The whole page: its head, and the place that the address names.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Selection } from '../../client/index.ts'
import { formatPlace, nameOf, type Place, parentsOf, parsePlace } from './address.ts'
import { connect } from './connect.ts'
import { FolderTable } from './folder/FolderTable.tsx'
import { UploadList } from './folder/UploadList.tsx'
import { useUploads } from './folder/uploads.ts'
import { Link } from './Link.tsx'
import { Login } from './Login.tsx'
import type { Session, User } from './session.ts'
import { DomainButtons } from './viewer/DomainButtons.tsx'
import { LoadedViewer } from './viewer/LoadedViewer.tsx'

export function Page() {
  const [place, go] = usePlace()
  const [user, setUser] = useState<User>()
  const session = useMemo(() => ({ user, client: connect(user?.authorization) }), [user])
  useEffect(() => {
    document.title = place.path === '/' ? 'Hyperslab' : `${nameOf(place.path)} – Hyperslab`
  }, [place.path])
  const { path } = place
  // The choices of the user in the viewer are read when they are needed, by the address of the object, so that the page
  // is not drawn again.
  const slices = useRef(new Map<string, Selection | undefined>())
  const show = useCallback(
    (object: string, select: Selection | undefined) => {
      slices.current.set(addressOf(path, object), select)
    },
    [path],
  )
  return (
    <div className="page">
      <header>
        <nav aria-label="Folders">
          <Link to={{ kind: 'folder', path: '/' }} go={go}>
            Hyperslab
          </Link>
          {parentsOf(place.path).map(({ name, path }, i, all) => {
            const isLast = i === all.length - 1
            return (
              <span key={path}>
                {' / '}
                {isLast ? <strong aria-current="page">{name}</strong> : null}
                {isLast ? null : (
                  <Link to={{ kind: 'folder', path }} go={go}>
                    {name}
                  </Link>
                )}
              </span>
            )
          })}
        </nav>
        <div className="buttons">
          {place.kind === 'domain' ? (
            <DomainButtons
              session={session}
              path={path}
              object={place.object}
              sliceOf={object => slices.current.get(addressOf(path, object))}
            />
          ) : null}
          <Login user={user} onChange={setUser} />
        </div>
      </header>
      <main>
        <Contents key={user?.name ?? ''} session={session} place={place} go={go} onShow={show} />
      </main>
    </div>
  )
}

function addressOf(domain: string, object: string): string {
  return formatPlace({ kind: 'domain', path: domain, object })
}

interface ContentsProps {
  readonly session: Session
  readonly place: Place
  readonly go: (place: Place) => void
  /** An object of the domain is shown, of which a slice, or all of it. */
  readonly onShow: (object: string, select: Selection | undefined) => void
}

/** The folder or domain, and below it the uploads, which continue when another one is opened. */
function Contents({ session, place, go, onShow }: ContentsProps) {
  const uploads = useUploads(session)
  const { path } = place
  const choose = useCallback((object: string) => go({ kind: 'domain', path, object }), [go, path])
  return (
    <>
      <UploadList uploads={uploads} />
      {place.kind === 'folder' ? (
        <FolderTable key={path} session={session} path={path} uploads={uploads} go={go} />
      ) : (
        <LoadedViewer
          key={path}
          session={session}
          path={path}
          object={place.object}
          onChoose={choose}
          onShow={onShow}
        />
      )}
    </>
  )
}

/** The place of the address, and how to go to another one. */
function usePlace(): readonly [Place, (place: Place) => void] {
  const [search, setSearch] = useState(window.location.search)
  useEffect(() => {
    const follow = () => setSearch(window.location.search)
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])
  const go = useCallback((place: Place) => {
    window.history.pushState(null, '', formatPlace(place))
    setSearch(window.location.search)
  }, [])
  return [useMemo(() => parsePlace(search), [search]), go]
}

// The whole page: its head, and the place that the address names.

import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { formatPlace, nameOf, type Place, parentsOf, parsePlace } from './address.ts'
import { connect } from './connect.ts'
import { downloadDomain } from './download.ts'
import { FolderTable } from './folder/FolderTable.tsx'
import { UploadList } from './folder/UploadList.tsx'
import { useUploads } from './folder/uploads.ts'
import { Link } from './Link.tsx'
import { Login } from './Login.tsx'
import type { Session, User } from './session.ts'
import { CodeDialog } from './viewer/CodeDialog.tsx'

/** The viewer is six times as large as the rest: it is loaded when a domain is opened. */
const Viewer = lazy(() => import('./viewer/Viewer.tsx'))

export function Page() {
  const [place, go] = usePlace()
  const [user, setUser] = useState<User>()
  const session = useMemo(() => ({ user, client: connect(user?.authorization) }), [user])
  const [isCodeOpen, setCodeOpen] = useState(false)
  useEffect(() => {
    document.title = place.path === '/' ? 'Hyperslab' : `${nameOf(place.path)} – Hyperslab`
  }, [place.path])
  const { path } = place
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
            <>
              <button type="button" onClick={() => setCodeOpen(true)}>
                Copy code
              </button>
              <button type="button" onClick={() => void downloadDomain(session, path)}>
                Download
              </button>
            </>
          ) : null}
          <Login user={user} onChange={setUser} />
        </div>
      </header>
      <main>
        <Contents key={user?.name ?? ''} session={session} place={place} go={go} />
        {isCodeOpen && place.kind === 'domain' ? (
          <CodeDialog
            session={session}
            domain={path}
            object={place.object}
            close={() => setCodeOpen(false)}
          />
        ) : null}
      </main>
    </div>
  )
}

interface ContentsProps {
  readonly session: Session
  readonly place: Place
  readonly go: (place: Place) => void
}

/** The folder or domain; below the uploads, which go on in another place. */
function Contents({ session, place, go }: ContentsProps) {
  const uploads = useUploads(session)
  const { path } = place
  const choose = useCallback((object: string) => go({ kind: 'domain', path, object }), [go, path])
  return (
    <>
      <UploadList uploads={uploads} />
      {place.kind === 'folder' ? (
        <FolderTable key={path} session={session} path={path} uploads={uploads} go={go} />
      ) : (
        <Suspense fallback={<p className="note">Loading the viewer …</p>}>
          <Viewer key={path} session={session} path={path} object={place.object} onChoose={choose} />
        </Suspense>
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

// The whole page: its head, and the place that the address names.

import type { Selection } from '@hyperslab/client'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { AccountPage } from '../account/AccountPage.tsx'
import { Login, LoginDialog } from '../account/Login.tsx'
import type { BrowserLogin } from '../account/login.ts'
import { useLogin } from '../account/use-login.ts'
import { FolderTable } from '../folder/FolderTable.tsx'
import { UploadList } from '../folder/uploads/UploadList.tsx'
import { useUploads } from '../folder/uploads/use-uploads.ts'
import { DomainButtons } from '../viewer/DomainButtons.tsx'
import { LoadedViewer } from '../viewer/LoadedViewer.tsx'
import { folderPath, formatPlace, type Place, parsePlace } from './address.ts'
import { Header, titleOf, upFrom } from './Header.tsx'
import { isShortcut } from './Help.tsx'
import { NoPlace, type NoPlaceProps } from './NoPlace.tsx'
import { isShown, type Session } from './session.ts'
import { type PlaceFacts, usePlaceFacts } from './use-place-facts.ts'

export function Page({ login }: { readonly login: Promise<BrowserLogin> }) {
  const [place, go] = usePlace()
  const { session, change, isEnded } = useLogin(login)
  const [isLoginOpen, setLoginOpen] = useState(false)
  useEffect(() => {
    document.title = titleOf(place)
  }, [place])
  const share = session?.share
  const isElsewhere = share !== undefined && (place.kind === 'account' || !isShown(share, place.path))
  useEffect(() => {
    // The page itself has no place in its address.
    if (isElsewhere && window.location.search === '') go(parsePlace(`?${share.view}`), { replace: true })
  }, [share, isElsewhere, go])
  const path = pathOf(place)
  // The choices of the user in the viewer are read when they are needed, by the address of the object, so that the page
  // is not drawn again.
  const slices = useRef(new Map<string, Selection | undefined>())
  const show = useCallback(
    (object: string, select: Selection | undefined) => {
      slices.current.set(addressOf(path, object), select)
    },
    [path],
  )
  const facts = usePlaceFacts(session, place)
  const isFolder = facts?.kind === 'folder'
  useEffect(() => {
    // The address of a folder shows it.
    if (place.kind === 'domain' && isFolder)
      go({ kind: 'folder', path: folderPath(place.path) }, { replace: true })
  }, [place, isFolder, go])
  useUpKey(place, go)
  return (
    <div className="page">
      <Header
        place={place}
        go={go}
        isReadOnly={facts?.isMounted ?? false}
        share={share}
        hasAccounts={session?.hasAccounts ?? true}
        isOpen={session?.isOpen ?? false}
        actions={
          session && place.kind === 'domain' && facts?.kind === 'domain' ? (
            <DomainButtons
              session={session}
              path={place.path}
              object={place.object}
              view={place.view ?? ''}
              sliceOf={object => slices.current.get(addressOf(place.path, object))}
            />
          ) : null
        }
        account={
          session && !share && (session.user || session.hasAccounts) ? (
            <Login user={session.user} onChange={change} go={go} logIn={() => setLoginOpen(true)} />
          ) : null
        }
      />
      <main>
        {facts?.damage === undefined ? null : (
          <p role="alert" className="error">
            Not all of this file can be read: {facts.damage}
          </p>
        )}
        {session && !(isElsewhere && window.location.search === '') ? (
          <Contents
            key={session.user?.name ?? ''}
            session={session}
            place={place}
            facts={facts}
            go={go}
            onShow={show}
            logIn={() => setLoginOpen(true)}
          />
        ) : null}
      </main>
      {isLoginOpen && session?.user === undefined ? (
        <LoginDialog
          title="Log in"
          close={() => setLoginOpen(false)}
          onUser={user => {
            setLoginOpen(false)
            change(user)
          }}
        />
      ) : null}
      {isEnded ? (
        <LoginDialog
          title="Your login has ended: log in again"
          name={session?.user?.name}
          close={() => change(undefined)}
          onUser={change}
        />
      ) : null}
    </div>
  )
}

function addressOf(domain: string, object: string): string {
  return formatPlace({ kind: 'domain', path: domain, object })
}

interface ContentsProps {
  readonly session: Session
  readonly place: Place
  /** Undefined: not known yet. */
  readonly facts: PlaceFacts | undefined
  readonly go: (place: Place, options?: { readonly replace: boolean }) => void
  /** Opens the dialog to log in. */
  readonly logIn: () => void
  /** An object of the domain is shown, of which a slice, or all of it. */
  readonly onShow: (object: string, select: Selection | undefined) => void
}

/** The place, and above it the uploads, which continue when another one is opened. */
function Contents({ session, place, facts, go, onShow, logIn }: ContentsProps) {
  const uploads = useUploads(session)
  const path = pathOf(place)
  const choose = useCallback((object: string) => go({ kind: 'domain', path, object }), [go, path])
  const object = place.kind === 'domain' ? place.object : '/'
  const look = useCallback(
    (view: string, isStep: boolean) => go({ kind: 'domain', path, object, view }, { replace: !isStep }),
    [go, path, object],
  )
  return (
    <>
      <UploadList uploads={uploads} />
      {place.kind === 'account' ? <AccountPage session={session} part={place.part} go={go} /> : null}
      {place.kind !== 'account' && isProblem(facts) ? (
        <NoPlace session={session} place={place} kind={facts.kind} go={go} logIn={logIn} />
      ) : null}
      {place.kind === 'folder' && !isProblem(facts) ? (
        <FolderTable
          key={path}
          session={session}
          path={path}
          isReadOnly={facts?.isMounted ?? false}
          uploads={uploads}
          go={go}
        />
      ) : null}
      {place.kind === 'domain' && !isProblem(facts) ? (
        <LoadedViewer
          key={path}
          session={session}
          path={path}
          object={place.object}
          view={place.view ?? ''}
          isEmbedded={false}
          onChoose={choose}
          onView={look}
          onShow={onShow}
        />
      ) : null}
    </>
  )
}

type Problem = PlaceFacts & { readonly kind: NoPlaceProps['kind'] }

function isProblem(facts: PlaceFacts | undefined): facts is Problem {
  return facts !== undefined && facts.kind !== 'folder' && facts.kind !== 'domain'
}

/** Empty: the place is no folder and no domain. */
function pathOf(place: Place): string {
  return place.kind === 'account' ? '' : place.path
}

/** The key U goes to the folder above. */
function useUpKey(place: Place, go: (place: Place) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'u' && isShortcut(event)) go(upFrom(place))
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [place, go])
}

/** The place of the address, and how to go to another one. */
function usePlace(): readonly [Place, (place: Place, options?: { readonly replace: boolean }) => void] {
  const [search, setSearch] = useState(window.location.search)
  useEffect(() => {
    const follow = () => setSearch(window.location.search)
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])
  const go = useCallback((place: Place, { replace } = { replace: false }) => {
    if (replace) window.history.replaceState(null, '', formatPlace(place))
    else window.history.pushState(null, '', formatPlace(place))
    setSearch(window.location.search)
  }, [])
  return [useMemo(() => parsePlace(search), [search]), go]
}

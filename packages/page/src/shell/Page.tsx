// The whole page: its head, and the place that the address names.

import type { Selection } from '@hyperslab/client'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { AccountPage } from '../account/AccountPage.tsx'
import { FirstAccount } from '../account/FirstAccount.tsx'
import { Login, LoginDialog } from '../account/Login.tsx'
import { useLogin } from '../account/use-login.ts'
import { LoadedAdmin } from '../admin/LoadedAdmin.tsx'
import { useShortcut } from '../common/shortcut.ts'
import { FolderTable } from '../folder/FolderTable.tsx'
import { UploadList } from '../folder/uploads/UploadList.tsx'
import { useUploads } from '../folder/uploads/use-uploads.ts'
import { DomainStar, KeptLists } from '../kept/KeptLists.tsx'
import type { Opening } from '../opening.ts'
import { DomainButtons } from '../viewer/DomainButtons.tsx'
import { LoadedViewer } from '../viewer/LoadedViewer.tsx'
import { formatPlace, isOfData, type Place, parsePlace } from './address.ts'
import { Header } from './Header.tsx'
import {
  hasActions,
  isProblem,
  type NextPlace,
  nextPlace,
  type PlaceFacts,
  pathOf,
  titleOf,
  upFrom,
} from './model.ts'
import { NoPlace } from './NoPlace.tsx'
import type { Session, User } from './session.ts'
import { usePlaceFacts } from './use-place-facts.ts'

export function Page({ opening }: { readonly opening: Opening }) {
  const [place, go] = usePlace()
  const { session, change, logOut, isEnded } = useLogin(opening)
  const [isLoginOpen, setLoginOpen] = useState(false)
  const { sliceOf, show } = useSlices(pathOf(place))
  const [facts, onHeard] = usePlaceFacts(session, place)
  const { share, user, hasAccounts = true, isOpen = false } = session ?? {}
  const next = nextPlace({ place, search: window.location.search, share, facts })
  useGoOn(next, go)
  useRecent(session, place, facts)
  useEffect(() => {
    document.title = titleOf(place)
  }, [place])
  useShortcut('u', () => go(upFrom(place)))
  const logIn = () => setLoginOpen(true)
  return (
    <div className="page">
      <Header
        {...{ place, go, share, hasAccounts, isOpen }}
        isReadOnly={facts?.isMounted ?? false}
        isJoined={facts?.isJoined ?? false}
        actions={
          session && hasActions(place, facts) ? (
            <>
              {session.kept ? <DomainStar kept={session.kept} path={place.path} /> : null}
              <DomainButtons
                session={session}
                path={place.path}
                object={place.object}
                view={place.view ?? ''}
                sliceOf={sliceOf}
              />
            </>
          ) : null
        }
        account={
          session && !share && (user || hasAccounts) ? <Login {...{ user, logOut, go, logIn }} /> : null
        }
      />
      <main>
        <Damage facts={facts} />
        {session && next?.isElsewhere !== true ? (
          <Contents
            key={user?.name ?? ''}
            {...{ session, place, facts, go, logIn, onHeard }}
            onShow={show}
            onUser={change}
          />
        ) : null}
      </main>
      <LoginDialogs
        user={user}
        isOpen={isLoginOpen}
        close={() => setLoginOpen(false)}
        isEnded={isEnded}
        change={change}
      />
    </div>
  )
}

function Damage({ facts }: Pick<ContentsProps, 'facts'>) {
  return facts?.damage === undefined ? null : (
    <p role="alert" className="error">
      Not all of this {facts.isJoined ? 'domain' : 'file'} can be read: {facts.damage}
    </p>
  )
}

interface LoginDialogsProps {
  readonly user: User | undefined
  /** The user wants to log in. */
  readonly isOpen: boolean
  readonly close: () => void
  /** The session has ended. */
  readonly isEnded: boolean
  readonly change: (user: User | undefined) => void
}

function LoginDialogs({ user, isOpen, close, isEnded, change }: LoginDialogsProps) {
  const onUser = (user: User) => {
    close()
    change(user)
  }
  return (
    <>
      {isOpen && user === undefined ? <LoginDialog title="Log in" close={close} onUser={onUser} /> : null}
      {isEnded ? (
        <LoginDialog
          title="Your login has ended: log in again"
          name={user?.name}
          close={() => change(undefined)}
          onUser={change}
        />
      ) : null}
    </>
  )
}

/**
 * The slices of the objects of a domain that the user looks at. They are read when they are needed, by the address of
 * the object, so that the page is not drawn again.
 */
function useSlices(path: string) {
  const slices = useRef(new Map<string, Selection | undefined>())
  const show = useCallback(
    (object: string, select: Selection | undefined) => {
      slices.current.set(addressOf(path, object), select)
    },
    [path],
  )
  return { show, sliceOf: (object: string) => slices.current.get(addressOf(path, object)) }
}

/** Goes on to the place that the page shows for the one in the address. */
function useGoOn(next: NextPlace | undefined, go: Go): void {
  const address = next && formatPlace(next.place)
  const latest = useRef(next)
  latest.current = next
  useEffect(() => {
    if (address !== undefined && latest.current) go(latest.current.place, { replace: true })
  }, [address, go])
}

/** A domain that is there, and that the user may read, is one of the recent files. */
function useRecent(session: Session | undefined, place: Place, facts: PlaceFacts | undefined): void {
  const path = hasActions(place, facts) ? place.path : undefined
  const kept = session?.kept
  useEffect(() => {
    if (path !== undefined) kept?.addRecent(path)
  }, [kept, path])
}

function addressOf(domain: string, object: string): string {
  return formatPlace({ kind: 'domain', path: domain, object })
}

type Go = (place: Place, options?: { readonly replace: boolean }) => void

interface ContentsProps {
  readonly session: Session
  readonly place: Place
  /** Undefined: not known yet. */
  readonly facts: PlaceFacts | undefined
  readonly go: Go
  /** Opens the dialog to log in. */
  readonly logIn: () => void
  /** A user has logged in. */
  readonly onUser: (user: User) => void
  /** The domain has changed, as the service has told. */
  readonly onHeard: () => void
  /** An object of the domain is shown, of which a slice, or all of it. */
  readonly onShow: (object: string, select: Selection | undefined) => void
}

/** The place, and above it the uploads, which continue when another one is opened. */
function Contents({ session, place, facts, go, onShow, onHeard, onUser, logIn }: ContentsProps) {
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
      {place.kind === 'admin' ? <LoadedAdmin session={session} place={place} go={go} /> : null}
      {place.kind === 'first-account' ? <FirstAccount session={session} go={go} onUser={onUser} /> : null}
      {isOfData(place) && isProblem(facts) ? (
        <NoPlace session={session} place={place} kind={facts.kind} go={go} logIn={logIn} />
      ) : null}
      {place.kind === 'folder' && path === '/' && session.kept ? (
        <KeptLists kept={session.kept} go={go} />
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
          isReadOnly={facts?.isMounted !== false}
          isJoined={facts?.isJoined ?? false}
          isKnown={facts !== undefined}
          onChoose={choose}
          onView={look}
          onShow={onShow}
          onHeard={onHeard}
        />
      ) : null}
    </>
  )
}

/** The place of the address, and how to go to another one. */
function usePlace(): readonly [Place, Go] {
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

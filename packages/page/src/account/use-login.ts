// The login of the page: the user of the session that the browser has, and the dialog when it has ended.

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { connect, connectOnce } from '../shell/connect.ts'
import { Relogin, type Session, type Share, type User, userOf } from '../shell/session.ts'

/** Where tabs tell each other that a login has begun or ended. */
const LOGINS = 'hyperslab-logins'

export interface LoginState {
  /** Undefined: the service has not said yet whether the browser has a session. */
  readonly session: Session | undefined
  readonly change: (user: User | undefined) => void
  /** The session has ended, and the user should log in again. */
  readonly isEnded: boolean
}

/** `first`: the login that the browser has: it is asked for before the page is drawn. */
export function useLogin(first: Promise<BrowserLogin>): LoginState {
  const [user, setUser] = useState<User | undefined>()
  const [share, setShare] = useState<Share | undefined>()
  const [isKnown, setKnown] = useState(false)
  const [hasAccounts, setHasAccounts] = useState(true)
  const [isOpen, setOpen] = useState(false)
  const [isEnded, setEnded] = useState(false)
  const otherTabs = useRef<BroadcastChannel>()
  const relogin = useMemo(() => new Relogin(() => setEnded(true)), [])
  useEffect(() => {
    void first.then(({ user, share, hasAccounts, isOpen }) => {
      setUser(user)
      setShare(share)
      setHasAccounts(hasAccounts)
      setOpen(isOpen)
      setKnown(true)
    })
  }, [first])
  const follow = useCallback(
    (user: User | undefined) => {
      // The same user goes on with what the page shows.
      setUser(before => (before && user && before.name === user.name ? before : user))
      setEnded(false)
      relogin.end()
    },
    [relogin],
  )
  useEffect(() => {
    // The browser has one session: a login or logout in another tab is one here too.
    const channel = new BroadcastChannel(LOGINS)
    otherTabs.current = channel
    channel.onmessage = async () => {
      const { user, share } = await loginOfBrowser()
      if (!share) follow(user)
    }
    return () => channel.close()
  }, [follow])
  const change = useCallback(
    (user: User | undefined) => {
      follow(user)
      otherTabs.current?.postMessage('changed')
    },
    [follow],
  )
  const session = useMemo(
    () => ({ user, share, hasAccounts, isOpen, client: connect(relogin), relogin }),
    [user, share, hasAccounts, isOpen, relogin],
  )
  return { session: isKnown ? session : undefined, change, isEnded }
}

export interface BrowserLogin {
  readonly user?: User
  readonly share?: Share
  readonly hasAccounts: boolean
  readonly isOpen: boolean
}

/** The user of the browser's session, or the share in the address. When the service cannot say, there is neither. */
export async function loginOfBrowser(): Promise<BrowserLogin> {
  try {
    const answer = await connectOnce().request('GET /login', {})
    const { login, isadmin, scope, view = '', end = '', accounts: hasAccounts = true } = answer
    const state = { hasAccounts, isOpen: login === 'none' && isadmin }
    if (login === 'share') return { share: { within: scope?.within ?? '/', view, end }, ...state }
    return login === 'none' ? state : { user: userOf(answer), ...state }
  } catch {
    return { hasAccounts: true, isOpen: false }
  }
}

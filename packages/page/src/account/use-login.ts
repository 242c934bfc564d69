// The login of the page as a component has it.

import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { connect, connectOnce, ENDPOINT } from '../shell/connect.ts'
import type { Session, User } from '../shell/session.ts'
import { type BrowserLogin, LoginModel, loginOf } from './login.ts'

/** The name of the channel between tabs of this service: others may be below other paths of the host. */
const LOGINS = `hyperslab-logins ${ENDPOINT}`

export interface LoginState {
  /** Undefined: the service has not said yet whether the browser has a session. */
  readonly session: Session | undefined
  readonly change: (user: User | undefined) => void
  /** Ends the session. The result is the address of the logout at the identity provider, if there is one. */
  readonly logOut: () => Promise<string | undefined>
  /** The session has ended, and the user should log in again. */
  readonly isEnded: boolean
}

/** `first`: the login that the browser has: it is asked for before the page is drawn. */
export function useLogin(first: Promise<BrowserLogin>): LoginState {
  const [model] = useState(() => new LoginModel(loginOfBrowser, () => new BroadcastChannel(LOGINS)))
  useEffect(() => void model.begin(first), [model, first])
  useEffect(() => model.followTabs(), [model])
  const { user, share, hasAccounts, isOpen, isKnown, isEnded } = useSyncExternalStore(
    model.subscribe,
    model.state,
  )
  const { relogin, change } = model
  const session = useMemo(
    () => ({ user, share, hasAccounts, isOpen, client: connect(relogin), relogin }),
    [user, share, hasAccounts, isOpen, relogin],
  )
  const logOut = useCallback(() => model.logOut(connectOnce()), [model])
  return { session: isKnown ? session : undefined, change, logOut, isEnded }
}

/** The login of the browser's session, or of the share in the address. */
export function loginOfBrowser(): Promise<BrowserLogin> {
  return loginOf(connectOnce())
}

// The login of the page as a component has it.

import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { KeptPlaces } from '../kept/kept-places.ts'
import type { Opening } from '../opening.ts'
import { connect, connectOnce, ENDPOINT } from '../shell/connect.ts'
import type { Session, User } from '../shell/session.ts'

export interface LoginState {
  /** Undefined: the service has not said yet whether the browser has a session. */
  readonly session: Session | undefined
  readonly change: (user: User | undefined) => void
  /** Ends the session. The result is the address of the logout at the identity provider, if there is one. */
  readonly logOut: () => Promise<string | undefined>
  /** The session has ended, and the user should log in again. */
  readonly isEnded: boolean
}

export function useLogin({ login: model, takeContents }: Opening): LoginState {
  useEffect(() => model.followTabs(), [model])
  const { user, share, hasAccounts, isOpen, isKnown, isEnded } = useSyncExternalStore(
    model.subscribe,
    model.state,
  )
  const { relogin, change } = model
  const session = useMemo(() => {
    const kept = share
      ? undefined
      : new KeptPlaces(() => localStorage, new URL(ENDPOINT).pathname, user?.name)
    return { user, share, hasAccounts, isOpen, client: connect(relogin), relogin, kept, takeContents }
  }, [user, share, hasAccounts, isOpen, relogin, takeContents])
  const logOut = useCallback(() => model.logOut(connectOnce()), [model])
  return { session: isKnown ? session : undefined, change, logOut, isEnded }
}

// The user with the menu of the account, and the dialog to log in: with a name and a password, at an identity provider,
// or with one of its tokens. It begins a session, so the page keeps neither.

import { useState } from 'react'
import { Alert } from '../common/Alert.tsx'
import { Dialog } from '../common/Dialog.tsx'
import { Icon } from '../common/Icon.tsx'
import { Menu } from '../common/Menu.tsx'
import { useAction } from '../common/use-action.ts'
import { ACCOUNT_PARTS, type Place } from '../shell/address.ts'
import { connectOnce } from '../shell/connect.ts'
import { type User, userOf } from '../shell/session.ts'
import { authorizationIn } from './login.ts'
import { LogoutOffer, ProviderButtons } from './Providers.tsx'
import { ACCOUNT_TITLES } from './titles.ts'

export interface LoginProps {
  readonly user: User | undefined
  /** Ends the session. The result is the address of the logout at the identity provider, if there is one. */
  readonly logOut: () => Promise<string | undefined>
  readonly go: (place: Place) => void
  /** Opens the dialog to log in. */
  readonly logIn: () => void
}

export function Login({ user, logOut, go, logIn }: LoginProps) {
  const [{ error }, run] = useAction()
  const [logoutAddress, setLogoutAddress] = useState<string>()
  if (user === undefined)
    return (
      <>
        <button type="button" onClick={logIn}>
          Log in
        </button>
        {logoutAddress === undefined ? null : (
          <LogoutOffer address={logoutAddress} close={() => setLogoutAddress(undefined)} />
        )}
      </>
    )
  const items = ACCOUNT_PARTS.map(part => ({
    text: ACCOUNT_TITLES[part],
    act: () => go({ kind: 'account', part }),
  }))
  return (
    <>
      <Menu
        label={`Account of ${user.name}`}
        className="account"
        note={user.isAdmin ? `${user.name}, administrator` : user.name}
        items={[
          ...items,
          ...(user.isAdmin
            ? [{ text: 'Administration', act: () => go({ kind: 'admin', part: 'users' }) }]
            : []),
          { text: 'Log out', act: () => void run(async () => setLogoutAddress(await logOut())) },
        ]}
      >
        <Icon name="user" />
        <span className="wide">{user.displayName ?? user.name}</span>
        <Icon name="down" />
      </Menu>
      <Alert message={error} />
    </>
  )
}

export interface LoginDialogProps {
  readonly title: string
  /** The name of the user that should log in again. */
  readonly name?: string | undefined
  readonly close: () => void
  readonly onUser: (user: User) => void
}

export function LoginDialog({ title, name, close, onUser }: LoginDialogProps) {
  const [hasToken, setHasToken] = useState(false)
  const [{ isRunning, error }, run] = useAction()
  return (
    <Dialog title={title} close={close}>
      <ProviderButtons />
      <form
        onSubmit={event => {
          event.preventDefault()
          const authorization = authorizationIn(new FormData(event.currentTarget))
          void run(async () => {
            const login = await connectOnce(authorization).request('POST /login', {})
            onUser(userOf(login))
          })
        }}
      >
        {hasToken ? (
          <label>
            Token <input name="token" type="password" autoComplete="off" required />
          </label>
        ) : (
          <>
            <label>
              Name <input name="name" autoComplete="username" defaultValue={name} required />
            </label>
            <label>
              Password <input name="password" type="password" autoComplete="current-password" required />
            </label>
          </>
        )}
        <Alert message={error} />
        <div className="buttons">
          <button type="button" onClick={() => setHasToken(!hasToken)}>
            {hasToken ? 'Use a password' : 'Use a token'}
          </button>
          <button type="submit" disabled={isRunning}>
            Log in
          </button>
        </div>
      </form>
    </Dialog>
  )
}

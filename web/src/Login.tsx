// The user, and the dialog to log in: with a name and a password, or with a token.

import { useState } from 'react'
import { basic, bearer } from '../../client/index.ts'
import { Alert } from './Alert.tsx'
import { connect } from './connect.ts'
import { Dialog } from './Dialog.tsx'
import type { User } from './session.ts'
import { useAction } from './use-action.ts'

export interface LoginProps {
  readonly user: User | undefined
  /** Called with the user; undefined: no user is logged in. */
  readonly onChange: (user: User | undefined) => void
}

export function Login({ user, onChange }: LoginProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="login">
      {user === undefined ? (
        <button type="button" onClick={() => setOpen(true)}>
          Log in
        </button>
      ) : (
        <>
          <span>{user.name}</span>{' '}
          <button type="button" onClick={() => onChange(undefined)}>
            Log out
          </button>
        </>
      )}
      {isOpen ? <LoginDialog close={() => setOpen(false)} onUser={onChange} /> : null}
    </div>
  )
}

interface LoginDialogProps {
  readonly close: () => void
  readonly onUser: (user: User) => void
}

function LoginDialog({ close, onUser }: LoginDialogProps) {
  const [hasToken, setHasToken] = useState(false)
  const [{ isRunning, error }, run] = useAction()
  return (
    <Dialog title="Log in" close={close}>
      <form
        onSubmit={event => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          const field = (name: string) => String(fields.get(name))
          const authorization = hasToken ? bearer(field('token')) : basic(field('name'), field('password'))
          void run(async () => {
            const { username, isadmin } = await connect(authorization).request('GET /about', {})
            onUser({ name: username, isAdmin: isadmin, authorization })
            close()
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
              Name <input name="name" autoComplete="username" required />
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

// The page that makes the first account of a service, an administrator.

import { useState } from 'react'
import type { Place } from '../shell/address.ts'
import { connectOnce } from '../shell/connect.ts'
import { type Session, type User, userOf } from '../shell/session.ts'
import { beginFirstAccount, codeIn } from './first-account.ts'
import { NewForm } from './NewForm.tsx'

export interface FirstAccountProps {
  readonly session: Session
  readonly go: (place: Place, options: { readonly replace: boolean }) => void
  readonly onUser: (user: User) => void
}

export function FirstAccount({ session: { client, hasAccounts, isOpen }, go, onUser }: FirstAccountProps) {
  const [code] = useState(() => codeIn(window.location.hash))
  if (hasAccounts)
    return (
      <div className="empty">
        <h2>The first account is made</h2>
        <p>Log in with it. An administrator makes other accounts.</p>
      </div>
    )
  const begin = async (fields: FormData) => {
    const login = await beginFirstAccount(client, connectOnce, fields)
    // Back does not lead to the code.
    go({ kind: 'admin', part: 'users' }, { replace: true })
    onUser(userOf(login))
  }
  return (
    <section className="account-page alone" aria-labelledby="first-account">
      <div>
        <h1 id="first-account">Make the first account</h1>
        <NewForm submit="Make the account" begin={begin}>
          <p>
            It is an administrator: it may do everything, and makes the accounts of others.
            {isOpen ? ' From then on a program needs a login to write.' : ''}
          </p>
          {code !== '' ? <input type="hidden" name="code" value={code} /> : null}
          {code === '' && !isOpen ? (
            <label>
              Code, which the service printed when it started
              <input name="code" required autoComplete="off" />
            </label>
          ) : null}
          <label>
            Name
            <input name="name" required maxLength={64} autoComplete="username" />
          </label>
          <label>
            Password
            <input name="password" type="password" required autoComplete="new-password" />
          </label>
          <label>
            Password again
            <input name="again" type="password" required autoComplete="new-password" />
          </label>
        </NewForm>
      </div>
    </section>
  )
}

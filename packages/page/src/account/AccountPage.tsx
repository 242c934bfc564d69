// The account of the user: the password, the sessions, the tokens of programs, the shares.

import { Link } from '../common/Link.tsx'
import { ACCOUNT_PARTS, type AccountPart, type Place } from '../shell/address.ts'
import type { Session } from '../shell/session.ts'
import { Password } from './Password.tsx'
import { Sessions } from './Sessions.tsx'
import { Shares } from './Shares.tsx'
import { Tokens } from './Tokens.tsx'
import { ACCOUNT_TITLES } from './titles.ts'

export interface AccountPageProps {
  readonly session: Session
  readonly part: AccountPart
  readonly go: (place: Place) => void
}

const PARTS = { password: Password, sessions: Sessions, tokens: Tokens, shares: Shares }

export function AccountPage({ session, part, go }: AccountPageProps) {
  const { user } = session
  if (user === undefined)
    return (
      <div className="empty">
        <h2>Nobody is logged in</h2>
        <p>Log in to see your account.</p>
      </div>
    )
  const Part = PARTS[part]
  return (
    <div className="account-page">
      <nav aria-label="Account">
        {ACCOUNT_PARTS.map(other => (
          <Link key={other} to={{ kind: 'account', part: other }} go={go} isCurrent={other === part}>
            {ACCOUNT_TITLES[other]}
          </Link>
        ))}
      </nav>
      <section aria-labelledby="account-part">
        <h1 id="account-part">{ACCOUNT_TITLES[part]}</h1>
        <Part key={user.name} session={session} />
      </section>
    </div>
  )
}

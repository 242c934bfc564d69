// The page for administrators: users, their logins, the use of the store with its quotas, running requests, the log of
// changes, and the health of the service.

import { Link } from '../common/Link.tsx'
import { ADMIN_PARTS, type Place } from '../shell/address.ts'
import type { Session } from '../shell/session.ts'
import './admin.css'
import { Changes } from './Changes.tsx'
import { Health } from './Health.tsx'
import { Logins } from './Logins.tsx'
import { ADMIN_TITLES, type AdminPartProps } from './parts.ts'
import { Requests } from './Requests.tsx'
import { Use } from './Use.tsx'
import { Users } from './Users.tsx'

export interface AdminPageProps {
  readonly session: Session
  readonly place: Extract<Place, { readonly kind: 'admin' }>
  readonly go: (place: Place) => void
}

const PARTS: Readonly<Record<AdminPageProps['place']['part'], (props: AdminPartProps) => React.ReactNode>> = {
  users: Users,
  logins: Logins,
  use: Use,
  requests: Requests,
  changes: Changes,
  health: Health,
}

export function AdminPage({ session, place: { part, view = '' }, go }: AdminPageProps) {
  if (!session.isOpen && !session.user?.isAdmin)
    return (
      <div className="empty">
        <h2>This page is for administrators</h2>
        <p>{session.user ? `${session.user.name} is none.` : 'Log in as one of them to see it.'}</p>
      </div>
    )
  const Part = PARTS[part]
  return (
    <div className="account-page admin-page">
      <nav aria-label="Administration">
        {ADMIN_PARTS.map(other => (
          <Link key={other} to={{ kind: 'admin', part: other }} go={go} isCurrent={other === part}>
            {ADMIN_TITLES[other]}
          </Link>
        ))}
      </nav>
      <section aria-labelledby="admin-part">
        <h1 id="admin-part">{ADMIN_TITLES[part]}</h1>
        <Part key={`${part} ${view}`} session={session} query={new URLSearchParams(view)} go={go} />
      </section>
    </div>
  )
}

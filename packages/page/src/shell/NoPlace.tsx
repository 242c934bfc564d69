// The page for an address that shows nothing: the reason, and what the user can do.

import { Icon } from '../common/Icon.tsx'
import { Link } from '../common/Link.tsx'
import { nameOf, type Place } from './address.ts'
import { upFrom } from './Header.tsx'
import type { Session } from './session.ts'
import type { PlaceFacts } from './use-place-facts.ts'

export interface NoPlaceProps {
  readonly session: Session
  readonly place: Exclude<Place, { readonly kind: 'account' }>
  readonly kind: Exclude<PlaceFacts['kind'], 'folder' | 'domain'>
  readonly go: (place: Place) => void
  readonly logIn: () => void
}

export function NoPlace({ session: { user, hasAccounts }, place, kind, go, logIn }: NoPlaceProps) {
  const up = (
    <Link to={upFrom(place)} go={go}>
      Go to the folder above
    </Link>
  )
  if (kind === 'missing')
    return (
      <div className="empty">
        <Icon name="search" />
        <h2>There is nothing at {place.path}</h2>
        <p>It may have been renamed, moved or deleted.</p>
        <p>{up}</p>
      </div>
    )
  if (user === undefined)
    return (
      <div className="empty">
        <Icon name="lock" />
        <h2>{nameOf(place.path)} is not public</h2>
        {hasAccounts ? (
          <>
            <p>Log in to see it, if you may.</p>
            <button type="button" className="primary" onClick={logIn}>
              Log in to see it
            </button>
          </>
        ) : (
          <p>Nobody can log in to this service yet: it has no accounts.</p>
        )}
      </div>
    )
  return (
    <div className="empty">
      <Icon name="lock" />
      <h2>
        {user.name} may not see {nameOf(place.path)}
      </h2>
      <p>Ask its owner for access, or log in as another user.</p>
      <p>{up}</p>
    </div>
  )
}

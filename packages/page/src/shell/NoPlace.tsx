// The page for an address that shows nothing: the reason, and what the user can do.

import { Icon } from '../common/Icon.tsx'
import { Link } from '../common/Link.tsx'
import type { Place } from './address.ts'
import { type Problem, problemText, upFrom } from './model.ts'
import type { Session } from './session.ts'

export interface NoPlaceProps {
  readonly session: Session
  readonly place: Exclude<Place, { readonly kind: 'account' }>
  readonly kind: Problem['kind']
  readonly go: (place: Place) => void
  readonly logIn: () => void
}

export function NoPlace({ session, place, kind, go, logIn }: NoPlaceProps) {
  const { icon, title, sentence, help } = problemText(place.path, kind, session)
  return (
    <div className="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      <p>{sentence}</p>
      {help === 'login' ? (
        <button type="button" className="primary" onClick={logIn}>
          Log in to see it
        </button>
      ) : null}
      {help === 'up' ? (
        <p>
          <Link to={upFrom(place)} go={go}>
            Go to the folder above
          </Link>
        </p>
      ) : null}
    </div>
  )
}

// The page for an address that shows nothing: the reason, and what the user can do.

import { Icon } from '../common/Icon.tsx'
import { Link } from '../common/Link.tsx'
import { usePlaceLists } from '../kept/KeptLists.tsx'
import type { KeptPlaces } from '../kept/kept-places.ts'
import type { DataPlace, Place } from './address.ts'
import { type Problem, problemText, upFrom } from './model.ts'
import type { Session } from './session.ts'

export interface NoPlaceProps {
  readonly session: Session
  readonly place: DataPlace
  readonly kind: Problem['kind']
  readonly go: (place: Place) => void
  readonly logIn: () => void
}

export function NoPlace({ session, place, kind, go, logIn }: NoPlaceProps) {
  const kept = useIsKept(session.kept, place.path)
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
      {kept ? (
        <button type="button" onClick={() => kept.remove(place.path)}>
          Remove it from favourites and recent files
        </button>
      ) : null}
    </div>
  )
}

/** The lists that have the place; undefined: none has. */
function useIsKept(kept: KeptPlaces | undefined, path: string): KeptPlaces | undefined {
  const { recent, favourites } = usePlaceLists(kept)
  return [...recent, ...favourites].includes(path) ? kept : undefined
}

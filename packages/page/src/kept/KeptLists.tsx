// The lists of marked and of recent files on the first page, and the star that marks one.

import './kept.css'
import { useSyncExternalStore } from 'react'
import { Icon } from '../common/Icon.tsx'
import { Link } from '../common/Link.tsx'
import { nameOf, type Place, parentsOf } from '../shell/address.ts'
import type { KeptPlaces, PlaceLists } from './kept-places.ts'

const NOTHING: PlaceLists = { recent: [], favourites: [] }
const noLists = () => NOTHING
const noWatch = () => () => undefined

/** Without kept places, as in a share, both lists are empty. */
export function usePlaceLists(kept: KeptPlaces | undefined): PlaceLists {
  return useSyncExternalStore(kept?.subscribe ?? noWatch, kept?.lists ?? noLists)
}

export interface StarProps {
  readonly kept: KeptPlaces
  readonly path: string
  readonly isMarked: boolean
}

export function Star({ kept, path, isMarked }: StarProps) {
  return (
    <button
      type="button"
      className="quiet star"
      aria-label={`Favourite: ${nameOf(path)}`}
      aria-pressed={isMarked}
      title={isMarked ? 'Remove from favourites' : 'Add to favourites'}
      onClick={() => kept.toggleFavourite(path)}
    >
      <Icon name="star" />
    </button>
  )
}

/** The star of the domain that is shown. */
export function DomainStar({ kept, path }: Pick<StarProps, 'kept' | 'path'>) {
  return <Star kept={kept} path={path} isMarked={usePlaceLists(kept).favourites.includes(path)} />
}

export interface KeptListsProps {
  readonly kept: KeptPlaces
  readonly go: (place: Place) => void
}

/** Nothing while both are empty. */
export function KeptLists({ kept, go }: KeptListsProps) {
  const { recent, favourites } = usePlaceLists(kept)
  const lists = [
    { title: 'Favourites', paths: favourites },
    { title: 'Recent', paths: recent.filter(path => !favourites.includes(path)) },
  ].filter(({ paths }) => paths.length > 0)
  if (lists.length === 0) return null
  return (
    <div className="kept">
      {lists.map(({ title, paths }) => (
        <section key={title} aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {paths.map(path => (
              <li key={path}>
                <Icon name={path.endsWith('/') ? 'folder' : 'domain'} />
                <Link to={placeAt(path)} go={go}>
                  {nameOf(path)}
                </Link>
                <small className="muted">{wayTo(path)}</small>
                <button
                  type="button"
                  className="quiet"
                  aria-label={`Remove ${nameOf(path)} from the list`}
                  onClick={() => kept.remove(path)}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

function placeAt(path: string): Place {
  return path.endsWith('/') ? { kind: 'folder', path } : { kind: 'domain', path, object: '/' }
}

/** The folder of a path. */
function wayTo(path: string): string {
  return parentsOf(path).at(-2)?.path ?? '/'
}

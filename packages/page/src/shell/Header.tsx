// The head of the page: the name of the service, the way to the place that is shown, what may be done there, help, and
// the user.

import type { ReactNode } from 'react'
import { Age } from '../common/Age.tsx'
import { Icon } from '../common/Icon.tsx'
import { Link } from '../common/Link.tsx'
import { Menu } from '../common/Menu.tsx'
import { isOfData, type Place, parsePlace } from './address.ts'
import { Help } from './Help.tsx'
import { type HeadBadge, type HeadFacts, headBadges, partTitle, wayTo } from './model.ts'

export interface HeaderProps extends HeadFacts {
  readonly place: Place
  readonly go: (place: Place) => void
  /** Actions on the place. */
  readonly actions: ReactNode
  /** The menu of the user's account, or the button to log in. */
  readonly account: ReactNode
}

export function Header({ place, go, actions, account, ...facts }: HeaderProps) {
  const { share } = facts
  const home: Place = share ? parsePlace(`?${share.view}`) : { kind: 'folder', path: '/' }
  return (
    <header>
      <nav aria-label="Folders">
        <Link to={home} go={go} className="service">
          Hyperslab
        </Link>
        {!isOfData(place) ? (
          <strong className="crumb" aria-current="page">
            {partTitle(place)}
          </strong>
        ) : (
          wayTo(place.path, share).map(({ name, path }, i, all) =>
            i === all.length - 1 ? (
              <strong key={path} className="crumb" aria-current="page" title={name}>
                {name}
              </strong>
            ) : (
              <Link key={path} to={{ kind: 'folder', path }} go={go} className="crumb">
                {name}
              </Link>
            ),
          )
        )}
      </nav>
      <div className="buttons">
        {share ? (
          <span className="badge">
            Shared for reading until <Age time={Date.parse(share.end) / 1000} />
          </span>
        ) : null}
        {headBadges(facts).map(badge => (
          <Badge key={badge.text} {...badge} go={go} />
        ))}
        {actions}
        <Help />
        {account}
      </div>
    </header>
  )
}

function Badge({ text, note, page, way, go }: HeadBadge & Pick<HeaderProps, 'go'>) {
  const items = [
    ...(way ? [{ text: way.text, act: () => go(way.to) }] : []),
    { text: 'Read more', act: () => window.open(`docs/guide/${page}`, '_blank', 'noopener') },
  ]
  return (
    <Menu label={text} className="badge" note={note} items={items}>
      <Icon name="lock" />
      <span className="wide">{text}</span>
    </Menu>
  )
}

// The head of the page: the name of the service, the way to the place that is shown, what may be done there, help, and
// the user.

import type { ReactNode } from 'react'
import { Age } from '../common/Age.tsx'
import { Icon } from '../common/Icon.tsx'
import { Link } from '../common/Link.tsx'
import { Menu } from '../common/Menu.tsx'
import { folderPath, nameOf, type Place, parentsOf, parsePlace } from './address.ts'
import { Help } from './Help.tsx'
import { isShown, type Share } from './session.ts'

export interface HeaderProps {
  readonly place: Place
  readonly go: (place: Place) => void
  readonly isReadOnly: boolean
  /** The share that the page shows. */
  readonly share: Share | undefined
  readonly hasAccounts: boolean
  readonly isOpen: boolean
  /** Actions on the place. */
  readonly actions: ReactNode
  /** The menu of the user's account, or the button to log in. */
  readonly account: ReactNode
}

export function Header({ place, go, isReadOnly, share, hasAccounts, isOpen, actions, account }: HeaderProps) {
  const home: Place = share ? parsePlace(`?${share.view}`) : { kind: 'folder', path: '/' }
  return (
    <header>
      <nav aria-label="Folders">
        <Link to={home} go={go} className="service">
          Hyperslab
        </Link>
        {place.kind === 'account' ? (
          <strong className="crumb" aria-current="page">
            Account
          </strong>
        ) : (
          parentsOf(place.path)
            .filter(({ path }) => !share || isShown(share, path))
            .map(({ name, path }, i, all) =>
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
        {isReadOnly && !share ? (
          <Badge
            text="Read only"
            note="These files are served where they are: the page shows them, and cannot change them."
            page="mounting"
          />
        ) : null}
        {hasAccounts || share ? null : (
          <Badge
            text="No accounts"
            note={
              isOpen
                ? 'Everybody on this machine may change everything. The first account ends that: the command “hyperslab user add NAME --admin” makes one.'
                : 'Nobody can log in to this service yet, so the page shows data, and cannot change them. The command “hyperslab user add NAME --admin” makes an account.'
            }
            page="access"
          />
        )}
        {actions}
        <Help />
        {account}
      </div>
    </header>
  )
}

/** The folder above, for the place where the way does not fit. */
export function upFrom(place: Place): Place {
  if (place.kind === 'account') return { kind: 'folder', path: '/' }
  const parents = parentsOf(place.path)
  return { kind: 'folder', path: folderPath(parents.at(-2)?.path ?? '/') }
}

/** The names of the place, for the title of the tab. */
export function titleOf(place: Place): string {
  if (place.kind === 'account') return 'Account – Hyperslab'
  const object = place.kind === 'domain' && place.object !== '/' ? [nameOf(place.object)] : []
  const names = place.path === '/' ? [] : [...object, nameOf(place.path)]
  return [...names, 'Hyperslab'].join(' – ')
}

interface BadgeProps {
  readonly text: string
  readonly note: string
  /** The page of the guide that has more. */
  readonly page: string
}

function Badge({ text, note, page }: BadgeProps) {
  const items = [{ text: 'Read more', act: () => window.open(`docs/guide/${page}`, '_blank', 'noopener') }]
  return (
    <Menu label={text} className="badge" note={note} items={items}>
      <Icon name="lock" />
      <span className="wide">{text}</span>
    </Menu>
  )
}

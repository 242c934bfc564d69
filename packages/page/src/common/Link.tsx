// A link to another place of the page: it opens there, or in a new tab as the user wishes.

import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { formatPlace, type Place } from '../shell/address.ts'
import { preloadViewer } from '../viewer/parts.ts'

export interface LinkProps {
  readonly to: Place
  readonly go: (place: Place) => void
  readonly className?: string
  readonly isCurrent?: boolean
  /** Called for the key Space. */
  readonly onSpace?: (() => void) | undefined
  readonly children: ReactNode
}

export function Link({ to, go, className, isCurrent = false, onSpace, children }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== ' ' || onSpace === undefined) return
    event.preventDefault()
    onSpace()
  }
  // A reader who points at a domain will probably open it.
  const prepare = to.kind === 'domain' ? preloadViewer : undefined
  return (
    <a
      href={formatPlace(to)}
      className={className}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={follow}
      onKeyDown={press}
      onPointerMove={prepare}
      onFocus={prepare}
    >
      {children}
    </a>
  )
}

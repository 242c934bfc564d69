// A link to another place of the page: it opens there, or in a new tab as the user wishes.

import type { MouseEvent, ReactNode } from 'react'
import { formatPlace, type Place } from './address.ts'

export interface LinkProps {
  readonly to: Place
  readonly go: (place: Place) => void
  readonly children: ReactNode
}

export function Link({ to, go, children }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  return (
    <a href={formatPlace(to)} onClick={follow}>
      {children}
    </a>
  )
}

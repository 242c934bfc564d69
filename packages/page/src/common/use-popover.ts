// An element of the top layer, such as a menu: open from its first moment, beside what it concerns.

import { type RefObject, useId, useLayoutEffect, useRef, useState } from 'react'
import { keepNear } from './near.ts'

/** Opens the element near the anchor, with the focus on the first of `focused`; `close` is called when it closes. */
export function usePopover(anchor: Element, focused: string, close: () => void): RefObject<HTMLDivElement> {
  const popover = useRef<HTMLDivElement>(null)
  const end = useRef(close)
  end.current = close
  useLayoutEffect(() => {
    const element = popover.current
    if (element === null) return
    element.popover = 'auto'
    element.showPopover()
    const leave = keepNear(element, anchor)
    element.querySelector<HTMLElement>(focused)?.focus()
    // The browser closes it, too.
    const follow = ({ newState }: Event & { readonly newState?: string }) => {
      if (newState === 'closed') end.current()
    }
    element.addEventListener('toggle', follow)
    return () => {
      leave()
      element.removeEventListener('toggle', follow)
    }
  }, [anchor, focused])
  return popover
}

/** A button that opens an element beside it: what both need. */
export function useOpener(kind: 'menu' | 'dialog') {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  return {
    opener: {
      ref: button,
      type: 'button' as const,
      'aria-haspopup': kind,
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? id : undefined,
      onClick: () => setOpen(true),
    },
    /** Undefined: it is closed. */
    opened:
      isOpen && button.current ? { id, anchor: button.current, close: () => setOpen(false) } : undefined,
  }
}

export type Opened = NonNullable<ReturnType<typeof useOpener>['opened']>

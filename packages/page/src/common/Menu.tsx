// A button that opens a menu. The arrow keys move in it; the Escape key, a choice and a click elsewhere close it.

import type { KeyboardEvent, ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'
import { itemForKey } from './menu-keys.ts'
import { type Opened, useOpener, usePopover } from './use-popover.ts'

const ITEMS = '[role^=menuitem]'

export interface MenuItem {
  readonly text: string
  readonly icon?: IconName
  readonly isDangerous?: boolean
  /** Present: it is one of several choices, of which one holds. */
  readonly isChosen?: boolean
  /** Called with the button of the menu: a dialog opens beside it. */
  readonly act: (button: HTMLElement) => void
}

export interface MenuProps {
  /** The name of the button, where its contents do not say it. */
  readonly label?: string
  readonly className?: string
  /** A sentence above the items. */
  readonly note?: string | undefined
  readonly items: readonly MenuItem[]
  /** The contents of the button. */
  readonly children: ReactNode
}

export function Menu({ label, className, note, items, children }: MenuProps) {
  const { opener, opened } = useOpener('menu')
  return (
    <>
      <button {...opener} className={className} aria-label={label}>
        {children}
      </button>
      {opened ? <OpenMenu {...opened} {...{ label, note, items }} /> : null}
    </>
  )
}

interface OpenMenuProps extends Opened, Pick<MenuProps, 'note' | 'items'> {
  readonly label: string | undefined
}

function OpenMenu({ id, anchor: button, label, note, items, close }: OpenMenuProps) {
  const menu = usePopover(button, ITEMS, close)
  const leave = () => {
    menu.current?.hidePopover()
    button.focus()
  }
  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Tab') leave()
    const all = itemsIn(event.currentTarget)
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = itemForKey(event.key, at, all.length)
    if (next === undefined) return
    event.preventDefault()
    all[next]?.focus()
  }
  return (
    <div ref={menu} id={id} className="menu" role="menu" aria-label={label} tabIndex={-1} onKeyDown={move}>
      {note === undefined ? null : <p>{note}</p>}
      {items.map(({ text, icon, isDangerous, isChosen, act }) => (
        <button
          key={text}
          type="button"
          {...(isChosen === undefined
            ? { role: 'menuitem' }
            : { role: 'menuitemradio', 'aria-checked': isChosen })}
          tabIndex={-1}
          className={isDangerous ? 'dangerous' : undefined}
          onClick={() => {
            leave()
            act(button)
          }}
        >
          {isChosen === undefined ? null : (
            <span className="mark">{isChosen ? <Icon name="check" /> : null}</span>
          )}
          {icon === undefined ? null : <Icon name={icon} />}
          {text}
        </button>
      ))}
    </div>
  )
}

function itemsIn(menu: Element): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>(ITEMS)]
}

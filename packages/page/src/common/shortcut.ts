// Keys that are shortcuts of the page.

import { useEffect, useRef } from 'react'

const TAKE_LETTERS =
  'input:not([type=checkbox], [type=radio], [type=range]), select, textarea, dialog, [role=menu], [contenteditable]'

/** Whether a key, alone or with Control (Command), is meant for the page: no field, dialog or menu takes it. */
export function isShortcut(event: KeyboardEvent, withControl = false): boolean {
  const { target, ctrlKey, metaKey, altKey, defaultPrevented } = event
  if ((ctrlKey || metaKey) !== withControl || altKey || defaultPrevented) return false
  return target instanceof Element && target.closest(TAKE_LETTERS) === null
}

/** Calls the function of the latest drawing when the key is pressed. */
export function useShortcut(key: string, press: () => void, { withControl = false } = {}): void {
  const latest = useRef(press)
  latest.current = press
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === key && isShortcut(event, withControl)) latest.current()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [key, withControl])
}

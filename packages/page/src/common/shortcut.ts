// Keys that are shortcuts of the page.

import { useEffect, useRef } from 'react'

/** Whether a key is meant for the page: no field, dialog or menu takes it. */
export function isShortcut(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey, defaultPrevented } = event
  if (ctrlKey || metaKey || altKey || defaultPrevented || !(target instanceof Element)) return false
  return (
    target.closest('input:not([type=checkbox]), select, textarea, dialog, [role=menu], [contenteditable]') ===
    null
  )
}

/** Calls the function of the latest drawing when the key is pressed. */
export function useShortcut(key: string, press: () => void): void {
  const latest = useRef(press)
  latest.current = press
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === key && isShortcut(event)) latest.current()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [key])
}

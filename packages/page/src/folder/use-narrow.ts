// Whether the window is narrow, as that of a phone: the width of `page.css`.

import { useSyncExternalStore } from 'react'

const NARROW = window.matchMedia('(max-width: 44rem)')

export function useNarrow(): boolean {
  return useSyncExternalStore(
    listener => {
      NARROW.addEventListener('change', listener)
      return () => NARROW.removeEventListener('change', listener)
    },
    () => NARROW.matches,
  )
}

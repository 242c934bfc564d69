// This window in the browser: whether it is seen, and what it and the other windows say to each other. It needs no
// secure context. Windows that hear each other are those that share connections: both are kept apart by site.

import { later, pause } from '../common/clock.ts'
import type { FollowingWindow } from './follow.ts'
import { WindowPlace } from './place.ts'

/** Services at one origin share its connections. */
const CHANNEL = 'hyperslab-feed'

export interface Watch {
  readonly window: FollowingWindow
  readonly close: () => void
}

export function watchWindow(): Watch {
  const abort = new AbortController()
  const channel = openChannel()
  const place = new WindowPlace({
    post: message => channel?.postMessage(message),
    later,
    now: Date.now,
    random: Math.random,
  })
  const look = () => (document.hidden ? place.hide() : place.show())
  const leave = () => place.leave()
  if (channel) channel.onmessage = ({ data }) => place.hear(data)
  document.addEventListener('visibilitychange', look)
  window.addEventListener('pagehide', leave)
  // A page that the button Back shows again.
  window.addEventListener('pageshow', look)
  look()
  return {
    window: { ways: place, pause, signal: abort.signal },
    close() {
      abort.abort()
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', look)
      leave()
      channel?.close()
    },
  }
}

/** Undefined: the browser has none, or the page is in a frame that may store nothing. Then each window has a stream. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(CHANNEL)
  } catch {
    return undefined
  }
}

// The feed of a domain or folder as a window follows it, in the way that it may at each moment (`place.ts`). Whichever
// way it took before, it goes on behind the last change that it was told, so nothing is told twice and nothing is lost.

import { type Api, type FeedItem, type Hyperslab, RequestError } from '@hyperslab/client'
import type { Pause } from '../common/clock.ts'
import { mayPass } from '../common/retry.ts'
import type { Ways } from './place.ts'

/** `lost`: the page tries to connect again. */
export type Following = 'connecting' | 'live' | 'lost'

/** The window that follows, until the signal. */
export interface FollowingWindow {
  readonly ways: Ways
  readonly pause: Pause
  readonly signal: AbortSignal
}

export interface FollowOptions extends FollowingWindow {
  /** `live` is told only when the service has answered. */
  readonly onFollowing: (following: Following) => void
}

type Feed = Pick<Hyperslab, 'events' | 'request'>

/** Between two requests of a window without a stream, and after one that has failed. */
const PAUSE_MS = 2000
/** An answer with so many changes may be followed by others that have happened already. */
const FULL_ANSWER = 100

/** Items until the signal aborts, or the service rejects the request: then it throws. */
export async function* follow(
  feed: Feed,
  path: string,
  { ways, pause, signal, onFollowing }: FollowOptions,
): AsyncGenerator<FeedItem> {
  let since: string | undefined
  /** What the page shows may have changed before the feed begins. */
  let isLate = false
  const onConnection = (isConnected: boolean) => onFollowing(isConnected ? 'live' : 'lost')
  const onPosition = (position: string) => {
    since = position
  }
  while (!signal.aborted) {
    const { way } = ways
    const turn = beginTurn(ways, signal)
    const options = { signal: turn.signal, since, onConnection, onPosition }
    try {
      if (way === 'rest') await turn.isOver
      else {
        const items = way === 'stream' ? feed.events(path, options) : poll(feed, path, { ...options, pause })
        for await (const item of items) {
          yield isLate && item.type === 'start' ? { ...item, type: 'gone' } : item
          isLate = true
        }
      }
    } catch (error) {
      if (turn.signal.aborted) continue
      if (since !== undefined && error instanceof RequestError && error.code === 'event-unknown')
        since = undefined
      else if (mayPass(error)) {
        onFollowing('lost')
        await pause(PAUSE_MS, turn.signal).catch(() => undefined)
      } else throw error
    } finally {
      isLate = true
      turn.end()
      if (turn.hasOtherWay()) onFollowing('connecting')
    }
  }
}

/** The time in which a window follows in one way. Its signal aborts when the way is another one, or with the other. */
function beginTurn(ways: Ways, signal: AbortSignal) {
  const { way } = ways
  const turn = new AbortController()
  const abort = () => turn.abort(signal.reason)
  const isOver = new Promise<void>(resolve =>
    turn.signal.addEventListener('abort', () => resolve(), { once: true }),
  )
  const leave = ways.onChange(abort)
  signal.addEventListener('abort', abort)
  return {
    signal: turn.signal,
    isOver,
    hasOtherWay: () => !signal.aborted && ways.way !== way,
    end() {
      leave()
      signal.removeEventListener('abort', abort)
      turn.abort()
    },
  }
}

interface PollOptions {
  readonly signal: AbortSignal
  readonly since: string | undefined
  readonly pause: Pause
  readonly onConnection: (isConnected: boolean) => void
  readonly onPosition: (since: string) => void
}

/** The items as `Hyperslab.events` gives them, each a moment later, with no request that waits. */
async function* poll(
  feed: Feed,
  domain: string,
  { signal, pause, onConnection, onPosition, ...begin }: PollOptions,
): AsyncGenerator<FeedItem> {
  for (let since = begin.since; ; ) {
    const answer: Api.Events = await feed.request('GET /events', { domain, since, wait: 0 }, { signal })
    const { events, next, gone, state } = answer
    onConnection(true)
    if (since === undefined || gone)
      yield {
        type: since === undefined ? 'start' : 'gone',
        since: next,
        ...(state !== undefined && { state }),
      }
    for (const event of events) yield { type: 'event', since: next, ...event }
    since = next
    onPosition(next)
    const changes = events.reduce((sum, event) => sum + event.changes.length, 0)
    if (changes < FULL_ANSWER) await pause(PAUSE_MS, signal)
  }
}

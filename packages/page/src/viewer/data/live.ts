// Changes of the domain that is open, from the feed: what has changed is read again, without a reload of the page.

import type { FeedItem, Hyperslab } from '@hyperslab/client'
import { useEffect, useRef, useState } from 'react'
import { type Following, follow } from '../../feed/follow.ts'
import { watchWindow } from '../../feed/window-place.ts'
import type { Contents } from './contents.ts'

/** Changes that come faster are shown together. */
const PAUSE_MS = 500

export interface Live {
  /** Whether changes are heard of. */
  readonly isLive: boolean
  /** Another number after each change that was heard of. */
  readonly version: number
}

export function useLive(client: Hyperslab, contents: Contents, attempt: number): Live {
  const [isLive, setLive] = useState(false)
  const [version, setVersion] = useState(0)
  const waiting = useRef<{ ids: Set<string> | undefined }>()
  useEffect(() => {
    const { window, close } = watchWindow()
    let timer: ReturnType<typeof setTimeout> | undefined
    const apply = () => {
      timer = undefined
      const changes = waiting.current
      waiting.current = undefined
      if (changes === undefined) return
      contents.forget(changes.ids)
      setVersion(before => before + 1)
    }
    const note = (ids: Set<string> | undefined) => {
      const before = waiting.current
      waiting.current = { ids: before ? union(before.ids, ids) : ids }
      timer ??= setTimeout(apply, PAUSE_MS)
    }
    let hasFailed = attempt > 0
    const onFollowing = (following: Following) => {
      setLive(following === 'live')
      // While it was lost, changes may have been missed, and requests may have failed.
      if (following === 'live' && hasFailed) note(undefined)
      if (following !== 'connecting') hasFailed = following === 'lost'
    }
    const listen = async () => {
      for await (const item of follow(client, contents.domain.path, { ...window, onFollowing })) {
        const ids = changedIds(item)
        if (ids?.size !== 0) note(ids)
      }
    }
    listen().catch(() => {
      // A service or a right that does not give the feed: the page shows what it has read.
      if (!window.signal.aborted) setLive(false)
    })
    return () => {
      close()
      clearTimeout(timer)
      waiting.current = undefined
      setLive(false)
    }
  }, [client, contents, attempt])
  return { isLive, version }
}

/** The ids of objects that have changed; undefined: any may have. */
function changedIds(item: FeedItem): Set<string> | undefined {
  if (item.type === 'start') return new Set()
  if (item.type !== 'event' || item.more) return undefined
  const ids = new Set<string>()
  for (const { id, kind } of item.changes) {
    if (id !== undefined) ids.add(id)
    // A mounted file says no more; a domain may have been replaced.
    else if (kind !== 'acl') return undefined
  }
  return ids
}

function union(one: Set<string> | undefined, other: Set<string> | undefined): Set<string> | undefined {
  return one && other && new Set([...one, ...other])
}

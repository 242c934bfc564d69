// The object at a path in a list, requested together with those of the other rows that are drawn.

import { useEffect, useState } from 'react'
import { messageOf } from '../common/errors.ts'
import type { Entity } from './data/contents.ts'
import { useViewer } from './viewer-context.ts'

/** The object, or the reason why there is none; neither: it is not known yet. */
export interface Found {
  readonly entity: Entity | undefined
  readonly error: string | undefined
}

const UNKNOWN: Found = { entity: undefined, error: undefined }

/** Without a path, nothing is requested. */
export function useEntity(path: string | undefined): Found {
  const { contents, version } = useViewer()
  const [found, setFound] = useState<Found>(UNKNOWN)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version may have another object there
  useEffect(() => {
    if (path === undefined) return
    let isCurrent = true
    const set = (found: Found) => {
      if (isCurrent) setFound(found)
    }
    contents.at(path).then(
      entity => set({ entity, error: undefined }),
      (error: unknown) => set({ entity: undefined, error: messageOf(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [contents, path, version])
  return found
}

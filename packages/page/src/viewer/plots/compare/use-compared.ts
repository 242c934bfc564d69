// The curves that are compared with those of a plot, for a component.

import { useState } from 'react'
import { Contents } from '../../data/contents.ts'
import type { Reference } from '../../view-address.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import { type Compared, findCompared, NOTHING_COMPARED } from './compared.ts'

/** Other files are not followed: they are read anew with the page. */
export function useCompared(references: readonly Reference[]): Compared {
  const { contents, version } = useViewer()
  const [others] = useState(() => new Map<string, Contents>())
  const contentsOf = (file: string | undefined) => {
    if (file === undefined || file === contents.domain.path) return contents
    const known = others.get(file) ?? new Contents(contents.client, file)
    others.set(file, known)
    return known
  }
  const text = JSON.stringify(references)
  const { value } = useLoaded(
    signal => findCompared(references, contentsOf, signal),
    [contents, text, version],
  )
  return references.length === 0 ? NOTHING_COMPARED : (value ?? NOTHING_COMPARED)
}

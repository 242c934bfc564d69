// What is compared with a plot, for a component: curves, or an image.

import { useState } from 'react'
import { messageOf } from '../../../common/errors.ts'
import { Contents } from '../../data/contents.ts'
import type { Reference } from '../../view-address.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import {
  type Compared,
  type FoundImage,
  findCompared,
  findImage,
  NOTHING_COMPARED,
  nameOfReference,
} from './compared.ts'

/** The contents of files by their paths. Other files are not followed: they are read anew with the page. */
export function useContentsOf() {
  const { contents } = useViewer()
  const [others] = useState(() => new Map<string, Contents>())
  return (file: string | undefined) => {
    if (file === undefined || file === contents.domain.path) return contents
    const known = others.get(file) ?? new Contents(contents.client, file)
    others.set(file, known)
    return known
  }
}

export function useCompared(references: readonly Reference[]): Compared {
  const { contents, version } = useViewer()
  const contentsOf = useContentsOf()
  const text = JSON.stringify(references)
  const { value } = useLoaded(
    signal => findCompared(references, contentsOf, signal),
    [contents, text, version],
  )
  return references.length === 0 ? NOTHING_COMPARED : (value ?? NOTHING_COMPARED)
}

/** `problem` says why there is no image. */
export function useFoundImage(reference: Reference | undefined): {
  readonly found: FoundImage | undefined
  readonly problem: string | undefined
} {
  const { contents, version } = useViewer()
  const contentsOf = useContentsOf()
  const { value, error } = useLoaded(
    async signal => reference && findImage(reference, contentsOf(reference[1]), signal),
    [JSON.stringify(reference ?? null), contents, version],
  )
  const problem =
    reference === undefined || error === undefined
      ? undefined
      : `${nameOfReference(reference)} is not drawn: ${messageOf(error)}`
  return { found: reference && value, problem }
}

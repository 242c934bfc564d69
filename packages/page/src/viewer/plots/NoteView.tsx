// A note of NeXus (NXnote): the text that its dataset `data` has.

import { productOf } from '@hyperslab/client/elements'
import { useEffect } from 'react'
import { messageOf } from '../../common/errors.ts'
import { childPath } from '../data/contents.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views/view.ts'
import { noteText } from './models/text.ts'

/** Strings or bytes of a note that are shown. */
const LONGEST_NOTE = 2 ** 20

export function NoteView({ entity, onShow }: ViewProps) {
  const { contents, version } = useViewer()
  const path = childPath(entity.path, 'data')
  useEffect(() => onShow(path, undefined), [onShow, path])
  const { value, error } = useLoaded(
    async signal => {
      const { dataset } = await contents.at(path)
      if (dataset?.shape === undefined) return 'The note has no text.'
      if (productOf(dataset.shape) > LONGEST_NOTE) return `The note is long. It is at ${path}.`
      return noteText((await contents.domain.read(dataset, { signal })).data)
    },
    [path, version],
  )
  if (error !== undefined)
    return (
      <p role="alert" className="error">
        {messageOf(error)}
      </p>
    )
  if (value === undefined) return <p className="note">Loading …</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be in reach of the keyboard
    <pre className="text-value" tabIndex={0}>
      {value}
    </pre>
  )
}

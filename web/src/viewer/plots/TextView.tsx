// The only element of a dataset, or all of a short one, as text that wraps.

import { useEffect } from 'react'
import { messageOf } from '../../errors.ts'
import { elementText } from '../element-text.ts'
import { readShown } from '../meaning/letters.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views.ts'

export function TextView({ entity: { path, ...entity }, plot, onShow }: ViewProps) {
  const dataset = plot?.signal.dataset ?? entity.dataset
  const { contents } = useViewer()
  useEffect(() => onShow(path, undefined), [onShow, path])
  const { value, error } = useLoaded(
    async signal => (dataset?.shape ? readShown(contents.domain, dataset, { signal }) : undefined),
    [dataset?.id, contents.changesOf(dataset?.id ?? '')],
  )
  if (dataset === undefined) return null
  if (dataset.shape === undefined)
    return <p className="note">The dataset has a null dataspace: it has no elements.</p>
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
      {elementText(dataset.type, value[0])}
    </pre>
  )
}

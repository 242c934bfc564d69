// The only element of a dataset as text that wraps; of a compound a line for each value in it.

import { type Field, isComplex } from '@hyperslab/client/elements'
import { useEffect } from 'react'
import { messageOf } from '../../common/errors.ts'
import { elementText } from '../code/element-text.ts'
import { EditPart } from '../edit/EditPart.tsx'
import { readShown } from '../meaning/letters.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views/view.ts'
import { memberTexts } from './models/text.ts'

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
  if (dataset.type.class === 'H5T_COMPOUND' && !isComplex(dataset.type))
    return <Members path={path} dataset={dataset.id} fields={dataset.type.fields} values={value[0]} />
  const text = elementText(dataset.type, value[0])
  const target = dataset.letters === undefined ? { dataset: dataset.id, select: undefined } : undefined
  return (
    <>
      <EditPart>{({ EditValue }) => <EditValue target={target} name={path} type={dataset.type} />}</EditPart>
      {text === '' ? (
        <p className="note">The text is empty.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be in reach of the keyboard
        <pre className="text-value" tabIndex={0}>
          {text}
        </pre>
      )}
    </>
  )
}

interface MembersProps {
  readonly path: string
  readonly dataset: string
  readonly fields: readonly Field[]
  /** A list of the members. */
  readonly values: unknown
}

function Members({ path, dataset, fields, values }: MembersProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be in reach of the keyboard
    <section className="member-values" aria-label={`Members of ${path}`} tabIndex={0}>
      <table>
        <tbody>
          {memberTexts(fields, values).map(({ column, text }) => (
            <tr key={column.name}>
              <th scope="row">{column.name}</th>
              <td>
                {text}{' '}
                <EditPart>
                  {({ EditValue, memberTarget }) => (
                    <EditValue
                      target={memberTarget(dataset, undefined, column)}
                      name={`${column.name} of ${path}`}
                      type={column.type}
                    />
                  )}
                </EditPart>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

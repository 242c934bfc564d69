// The tool that adds curves of other datasets to a drawing of lines, and removes them.

import { Icon } from '../../../common/Icon.tsx'
import { Popup } from '../../../common/Popup.tsx'
import type { Reference, View } from '../../view-address.ts'
import { nameOfReference } from './compared.ts'
import { ReferenceForm } from './ReferenceForm.tsx'

interface AddCurveProps {
  readonly references: readonly Reference[]
  readonly change: (choices: Partial<View>) => void
}

export function AddCurve({ references, change }: AddCurveProps) {
  const put = (next: readonly Reference[]) => change({ compared: next.length > 0 ? next : undefined })
  const face = (
    <>
      <Icon name="plus" />
      <span className="wider">Add curve</span>
    </>
  )
  return (
    <Popup label="Add curve" title="Add a curve of another dataset" face={face}>
      <div className="add-curve">
        <ReferenceForm add={reference => put([...references, reference])} />
        {references.map(reference => {
          const name = nameOfReference(reference)
          return (
            <p key={name}>
              {name}{' '}
              <button
                type="button"
                className="quiet"
                aria-label={`Remove ${name}`}
                title="Remove"
                onClick={() => put(references.filter(one => one !== reference))}
              >
                <Icon name="close" />
              </button>
            </p>
          )
        })}
      </div>
    </Popup>
  )
}

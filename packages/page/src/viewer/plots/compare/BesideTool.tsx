// The tool that compares an image with another one: which one, and how both are drawn.

import { Icon } from '../../../common/Icon.tsx'
import { Popup } from '../../../common/Popup.tsx'
import { Choice } from '../../Choice.tsx'
import { CHOICES, type View } from '../../view-address.ts'
import { nameOfReference } from './compared.ts'
import { ReferenceForm } from './ReferenceForm.tsx'

type Pair = NonNullable<View['pair']>

interface BesideToolProps {
  readonly view: View
  readonly change: (choices: Partial<View>) => void
  /** Shows the other one of two images; undefined: both are seen. */
  readonly blink: (() => void) | undefined
}

/** Object.entries has no better type for the keys. */
const PAIRS = Object.entries(CHOICES.pair) as readonly (readonly [Pair, string])[]

export function BesideTool({ view, change, blink }: BesideToolProps) {
  const { beside: reference, pair = 'beside' } = view
  const face = (
    <>
      <Icon name="plus" />
      <span className="wider">Beside</span>
    </>
  )
  const end = { beside: undefined, pair: undefined, range: undefined }
  return (
    <>
      <Popup label="Beside" title="Compare with another image" face={face}>
        <div className="add-curve">
          <ReferenceForm add={next => change({ ...end, beside: next })} />
          {reference ? (
            <p>
              {nameOfReference(reference)}
              <button
                type="button"
                className="quiet"
                aria-label={`Remove ${nameOfReference(reference)}`}
                title="Remove"
                onClick={() => change(end)}
              >
                <Icon name="close" />
              </button>
            </p>
          ) : null}
        </div>
      </Popup>
      {reference ? (
        <Choice
          label="Two images"
          isClear
          value={pair}
          options={PAIRS}
          // Differences have another range.
          choose={next => change({ pair: next === 'beside' ? undefined : next, range: undefined })}
        />
      ) : null}
      {blink ? (
        <button type="button" title="The other image (B)" onClick={blink}>
          Blink
        </button>
      ) : null}
    </>
  )
}

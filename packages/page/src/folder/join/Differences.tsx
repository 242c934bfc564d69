// The part of the form that says what is done where files differ. It is closed until a conflict needs it, or the user
// opens it.

import { useState } from 'react'
import type { JoinFields } from './model.ts'

interface DifferencesProps {
  readonly fields: JoinFields
  /** Files cannot be joined without a choice in it. */
  readonly isNeeded: boolean
  readonly change: (parts: Partial<JoinFields>) => void
}

export function Differences({ fields, isNeeded, change }: DifferencesProps) {
  const { isNew, keep, unpack, fillsMissing } = fields
  const [opened, setOpened] = useState<boolean>()
  const isOpen = opened ?? (isNeeded || keep !== '' || unpack || fillsMissing)
  const check = (name: 'unpack' | 'fillsMissing') => ({
    type: 'checkbox',
    checked: fields[name],
    onChange: ({ target }: { readonly target: HTMLInputElement }) => change({ [name]: target.checked }),
  })
  return (
    <details className="differences" open={isOpen}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
      <summary
        onClick={event => {
          event.preventDefault()
          setOpened(!isOpen)
        }}
      >
        Where files differ
      </summary>
      {isNew ? null : (
        <label>
          Coordinates that overlap
          <select
            value={keep}
            onChange={({ target }) => change({ keep: target.value as JoinFields['keep'] })} // its options
          >
            <option value="">are refused</option>
            <option value="last">keep the later file</option>
            <option value="first">keep the earlier file</option>
          </select>
        </label>
      )}
      <label>
        <input {...check('unpack')} />
        Unpack numbers that files pack in different ways
      </label>
      <label>
        <input {...check('fillsMissing')} />
        Show fill values in the place of files that go or are damaged
      </label>
    </details>
  )
}

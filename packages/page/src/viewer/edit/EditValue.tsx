// The button that changes the only element of a dataset, or one value in it, while editing is on.

import type { Datatype } from '@hyperslab/client'
import { Icon } from '../../common/Icon.tsx'
import { useEditingOf } from './editing.ts'
import { isEditable } from './elements.ts'
import type { ValueTarget } from './places.ts'

interface EditValueProps {
  /** Undefined: it cannot be changed as text. */
  readonly target: ValueTarget | undefined
  /** The value, for people. */
  readonly name: string
  readonly type: Datatype
}

export function EditValue({ target, name, type }: EditValueProps) {
  const editing = useEditingOf(target?.dataset, 'update')
  if (editing === undefined || target === undefined || !isEditable(type)) return null
  return (
    <button
      type="button"
      className="edit-value"
      aria-label={`Change ${name}`}
      onClick={({ currentTarget }) => editing.open({ kind: 'value', target, name, type }, currentTarget)}
    >
      <Icon name="rename" /> Change
    </button>
  )
}

// The switch of editing in the head of an object, for users that may change something.

import { Icon } from '../../common/Icon.tsx'
import { useViewer } from '../viewer-context.ts'
import { useEditing } from './editing.ts'

/** Its place is kept until the rights are known: nothing moves then. Without a login it has none. */
export function EditSwitch() {
  const editing = useEditing()
  const { user, isOpen, share } = useViewer().session
  if ((user === undefined && !isOpen) || share !== undefined) return null
  const isOn = editing?.isOn === true
  return (
    <button
      type="button"
      className={editing ? 'edit-switch' : 'edit-switch not-yet'}
      aria-label="Edit"
      title="Change the data"
      aria-pressed={isOn}
      onClick={() => editing?.turn(!isOn)}
    >
      <Icon name="rename" /> <span className="wide">Edit</span>
    </button>
  )
}

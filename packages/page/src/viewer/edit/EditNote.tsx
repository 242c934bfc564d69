// What was changed last, with the way to undo it; or why it could not be changed.

import { useSyncExternalStore } from 'react'
import { ConfirmButton } from '../../account/ConfirmButton.tsx'
import { Icon } from '../../common/Icon.tsx'
import { type Editing, useEditing } from './editing.ts'
import type { Edits } from './edits.ts'

export function EditNote() {
  const editing = useEditing()
  return editing?.edits ? <NoteOf {...editing} edits={editing.edits} /> : null
}

function NoteOf({ edits, isOn, rights }: Pick<Editing, 'isOn' | 'rights'> & { readonly edits: Edits }) {
  const note = useSyncExternalStore(edits.watch, edits.getNote)
  // Screen readers read what comes into it.
  return (
    <div className="edit-note" role="status">
      {note === undefined ? (
        // Its place is there from the beginning: a note moves no cells.
        isOn ? (
          <span className="target">Editing is on: choose a value or a menu to change it.</span>
        ) : null
      ) : (
        <>
          <span className={note.isError ? 'error' : undefined}>{note.text}</span>
          {note.edit === undefined || !rights[note.edit.undoRight] ? null : (
            <button type="button" onClick={() => void edits.undo()}>
              Undo
            </button>
          )}
          {note.edit?.free === undefined ? null : (
            <ConfirmButton
              text="Free its space"
              label="Free its space"
              consequence="Its values go now. There is no way to get them back."
              act={() => edits.free()}
            />
          )}
          <button type="button" className="quiet" aria-label="Close the note" onClick={() => edits.close()}>
            <Icon name="close" />
          </button>
        </>
      )}
    </div>
  )
}

// The form with one name: that of a new group, or a new one of an object.

import { Alert } from '../../common/Alert.tsx'
import { DialogButtons } from '../../common/Dialog.tsx'
import { useAction } from '../../common/use-action.ts'
import type { Edit, Edits } from './edits.ts'

interface NameFormProps {
  readonly name: string
  /** The text of its button. */
  readonly submit: string
  readonly edits: Edits
  readonly act: (name: string) => Promise<Edit>
  readonly close: () => void
}

export function NameForm({ name, submit, edits, act, close }: NameFormProps) {
  const [{ isRunning, error }, run] = useAction()
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        const given = String(new FormData(event.currentTarget).get('name'))
        if (given === name) return close()
        void run(async () => {
          edits.done(await act(given))
          close()
        })
      }}
    >
      <label>
        Name{' '}
        <input
          name="name"
          defaultValue={name}
          required
          autoComplete="off"
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </label>
      <Alert message={error} />
      <DialogButtons cancel={close} submit={submit} isRunning={isRunning} />
    </form>
  )
}

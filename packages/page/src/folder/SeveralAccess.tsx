// Access to several entries at once: one user or group gets the same permissions on all of them.

import { useId, useState } from 'react'
import { NameList, useKnownNames } from '../account/AccessTable.tsx'
import { Alert } from '../common/Alert.tsx'
import { DialogButtons } from '../common/Dialog.tsx'
import { useAction } from '../common/use-action.ts'
import { ACCESS_CHOICES, type AccessChoice, giveAccess, type ItemDialogProps } from './item-action.ts'

export function SeveralAccess({ session, items, close }: ItemDialogProps) {
  const { client } = session
  const [{ isRunning, error }, run] = useAction()
  const [choice, setChoice] = useState<AccessChoice>('Read')
  const names = useKnownNames(session)
  const list = useId()
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        const user = String(new FormData(event.currentTarget).get('user')).trim()
        void run(async () => {
          await giveAccess(client, items, user, choice)
          close()
        })
      }}
    >
      <label>
        User, group as g:NAME, or default for everybody
        <input name="user" required autoComplete="off" list={list} />
        <NameList id={list} names={['default', ...(names ?? [])]} />
      </label>
      <label>
        May
        <select value={choice} onChange={({ target }) => setChoice(target.value as AccessChoice)}>
          {Object.keys(ACCESS_CHOICES).map(name => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <Alert message={error} />
      <DialogButtons cancel={close} submit="Set access" isRunning={isRunning} />
    </form>
  )
}

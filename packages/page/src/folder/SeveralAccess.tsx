// Access to several entries at once: one user or group gets the same permissions on all of them.

import { RequestError } from '@hyperslab/client'
import { useId, useState } from 'react'
import { NameList, useKnownNames } from '../account/AccessTable.tsx'
import { Alert } from '../common/Alert.tsx'
import { DialogButtons } from '../common/Dialog.tsx'
import { useAction } from '../common/use-action.ts'
import type { ItemDialogProps } from './item-action.ts'
import { actOnEach } from './several.ts'

const READ = { read: true, create: false, update: false, delete: false, readACL: false, updateACL: false }

/** The choices: what they are called, and the permissions; undefined: the row goes. */
const CHOICES = {
  Read: READ,
  'Read and change': { ...READ, create: true, update: true, delete: true },
  'Everything, also access': {
    read: true,
    create: true,
    update: true,
    delete: true,
    readACL: true,
    updateACL: true,
  },
  'No row: those of everybody and of groups': undefined,
}

type Choice = keyof typeof CHOICES

export function SeveralAccess({ session, items, close }: ItemDialogProps) {
  const { client } = session
  const [{ isRunning, error }, run] = useAction()
  const [choice, setChoice] = useState<Choice>('Read')
  const names = useKnownNames(session)
  const list = useId()
  const give = async (path: string, user: string) => {
    const body = CHOICES[choice]
    if (body !== undefined) return client.request('PUT /acls/{user}', { user, domain: path }, { body })
    try {
      await client.request('DELETE /acls/{user}', { user, domain: path })
    } catch (error) {
      // There is no such row already.
      if (!(error instanceof RequestError && error.status === 404)) throw error
    }
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        const user = String(new FormData(event.currentTarget).get('user')).trim()
        void run(async () => {
          await actOnEach(items, ({ name }) => give(name, user))
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
        <select value={choice} onChange={({ target }) => setChoice(target.value as Choice)}>
          {Object.keys(CHOICES).map(name => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <Alert message={error} />
      <DialogButtons cancel={close} submit="Set access" isRunning={isRunning} />
    </form>
  )
}

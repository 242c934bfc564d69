// The user's own password.

import { useState } from 'react'
import { Alert } from '../common/Alert.tsx'
import { useAction } from '../common/use-action.ts'
import type { AccountPartProps } from './part-props.ts'

export function Password({ session: { client, user } }: AccountPartProps) {
  const [{ isRunning, error }, run] = useAction()
  const [outcome, setOutcome] = useState<string>()
  return (
    <form
      className="card"
      onSubmit={event => {
        event.preventDefault()
        const form = event.currentTarget
        const fields = new FormData(form)
        const field = (name: string) => String(fields.get(name))
        setOutcome(undefined)
        void run(async () => {
          if (field('new') !== field('again')) throw new Error('The two new passwords differ.')
          const body = { password: field('password'), new: field('new') }
          const { ended } = await client.request('PUT /password', {}, { body })
          form.reset()
          setOutcome(
            `Your password is changed. ${ended === 0 ? 'You had no other session.' : `${ended === 1 ? '1 other session has' : `${ended} other sessions have`} ended.`}`,
          )
        })
      }}
    >
      <p>A new password ends all other sessions. Tokens stay.</p>
      <input hidden name="name" autoComplete="username" value={user?.name} readOnly />
      <label>
        Present password
        <input name="password" type="password" autoComplete="current-password" required />
      </label>
      <label>
        New password
        <input name="new" type="password" autoComplete="new-password" required />
      </label>
      <label>
        New password again
        <input name="again" type="password" autoComplete="new-password" required />
      </label>
      <Alert message={error} />
      <p role="status">{outcome}</p>
      <div className="buttons">
        <button type="submit" disabled={isRunning}>
          Change the password
        </button>
      </div>
    </form>
  )
}

// The user's own password.

import { useState } from 'react'
import { NewForm } from './NewForm.tsx'
import { changePassword } from './own-lists.ts'
import type { AccountPartProps } from './part-props.ts'

export function Password({ session: { client, user } }: AccountPartProps) {
  const [outcome, setOutcome] = useState<string>()
  const change = async (fields: FormData) => {
    setOutcome(undefined)
    setOutcome(await changePassword(client, fields))
  }
  return (
    <NewForm submit="Change the password" begin={change}>
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
      <p role="status">{outcome}</p>
    </NewForm>
  )
}

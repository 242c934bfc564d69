// The users of the service, for administrators.

import { NewForm } from './NewForm.tsx'
import { OwnRows, useOwnList } from './OwnRows.tsx'
import { beginUser, USERS } from './own-lists.ts'
import type { AccountPartProps } from './part-props.ts'

export function Users({ session }: AccountPartProps) {
  const users = useOwnList(session, USERS)
  const begin = async (fields: FormData) => {
    await beginUser(session.client, fields)
    users.reload()
  }
  return (
    <OwnRows {...users}>
      <NewForm title="New user" submit="Create the user" begin={begin}>
        <label>
          Name
          <input name="name" required maxLength={64} autoComplete="off" />
        </label>
        <label>
          First password, which the user changes
          <input name="password" type="password" required autoComplete="new-password" />
        </label>
        <label className="check">
          <input name="admin" type="checkbox" /> Administrator, who may do everything
        </label>
      </NewForm>
    </OwnRows>
  )
}

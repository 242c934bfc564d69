// The users of the service, for administrators.

import { useCallback } from 'react'
import { Alert } from '../common/Alert.tsx'
import { ConfirmButton } from '../common/ConfirmButton.tsx'
import { messageOf } from '../common/errors.ts'
import { Skeleton } from '../common/Skeleton.tsx'
import { TryAgain } from '../common/TryAgain.tsx'
import { useAction } from '../common/use-action.ts'
import { useLoaded } from '../common/use-loaded.ts'
import type { AccountPartProps } from './part-props.ts'

export function Users({ session: { client, user } }: AccountPartProps) {
  const load = useCallback(
    async (signal: AbortSignal) => (await client.request('GET /users', {}, { signal })).users,
    [client],
  )
  const { value: users, retry, reload } = useLoaded(client, load)
  const [creation, create] = useAction()
  const disable = async (name: string) => {
    await client.request('DELETE /users/{name}', { name })
    reload()
  }
  return (
    <>
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      {users === undefined && retry.failure === undefined ? <Skeleton rows={5} /> : null}
      <ul className="list">
        {users?.map(({ name, admin, groups, disabled, stored }) => (
          <li key={name}>
            <div>
              <strong>{name}</strong>
              {name === user?.name ? <span className="badge good">you</span> : null}
              {admin ? <span className="badge">administrator</span> : null}
              {disabled ? <span className="badge">disabled</span> : null}
              {stored ? null : <span className="badge">of the password file</span>}
              {groups.length === 0 ? null : <p>in {groups.join(', ')}</p>}
            </div>
            {disabled || !stored || name === user?.name ? null : (
              <ConfirmButton
                text="Disable"
                label={`Disable ${name}`}
                consequence={`${name} can no longer log in, and the name stays taken.`}
                act={() => disable(name)}
              />
            )}
          </li>
        ))}
      </ul>
      <form
        className="card"
        onSubmit={event => {
          event.preventDefault()
          const form = event.currentTarget
          const fields = new FormData(form)
          const body = { password: String(fields.get('password')), admin: fields.has('admin') }
          void create(async () => {
            await client.request('PUT /users/{name}', { name: String(fields.get('name')) }, { body })
            form.reset()
            reload()
          })
        }}
      >
        <h2>New user</h2>
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
        <Alert message={creation.error} />
        <div className="buttons">
          <button type="submit" disabled={creation.isRunning}>
            Create the user
          </button>
        </div>
      </form>
    </>
  )
}

// The access control list of a domain or folder as a table of users and permissions.

import { useEffect, useState } from 'react'
import type { Api, Hyperslab } from '../../client/index.ts'
import { Alert } from './Alert.tsx'
import { messageOf } from './errors.ts'
import { useAction } from './use-action.ts'

export interface AccessTableProps {
  readonly client: Hyperslab
  readonly path: string
}

const PERMISSIONS = [
  ['read', 'Read'],
  ['create', 'Create'],
  ['update', 'Update'],
  ['delete', 'Delete'],
  ['readACL', 'See access'],
  ['updateACL', 'Change access'],
] as const

type Permissions = Pick<Api.AclItem, (typeof PERMISSIONS)[number][0]>

export function AccessTable({ client, path }: AccessTableProps) {
  const [items, setItems] = useState<readonly Api.AclItem[]>()
  const [error, setError] = useState<string>()
  const [saving, run] = useAction()
  useEffect(() => {
    const abort = new AbortController()
    client
      .request('GET /acls', { domain: path }, { signal: abort.signal })
      .then(({ acls }) => setItems(acls))
      .catch((reason: unknown) => {
        if (!abort.signal.aborted) setError(messageOf(reason))
      })
    return () => abort.abort()
  }, [client, path])

  const change = (user: string, changes: Partial<Permissions>) =>
    run(async () => {
      await client.request('PUT /acls/{user}', { user, domain: path }, { body: changes })
      setItems((await client.request('GET /acls', { domain: path })).acls)
    })

  if (error !== undefined) return <Alert message={error} />
  if (items === undefined) return <p>Loading …</p>
  return (
    <>
      <div className="scroll">
        <table className="access">
          <thead>
            <tr>
              <th scope="col">User</th>
              {PERMISSIONS.map(([permission, title]) => (
                <th key={permission} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map(item => (
              <tr key={item.userName}>
                <th scope="row">{item.userName === 'default' ? 'everybody' : item.userName}</th>
                {PERMISSIONS.map(([permission, title]) => (
                  <td key={permission}>
                    <input
                      type="checkbox"
                      aria-label={`${title}: ${item.userName}`}
                      checked={item[permission]}
                      disabled={saving.isRunning}
                      onChange={event => void change(item.userName, { [permission]: event.target.checked })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <form
        className="another"
        onSubmit={event => {
          event.preventDefault()
          const form = event.currentTarget
          const user = String(new FormData(form).get('user'))
          void change(user, { read: true }).then(() => form.reset())
        }}
      >
        <label>
          Another user, or a group as g:NAME
          <input name="user" required autoComplete="off" />
        </label>
        <button type="submit" disabled={saving.isRunning}>
          Let them read
        </button>
      </form>
      <Alert message={saving.error} />
    </>
  )
}

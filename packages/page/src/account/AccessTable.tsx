// The access control list of a domain or folder as a table of users and permissions. Everybody has the first row, also
// where the list does not have one.

import { type Api, RequestError } from '@hyperslab/client'
import { useEffect, useId, useState } from 'react'
import { Alert } from '../common/Alert.tsx'
import { messageOf } from '../common/errors.ts'
import { TryAgain } from '../common/TryAgain.tsx'
import { useAction } from '../common/use-action.ts'
import { useRetry } from '../common/use-retry.ts'
import type { Session } from '../shell/session.ts'

export interface AccessTableProps {
  readonly session: Session
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

/** The name in lists that means everybody else, also without login. */
const EVERYBODY = 'default'

const NOTHING: Permissions = {
  read: false,
  create: false,
  update: false,
  delete: false,
  readACL: false,
  updateACL: false,
}

/** A change that waits until the user confirms it. */
interface Doubtful {
  readonly question: string
  readonly answer: string
  readonly act: () => Promise<void>
}

export function AccessTable({ session, path }: AccessTableProps) {
  const { client, user } = session
  const [items, setItems] = useState<readonly Api.AclItem[]>()
  const [doubtful, setDoubtful] = useState<Doubtful>()
  const [saving, run] = useAction()
  const retry = useRetry(client)
  const { attempt, fail } = retry
  const names = useKnownNames(session)
  const list = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads the list again
  useEffect(() => {
    const abort = new AbortController()
    client
      .request('GET /acls', { domain: path }, { signal: abort.signal })
      .then(({ acls }) => setItems(acls))
      .catch((reason: unknown) => {
        if (!abort.signal.aborted) fail(reason)
      })
    return () => abort.abort()
  }, [client, path, attempt, fail])

  const change = (name: string, changes: Partial<Permissions>) =>
    run(async () => {
      setDoubtful(undefined)
      await client.request('PUT /acls/{user}', { user: name, domain: path }, { body: changes })
      setItems((await client.request('GET /acls', { domain: path })).acls)
    })
  /** Users' own permissions are asked about: they may not be able to take them back. */
  const changeOrAsk = (name: string, changes: Partial<Permissions>, words: string) => {
    const givesUp = name === user?.name && !user.isAdmin && Object.values(changes).includes(false)
    if (!givesUp) return change(name, changes)
    const question = `This is your own permission (${words}). Without it you may not be able to get it back.`
    setDoubtful({ question, answer: 'Give it up', act: () => change(name, changes) })
    return Promise.resolve()
  }
  const remove = (name: string) =>
    run(async () => {
      setDoubtful(undefined)
      await client.request('DELETE /acls/{user}', { user: name, domain: path })
      setItems((await client.request('GET /acls', { domain: path })).acls)
    })
  const removeOrAsk = (name: string) => {
    if (name !== user?.name || user.isAdmin) return remove(name)
    const question = 'This is your own row. Without it you may not be able to get your permissions back.'
    setDoubtful({ question, answer: 'Remove it', act: () => remove(name) })
    return Promise.resolve()
  }
  const add = async (name: string) => {
    if (names === undefined || names.has(name) || items?.some(({ userName }) => userName === name))
      return change(name, { read: true })
    const question = `There is no user or group ${name} in the accounts of this service.`
    const act = () => change(name, { read: true })
    setDoubtful({ question, answer: 'The identity provider has it', act })
  }

  if (items === undefined)
    return retry.failure === undefined ? (
      <p>Loading …</p>
    ) : (
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
    )
  const everybody = items.find(({ userName }) => userName === EVERYBODY) ?? {
    userName: EVERYBODY,
    ...NOTHING,
  }
  const rows = [everybody, ...items.filter(({ userName }) => userName !== EVERYBODY)]
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
              <th>
                <span className="hidden">Remove</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(item => (
              <tr key={item.userName}>
                <th scope="row">{titleOf(item.userName, user?.name)}</th>
                {PERMISSIONS.map(([permission, title]) => (
                  <td key={permission}>
                    <input
                      type="checkbox"
                      aria-label={`${title}: ${item.userName === EVERYBODY ? 'everybody' : item.userName}`}
                      checked={item[permission]}
                      disabled={saving.isRunning}
                      onChange={({ target }) =>
                        void changeOrAsk(item.userName, { [permission]: target.checked }, title)
                      }
                    />
                  </td>
                ))}
                <td>
                  {item.userName === EVERYBODY ? null : (
                    <button
                      type="button"
                      aria-label={`Remove ${item.userName}`}
                      disabled={saving.isRunning}
                      onClick={() => void removeOrAsk(item.userName)}
                    >
                      ✕
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {doubtful === undefined ? null : (
        <p role="alert" className="error">
          {doubtful.question}{' '}
          <button type="button" onClick={() => void doubtful.act()}>
            {doubtful.answer}
          </button>{' '}
          <button type="button" onClick={() => setDoubtful(undefined)}>
            Leave it
          </button>
        </p>
      )}
      <form
        className="another"
        onSubmit={event => {
          event.preventDefault()
          const form = event.currentTarget
          const name = String(new FormData(form).get('user')).trim()
          void add(name).then(() => form.reset())
        }}
      >
        <label>
          Another user, or a group as g:NAME
          <input name="user" required autoComplete="off" list={list} />
          <datalist id={list}>
            {[...(names ?? [])].map(name => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
        <button type="submit" disabled={saving.isRunning}>
          Let them read
        </button>
      </form>
      <Alert message={saving.error} />
    </>
  )
}

function titleOf(name: string, own: string | undefined): string {
  if (name === EVERYBODY) return 'Everybody, without login'
  return name === own ? `${name} (you)` : name
}

/** The users and groups that lists may name, as far as the service tells this user; undefined: it does not. */
export function useKnownNames({ client }: Session): ReadonlySet<string> | undefined {
  const [names, setNames] = useState<ReadonlySet<string>>()
  useEffect(() => {
    const abort = new AbortController()
    client
      .request('GET /users', {}, { signal: abort.signal })
      .then(({ users }) => {
        const groups = users.flatMap(user => user.groups.map(group => `g:${group}`))
        setNames(new Set([...users.map(({ name }) => name), ...groups]))
      })
      .catch((reason: unknown) => {
        // Users who may not see the others type the names.
        if (!abort.signal.aborted && !(reason instanceof RequestError)) throw reason
      })
    return () => abort.abort()
  }, [client])
  return names
}

// The access control list of a domain or folder as a table of users and permissions, whose boxes change it.

import type { Api } from '@hyperslab/client'
import { useCallback, useEffect, useId, useState } from 'react'
import { Alert } from '../common/Alert.tsx'
import { messageOf } from '../common/errors.ts'
import { TryAgain } from '../common/TryAgain.tsx'
import { type Action, useAction } from '../common/use-action.ts'
import { useLoaded } from '../common/use-loaded.ts'
import type { Session } from '../shell/session.ts'
import {
  type AccessChange,
  type AccessRow,
  accessRows,
  changeAccess,
  type Doubt,
  doubtAbout,
  knownNames,
  listAccess,
  PERMISSIONS,
} from './access.ts'

export interface AccessTableProps {
  readonly session: Session
  readonly path: string
}

export function AccessTable({ session, path }: AccessTableProps) {
  const { client, user } = session
  const load = useCallback((signal: AbortSignal) => listAccess(client, path, signal), [client, path])
  const { value, retry } = useLoaded(client, load)
  const [changed, setChanged] = useState<readonly Api.AclItem[]>()
  const [doubt, setDoubt] = useState<Doubt & { readonly change: AccessChange }>()
  const [saving, run] = useAction()
  const names = useKnownNames(session)
  const items = changed ?? value
  if (items === undefined)
    return retry.failure === undefined ? (
      <p>Loading …</p>
    ) : (
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
    )
  const apply = (change: AccessChange) =>
    run(async () => {
      setDoubt(undefined)
      setChanged(await changeAccess(client, path, change))
    })
  const change = async (change: AccessChange) => {
    const doubt = doubtAbout(change, { user, items, names })
    if (doubt) setDoubt({ ...doubt, change })
    else await apply(change)
  }
  return (
    <>
      <AccessRows rows={accessRows(items, user?.name)} saving={saving} change={change} />
      {doubt === undefined ? null : (
        <p role="alert" className="error">
          {doubt.question}{' '}
          <button type="button" onClick={() => void apply(doubt.change)}>
            {doubt.answer}
          </button>{' '}
          <button type="button" onClick={() => setDoubt(undefined)}>
            Leave it
          </button>
        </p>
      )}
      <AnotherUser names={names} saving={saving} change={change} />
      <Alert message={saving.error} />
    </>
  )
}

interface ChangeProps {
  readonly saving: Action
  readonly change: (change: AccessChange) => Promise<void>
}

function AccessRows({ rows, saving, change }: ChangeProps & { readonly rows: readonly AccessRow[] }) {
  return (
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
          {rows.map(({ name, title, subject, permissions, isRemovable }) => (
            <tr key={name}>
              <th scope="row">{title}</th>
              {PERMISSIONS.map(([permission, words]) => (
                <td key={permission}>
                  <input
                    type="checkbox"
                    aria-label={`${words}: ${subject}`}
                    checked={permissions[permission]}
                    disabled={saving.isRunning}
                    onChange={({ target: { checked } }) =>
                      void change({ act: 'set', name, permissions: { [permission]: checked } })
                    }
                  />
                </td>
              ))}
              <td>
                {isRemovable ? (
                  <button
                    type="button"
                    aria-label={`Remove ${name}`}
                    disabled={saving.isRunning}
                    onClick={() => void change({ act: 'remove', name })}
                  >
                    ✕
                  </button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AnotherUser({
  names,
  saving,
  change,
}: ChangeProps & { readonly names: ReadonlySet<string> | undefined }) {
  const list = useId()
  return (
    <form
      className="another"
      onSubmit={event => {
        event.preventDefault()
        const form = event.currentTarget
        const name = String(new FormData(form).get('user')).trim()
        void change({ act: 'add', name }).then(() => form.reset())
      }}
    >
      <label>
        Another user, or a group as g:NAME
        <input name="user" required autoComplete="off" list={list} />
        <NameList id={list} names={[...(names ?? [])]} />
      </label>
      <button type="submit" disabled={saving.isRunning}>
        Let them read
      </button>
    </form>
  )
}

/** Names that a field offers. */
export function NameList({ id, names }: { readonly id: string; readonly names: readonly string[] }) {
  return (
    <datalist id={id}>
      {names.map(name => (
        <option key={name} value={name} />
      ))}
    </datalist>
  )
}

/** Undefined: not known yet, or not told. */
export function useKnownNames({ client }: Session): ReadonlySet<string> | undefined {
  const [names, setNames] = useState<ReadonlySet<string>>()
  useEffect(() => {
    const abort = new AbortController()
    void knownNames(client, abort.signal).then(found => {
      if (!abort.signal.aborted) setNames(found)
    })
    return () => abort.abort()
  }, [client])
  return names
}

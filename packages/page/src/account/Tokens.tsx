// The tokens of the user, which programs use instead of the password. The secret of a new one is shown once.

import { useCallback, useState } from 'react'
import { Age } from '../common/Age.tsx'
import { Alert } from '../common/Alert.tsx'
import { ConfirmButton } from '../common/ConfirmButton.tsx'
import { CopyButton } from '../common/CopyButton.tsx'
import { messageOf } from '../common/errors.ts'
import { Skeleton } from '../common/Skeleton.tsx'
import { TryAgain } from '../common/TryAgain.tsx'
import { useAction } from '../common/use-action.ts'
import { useLoaded } from '../common/use-loaded.ts'
import { inDays } from './dates.ts'
import type { AccountPartProps } from './part-props.ts'

export function Tokens({ session: { client } }: AccountPartProps) {
  const load = useCallback(
    async (signal: AbortSignal) => (await client.request('GET /tokens', {}, { signal })).tokens,
    [client],
  )
  const { value: tokens, retry, reload } = useLoaded(client, load)
  const [{ isRunning, error }, run] = useAction()
  const [made, setMade] = useState<{ readonly name: string; readonly token: string }>()
  const create = (form: HTMLFormElement) => {
    const fields = new FormData(form)
    const within = String(fields.get('within')).trim()
    const body = {
      name: String(fields.get('name')),
      end: String(fields.get('end')),
      writes: fields.has('writes'),
      ...(within !== '' && { within }),
    }
    return run(async () => {
      setMade(await client.request('POST /tokens', {}, { body }))
      form.reset()
      reload()
    })
  }
  const revoke = async (id: string) => {
    await client.request('DELETE /tokens/{id}', { id })
    reload()
  }
  return (
    <>
      <p>A program sends a token instead of your name and password. Give each program its own.</p>
      {made === undefined ? null : (
        <div className="card good" role="status">
          <strong>The token {made.name}: copy it now. It is not shown again.</strong>
          <div className="secret">
            <code>{made.token}</code>
            <CopyButton label="Copy the token" text={made.token} />
          </div>
        </div>
      )}
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      {tokens === undefined ? <Skeleton rows={3} /> : null}
      {tokens?.length === 0 ? <p className="note">You have no tokens yet.</p> : null}
      <ul className="list">
        {tokens?.map(({ id, name, writes, within, created, end }) => (
          <li key={id}>
            <div>
              <strong>{name}</strong>
              <span className="badge">{writes ? 'reads and writes' : 'reads only'}</span>
              {within === undefined ? null : <span className="badge">{within}</span>}
              <p>
                made <Age time={Date.parse(created) / 1000} />, ends <Age time={Date.parse(end) / 1000} />
              </p>
            </div>
            <ConfirmButton
              text="Revoke"
              label={`Revoke ${name}`}
              consequence="The program that has it can no longer log in."
              act={() => revoke(id)}
            />
          </li>
        ))}
      </ul>
      <form
        className="card"
        onSubmit={event => {
          event.preventDefault()
          void create(event.currentTarget)
        }}
      >
        <h2>New token</h2>
        <label>
          Name of the program
          <input name="name" required maxLength={100} autoComplete="off" />
        </label>
        <label>
          Last day
          <input name="end" type="date" required min={inDays(1)} defaultValue={inDays(90)} />
        </label>
        <label>
          Only for this folder or domain, or empty for all
          <input name="within" autoComplete="off" placeholder="/home/ann" pattern="/.*" />
        </label>
        <label className="check">
          <input name="writes" type="checkbox" /> It may also change data
        </label>
        <Alert message={error} />
        <div className="buttons">
          <button type="submit" disabled={isRunning}>
            Make the token
          </button>
        </div>
      </form>
    </>
  )
}

// The sessions of the user: the browsers in which the user has logged in.

import { useCallback } from 'react'
import { Age } from '../common/Age.tsx'
import { Alert } from '../common/Alert.tsx'
import { messageOf } from '../common/errors.ts'
import { Skeleton } from '../common/Skeleton.tsx'
import { TryAgain } from '../common/TryAgain.tsx'
import { useAction } from '../common/use-action.ts'
import { useLoaded } from '../common/use-loaded.ts'
import type { AccountPartProps } from './part-props.ts'
import { describeProgram } from './program.ts'

export function Sessions({ session: { client } }: AccountPartProps) {
  const load = useCallback(
    async (signal: AbortSignal) => (await client.request('GET /sessions', {}, { signal })).sessions,
    [client],
  )
  const { value: sessions, retry, reload } = useLoaded(client, load)
  const [{ isRunning, error }, run] = useAction()
  const end = (id: string) =>
    run(async () => {
      await client.request('DELETE /sessions/{id}', { id })
      reload()
    })
  const endOthers = () =>
    run(async () => {
      await client.request('DELETE /sessions', {})
      reload()
    })
  return (
    <>
      <p>A session begins when you log in with a browser. End those that you do not know.</p>
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      <Alert message={error} />
      {sessions === undefined ? <Skeleton rows={3} /> : null}
      <ul className="list">
        {sessions?.map(({ id, client: program, current, created, used, end: last }) => (
          <li key={id}>
            <div>
              <strong title={program}>{describeProgram(program)}</strong>
              {current ? <span className="badge good">this session</span> : null}
              <p>
                begun <Age time={Date.parse(created) / 1000} />, used <Age time={Date.parse(used) / 1000} />,
                ends <Age time={Date.parse(last) / 1000} />
              </p>
            </div>
            {current ? null : (
              <button type="button" disabled={isRunning} onClick={() => void end(id)}>
                End
              </button>
            )}
          </li>
        ))}
      </ul>
      {sessions?.some(({ current }) => !current) ? (
        <div className="buttons">
          <button type="button" disabled={isRunning} onClick={() => void endOthers()}>
            End all other sessions
          </button>
        </div>
      ) : null}
    </>
  )
}

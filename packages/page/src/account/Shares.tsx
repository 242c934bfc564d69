// The addresses by which the user shares domains and folders with people without an account.

import { useCallback } from 'react'
import { Age } from '../common/Age.tsx'
import { ConfirmButton } from '../common/ConfirmButton.tsx'
import { messageOf } from '../common/errors.ts'
import { Skeleton } from '../common/Skeleton.tsx'
import { TryAgain } from '../common/TryAgain.tsx'
import { useLoaded } from '../common/use-loaded.ts'
import type { AccountPartProps } from './part-props.ts'

export function Shares({ session: { client } }: AccountPartProps) {
  const load = useCallback(
    async (signal: AbortSignal) => (await client.request('GET /shares', {}, { signal })).shares,
    [client],
  )
  const { value: shares, retry, reload } = useLoaded(client, load)
  const revoke = async (id: string) => {
    await client.request('DELETE /shares/{id}', { id })
    reload()
  }
  return (
    <>
      <p>Addresses by which people see a domain or folder without a login. “Share” at a domain makes one.</p>
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      {shares === undefined && retry.failure === undefined ? <Skeleton rows={3} /> : null}
      {shares?.length === 0 ? <p className="note">You share nothing.</p> : null}
      <ul className="list">
        {shares?.map(({ id, domain, note, created, end, uses, used }) => (
          <li key={id}>
            <div>
              <strong>{domain}</strong>
              {note === '' ? null : <span className="badge">{note}</span>}
              <p>
                made <Age time={Date.parse(created) / 1000} />, ends <Age time={Date.parse(end) / 1000} />,{' '}
                {used === undefined ? (
                  'never used'
                ) : (
                  <>
                    {uses} {uses === 1 ? 'request' : 'requests'}, the last{' '}
                    <Age time={Date.parse(used) / 1000} />
                  </>
                )}
              </p>
            </div>
            <ConfirmButton
              text="Stop sharing"
              label={`Stop sharing ${domain}`}
              consequence="The address shows nothing from then on, also to those that have it open."
              act={() => revoke(id)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

// The quotas of folders and owners, each with what is used of it, and the form that sets one.

import { useCallback } from 'react'
import { ConfirmButton } from '../account/ConfirmButton.tsx'
import { NewForm } from '../account/NewForm.tsx'
import { messageOf } from '../common/errors.ts'
import { TryAgain } from '../common/TryAgain.tsx'
import { useLoaded } from '../common/use-loaded.ts'
import type { Session } from '../shell/session.ts'
import { limitsOf, type Quota, removeQuota, setQuota, subjectOf, UNITS } from './use.ts'

export interface QuotasProps {
  readonly session: Session
  /** The folder that is shown, which the form begins with. */
  readonly folder: string
}

export function Quotas({ session: { client }, folder }: QuotasProps) {
  const load = useCallback(
    async (signal: AbortSignal) => (await client.request('GET /quotas', {}, { signal })).quotas,
    [client],
  )
  const { value: quotas, retry, reload } = useLoaded(client, load)
  const set = async (fields: FormData) => {
    await setQuota(client, fields)
    reload()
  }
  return (
    <>
      <h2>Quotas</h2>
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      {quotas?.length === 0 ? <p className="note">There are none: users may fill the whole disk.</p> : null}
      <ul className="list">
        {quotas?.map(quota => (
          <QuotaRow
            key={subjectOf(quota)}
            quota={quota}
            remove={async () => {
              await removeQuota(client, quota)
              reload()
            }}
          />
        ))}
      </ul>
      <QuotaForm folder={folder} set={set} />
    </>
  )
}

interface QuotaRowProps {
  readonly quota: Quota
  readonly remove: () => Promise<void>
}

function QuotaRow({ quota, remove }: QuotaRowProps) {
  const subject = subjectOf(quota)
  return (
    <li>
      <div>
        <strong>{subject}</strong>
        {quota.enforced ? null : <span className="badge">being counted</span>}
        {limitsOf(quota).map(({ text, part }) => (
          <p key={text}>
            <meter aria-label={text} min={0} max={1} high={0.9} optimum={0} value={Math.min(1, part)} />{' '}
            {text}
          </p>
        ))}
      </div>
      <ConfirmButton
        text="Remove"
        label={`Remove the quota of ${subject}`}
        consequence="There is no limit for it from then on. No data are removed."
        act={remove}
      />
    </li>
  )
}

interface QuotaFormProps extends Pick<QuotasProps, 'folder'> {
  readonly set: (fields: FormData) => Promise<void>
}

function QuotaForm({ folder, set }: QuotaFormProps) {
  return (
    <NewForm title="Set a quota" submit="Set the quota" begin={set}>
      <p>No write exceeds it. One that is there is replaced; one below what is used only stops more.</p>
      <div className="filter">
        <label>
          For
          <select name="scope">
            <option value="folder">the folder</option>
            <option value="owner">all that is owned by</option>
          </select>
        </label>
        <label>
          Path or user
          <input name="name" required defaultValue={folder === '/' ? '' : folder} autoComplete="off" />
        </label>
      </div>
      <div className="filter">
        <label>
          Size, at most
          <input name="size" type="number" min="0" step="any" inputMode="decimal" />
        </label>
        <label>
          Unit
          <select name="unit">
            {Object.keys(UNITS).map(unit => (
              <option key={unit}>{unit}</option>
            ))}
          </select>
        </label>
        <label>
          Objects, at most
          <input name="objects" type="number" min="0" step="1" />
        </label>
      </div>
    </NewForm>
  )
}

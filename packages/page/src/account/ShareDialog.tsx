// The dialog that makes an address by which people without an account see a domain or folder, until a date.

import { useState } from 'react'
import { Alert } from '../common/Alert.tsx'
import { Dialog, DialogButtons } from '../common/Dialog.tsx'
import { useAction } from '../common/use-action.ts'
import type { Session } from '../shell/session.ts'
import { inDays } from './dates.ts'
import { beginShare, type SharedPlace } from './own-lists.ts'
import { Secret } from './Secret.tsx'

export interface ShareDialogProps extends SharedPlace {
  readonly session: Session
  readonly near: Element
  readonly close: () => void
}

export function ShareDialog({ session: { client }, path, view, near, close }: ShareDialogProps) {
  const [address, setAddress] = useState<string>()
  const [{ isRunning, error }, run] = useAction()
  return (
    <Dialog title={`Share ${path}`} near={near} close={close}>
      {address === undefined ? (
        <form
          onSubmit={event => {
            event.preventDefault()
            const fields = new FormData(event.currentTarget)
            void run(async () => setAddress((await beginShare(client, { path, view }, fields)).address))
          }}
        >
          <p>Anybody who has the address can read it, without a login, and change nothing.</p>
          <label>
            Last day
            <input name="end" type="date" required min={inDays(1)} defaultValue={inDays(30)} />
          </label>
          <label>
            Note for yourself
            <input name="note" maxLength={100} autoComplete="off" />
          </label>
          <Alert message={error} />
          <DialogButtons cancel={close} submit="Make the address" isRunning={isRunning} />
        </form>
      ) : (
        <div role="status">
          <Secret sentence="Copy the address now." label="Copy the address" text={address} />
          <p>Your account has the list of what you share, and ends it.</p>
        </div>
      )}
    </Dialog>
  )
}

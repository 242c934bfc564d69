// The sessions of the user: the browsers in which the user has logged in.

import { OwnRows, useOwnList } from './OwnRows.tsx'
import { SESSIONS } from './own-lists.ts'
import type { AccountPartProps } from './part-props.ts'

export function Sessions({ session }: AccountPartProps) {
  const sessions = useOwnList(session, SESSIONS)
  const hasOthers = sessions.rows?.some(({ ending }) => ending !== undefined)
  return (
    <>
      <p>A session begins when you log in with a browser. End those that you do not know.</p>
      <OwnRows {...sessions} />
      {hasOthers ? (
        <div className="buttons">
          <button
            type="button"
            disabled={sessions.action.isRunning}
            onClick={() => void sessions.run(() => session.client.request('DELETE /sessions', {}))}
          >
            End all other sessions
          </button>
        </div>
      ) : null}
    </>
  )
}

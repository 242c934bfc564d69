// The tokens of the user, which programs use instead of the password. The secret of a new one is shown once.

import { useState } from 'react'
import { inDays } from './dates.ts'
import { NewForm } from './NewForm.tsx'
import { OwnRows, useOwnList } from './OwnRows.tsx'
import { beginToken, TOKENS } from './own-lists.ts'
import type { AccountPartProps } from './part-props.ts'
import { Secret } from './Secret.tsx'

export function Tokens({ session }: AccountPartProps) {
  const tokens = useOwnList(session, TOKENS)
  const [made, setMade] = useState<{ readonly name: string; readonly token: string }>()
  const begin = async (fields: FormData) => {
    setMade(await beginToken(session.client, fields))
    tokens.reload()
  }
  return (
    <>
      <p>A program sends a token instead of your name and password. Give each program its own.</p>
      {made === undefined ? null : (
        <div className="card good" role="status">
          <Secret
            sentence={`The token ${made.name}: copy it now.`}
            label="Copy the token"
            text={made.token}
          />
        </div>
      )}
      <OwnRows {...tokens}>
        <NewForm title="New token" submit="Make the token" begin={begin}>
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
        </NewForm>
      </OwnRows>
    </>
  )
}

// The dialog with programs that read the shown object, in the language of the user.

import type { Selection } from '@hyperslab/client'
import { useCallback, useState } from 'react'
import { CopyButton } from '../../common/CopyButton.tsx'
import { Dialog } from '../../common/Dialog.tsx'
import { messageOf } from '../../common/errors.ts'
import { Skeleton } from '../../common/Skeleton.tsx'
import { TryAgain } from '../../common/TryAgain.tsx'
import { useLoaded } from '../../common/use-loaded.ts'
import type { Session } from '../../shell/session.ts'
import { LANGUAGES } from './code.ts'
import { findShown } from './shown.ts'

export interface CodeDialogProps {
  readonly session: Session
  readonly domain: string
  readonly object: string
  /** Gives the slice of a dataset that is shown; undefined: all of it. */
  readonly sliceOf: (object: string) => Selection | undefined
  /** The condition for the rows of a table that are shown; undefined: all of them. */
  readonly filter: string | undefined
  /** Whether the attributes of the object are shown. */
  readonly attributes: boolean
  /** The button that opens it. */
  readonly near: Element
  readonly close: () => void
}

/** The browser keeps the language. */
const LANGUAGE_KEY = 'hyperslab-language'

export function CodeDialog(props: CodeDialogProps) {
  const { session, domain, object, sliceOf, filter, attributes, near, close } = props
  const { client, user } = session
  const [name, setName] = useState(() => localStorage.getItem(LANGUAGE_KEY) ?? '')
  const find = useCallback(
    (signal: AbortSignal) => findShown(client, { domain, object, attributes }, signal),
    [client, domain, object, attributes],
  )
  const { value: shown, retry } = useLoaded(client, find)
  const select = shown && sliceOf(shown.shownPath)
  const type = shown?.found.class === 'dataset' ? shown.found.type.class : undefined
  const rows = type === 'H5T_COMPOUND' ? filter : undefined
  const programs = LANGUAGES.flatMap(({ codeOf, ...language }) => {
    const { endpoint } = client
    const text =
      shown && codeOf({ endpoint, ...shown, select, filter: rows, attributes, userName: user?.name })
    return text === undefined ? [] : [{ ...language, text }]
  })
  const program = programs.find(program => program.name === name) ?? programs[0]
  const choose = (name: string) => {
    setName(name)
    localStorage.setItem(LANGUAGE_KEY, name)
  }
  return (
    <Dialog title={`Read ${shown?.shownPath ?? object} in a program`} near={near} close={close}>
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      {shown === undefined && retry.failure === undefined ? <Skeleton rows={4} /> : null}
      {shown && attributes ? <p>The program reads the attributes, which are shown.</p> : null}
      {select && !attributes ? <p>The program reads the slice that is shown.</p> : null}
      {rows === undefined ? null : <p>The program reads the rows that are shown.</p>}
      {shown && shown.shownPath !== object ? (
        <p>The program reads the signal of the plot that {object} shows.</p>
      ) : null}
      <fieldset className="languages">
        <legend className="hidden">Language</legend>
        {programs.map(({ name }) => (
          <button key={name} type="button" aria-pressed={name === program?.name} onClick={() => choose(name)}>
            {name}
          </button>
        ))}
      </fieldset>
      {program === undefined ? null : (
        <section className="code" aria-label={program.name}>
          <pre>{program.text}</pre>
          <CopyButton label={`Copy the ${program.name} program`} text={program.text} />
          {program.needs === undefined ? null : (
            <p className="muted">
              It needs <code>{program.needs}</code>
            </p>
          )}
          {/TOKEN/.test(program.text) ? (
            <p className="muted">Make a token for it in your account, and put it in the place of TOKEN.</p>
          ) : null}
        </section>
      )}
    </Dialog>
  )
}

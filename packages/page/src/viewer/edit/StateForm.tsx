// The form that changes one value: its text, and why a text is no value. If somebody else has changed it since the form
// was opened, the form says so and writes nothing; the text stays, and can be saved over the new value.

import { useId, useState } from 'react'
import { Alert } from '../../common/Alert.tsx'
import { DialogButtons } from '../../common/Dialog.tsx'
import { useAction } from '../../common/use-action.ts'
import type { Edit, Edits } from './edits.ts'
import { ChangedMeanwhile } from './places.ts'

export interface FormParts {
  readonly edits: Edits
  readonly close: () => void
}

interface StateFormProps<State> extends FormParts {
  readonly label: string
  readonly hint?: string | undefined
  /** The value when the form was opened. */
  readonly state: State
  readonly textOf: (state: State) => string
  /** Throws a sentence about the text. */
  readonly stateOf: (text: string, state: State) => State
  readonly save: (from: State, to: State) => Promise<Edit>
  readonly isLong: boolean
  readonly choices?: readonly string[] | undefined
}

export function StateForm<State>(props: StateFormProps<State>) {
  const { label, hint, textOf, stateOf, save, isLong, choices, edits, close } = props
  const [seen, setSeen] = useState<State>(props.state)
  const [{ isRunning, error }, run] = useAction()
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        const text = String(new FormData(event.currentTarget).get('value')).replaceAll('\r\n', '\n')
        if (text === textOf(seen)) return close()
        void run(async () => {
          const next = stateOf(text, seen)
          try {
            edits.done(await save(seen, next))
          } catch (reason) {
            if (!(reason instanceof ChangedMeanwhile) || reason.state === undefined) throw reason
            const now = reason.state as State
            setSeen(now)
            throw new Error(`${reason.message} It is ${textOf(now)} now: save again to replace that.`)
          }
          close()
        })
      }}
    >
      <ValueField {...{ label, hint, isLong, choices, error }} text={textOf(props.state)} />
      <DialogButtons cancel={close} submit="Save" isRunning={isRunning} />
    </form>
  )
}

interface ValueFieldProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly text: string
  readonly isLong: boolean
  readonly choices?: readonly string[] | undefined
  readonly error: string | undefined
}

/** The field, and below it what is wrong with its text. */
export function ValueField({ label, hint, text, isLong, choices, error }: ValueFieldProps) {
  const id = useId()
  const textId = useId()
  const field = {
    name: 'value',
    defaultValue: text,
    autoComplete: 'off',
    spellCheck: false,
    'aria-invalid': error !== undefined,
    id,
    'aria-describedby': textId,
  }
  return (
    <>
      <label htmlFor={id}>
        {label}{' '}
        {choices ? (
          <select {...field}>
            {(choices.includes(text) ? choices : [text, ...choices]).map(choice => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        ) : isLong ? (
          <textarea {...field} rows={Math.min(8, text.split('\n').length + 1)} />
        ) : (
          <input {...field} onFocus={({ currentTarget }) => currentTarget.select()} />
        )}
      </label>
      <div id={textId}>
        {hint === undefined ? null : <p className="target">{hint}</p>}
        <Alert message={error} />
      </div>
    </>
  )
}

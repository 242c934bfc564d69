// The form that makes one domain of many files, and shows while the user types what they would be together.

import './join.css'
import { useEffect, useRef } from 'react'
import { Alert } from '../../common/Alert.tsx'
import { DialogButtons } from '../../common/Dialog.tsx'
import { Differences } from './Differences.tsx'
import { Dimension } from './Dimension.tsx'
import { Field } from './Field.tsx'
import { offersOf } from './model.ts'
import { Preview } from './Preview.tsx'
import { type JoinFormProps, useJoin } from './use-join.ts'

export function JoinForm(props: JoinFormProps) {
  const { fields, names, change, request, review, isSaving, canSave, faultAt, save } = useJoin(props)
  const offers = offersOf(review.review?.conflicts ?? [])
  return (
    <form
      className="join"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <SourcesField
        text={fields.sources}
        change={sources => change({ sources })}
        message={faultAt('sources')}
      />
      <Dimension {...{ fields, names, change, faultAt }} />
      <Differences {...{ fields, change }} isNeeded={offers.length > 0} />
      <Field label="Saved as" message={faultAt('to')}>
        {field => (
          <input
            {...field}
            value={fields.to}
            onChange={({ target }) => change({ to: target.value })}
            required
            autoComplete="off"
            pattern="/.*"
            title="a path that begins with a slash"
          />
        )}
      </Field>
      <Preview
        state={review}
        isAsked={request !== undefined}
        along={fields.along}
        folder={props.folder}
        offers={offers}
        change={change}
      />
      <Alert message={faultAt(undefined)} />
      <DialogButtons cancel={props.close} submit="Save" isRunning={isSaving || !canSave} />
    </form>
  )
}

interface SourcesFieldProps {
  readonly text: string
  readonly change: (text: string) => void
  readonly message: string | undefined
}

/** Lines of the field before it scrolls. */
const LINES_IN_SIGHT = 6

function SourcesField({ text, change, message }: SourcesFieldProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  // The form may come after the dialog, which gives the focus to what it has.
  useEffect(() => area.current?.focus(), [])
  return (
    <Field label="Files: a path or a pattern in each line" message={message}>
      {field => (
        <textarea
          ref={area}
          {...field}
          value={text}
          onChange={({ target }) => change(target.value)}
          rows={Math.min(LINES_IN_SIGHT, text.split('\n').length)}
          spellCheck={false}
          required
        />
      )}
    </Field>
  )
}

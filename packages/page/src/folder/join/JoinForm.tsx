// The form that makes one domain of many files, and shows while the user types what they would be together.

import './join.css'
import { type ChangeEvent, type ReactNode, useEffect, useId, useRef } from 'react'
import { NameList } from '../../account/AccessTable.tsx'
import { Alert } from '../../common/Alert.tsx'
import { DialogButtons } from '../../common/Dialog.tsx'
import { mayPass } from '../../common/retry.ts'
import { conflictGroups, reviewText } from './model.ts'
import { type JoinFormProps, useJoin } from './use-join.ts'
import type { ReviewState } from './use-review.ts'

export function JoinForm(props: JoinFormProps) {
  const { fields, names, change, request, review, isSaving, canSave, faultAt, save } = useJoin(props)
  const list = useId()
  const input = (name: 'along' | 'to') => ({
    value: fields[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => change(name, target.value),
    required: true,
    autoComplete: 'off',
  })
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
        change={text => change('sources', text)}
        message={faultAt('sources')}
      />
      <Field label="Along the dimension" message={faultAt('along')}>
        {field => <input {...field} {...input('along')} list={list} />}
      </Field>
      <NameList id={list} names={names} />
      <Field label="Saved as" message={faultAt('to')}>
        {field => <input {...field} {...input('to')} pattern="/.*" title="a path that begins with a slash" />}
      </Field>
      <Preview state={review} isAsked={request !== undefined} along={fields.along} folder={props.folder} />
      <Alert message={faultAt(undefined)} />
      <DialogButtons cancel={props.close} submit="Save" isRunning={isSaving || !canSave} />
    </form>
  )
}

interface FieldProps {
  readonly label: string
  /** The fault of what is in it. */
  readonly message: string | undefined
  readonly children: (field: {
    readonly id: string
    readonly 'aria-invalid': boolean
    readonly 'aria-describedby': string
  }) => ReactNode
}

function Field({ label, message, children }: FieldProps) {
  const id = useId()
  const note = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': message !== undefined, 'aria-describedby': note })}
      <p role="alert" className="error" id={note}>
        {message}
      </p>
    </div>
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

interface PreviewProps {
  readonly state: ReviewState
  readonly isAsked: boolean
  readonly along: string
  readonly folder: string
}

function Preview({ state: { review, isPending, error }, isAsked, along, folder }: PreviewProps) {
  if (!isAsked)
    return (
      <p role="status" className="muted">
        With a dimension and a path, the page shows what the files are together.
      </p>
    )
  if (review === undefined || (error !== undefined && !isPending))
    return (
      <p role="status" className="muted">
        {isPending
          ? 'Looking at the files …'
          : mayPass(error)
            ? 'The page asks again when the service answers.'
            : ''}
      </p>
    )
  const { datasets, conflicts } = review
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be in reach of the keyboard
    <section className="preview" aria-label="Preview" aria-busy={isPending} tabIndex={0}>
      <p role="status">{isPending ? 'Looking at the files …' : reviewText(review, along, folder)}</p>
      {conflicts.length > 0 ? (
        <ul className="conflicts">
          {conflictGroups(conflicts, folder).map(({ reason, files }) => (
            <li key={reason}>
              {reason}
              {files === '' ? null : <small>{files}</small>}
            </li>
          ))}
        </ul>
      ) : (
        <table>
          <thead>
            <tr>
              <th>Dataset</th>
              <th>Shape</th>
            </tr>
          </thead>
          <tbody>
            {datasets.map(({ path, shape, axis }) => (
              <tr key={path}>
                <th scope="row">{path}</th>
                <td>
                  {shape.map((extent, d) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the dimensions stay where they are
                    <span key={d}>
                      {d > 0 ? ' × ' : ''}
                      {d === axis ? <strong>{extent}</strong> : extent}
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

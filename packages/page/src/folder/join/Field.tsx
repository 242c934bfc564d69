// A field of the form that joins files: its label, and below it the fault of what is in it.

import { type ReactNode, useId } from 'react'

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

export function Field({ label, message, children }: FieldProps) {
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

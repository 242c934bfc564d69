// The field of an end, of a mark or of a range: a number as people type it, which is put when they are done.

import { type ReactNode, useEffect, useState } from 'react'
import { parseEnd } from './range.ts'

interface EndFieldProps {
  readonly name: string
  /** The end as it is written. */
  readonly known: string
  readonly title?: string
  readonly className?: string
  readonly put: (end: number) => void
  /** What is behind the field. */
  readonly children?: ReactNode
}

export function EndField({ name, known, title, className, put, children }: EndFieldProps) {
  const [text, setText] = useState(known)
  useEffect(() => setText(known), [known])
  const number = parseEnd(text)
  return (
    <form
      className={className}
      onSubmit={event => {
        event.preventDefault()
        if (number !== undefined && text !== known) put(number)
      }}
    >
      <label>
        {name}
        <input
          inputMode="decimal"
          value={text}
          title={title}
          aria-invalid={number === undefined}
          onChange={event => setText(event.target.value)}
          onBlur={event => event.currentTarget.form?.requestSubmit()}
        />
      </label>
      {children}
    </form>
  )
}

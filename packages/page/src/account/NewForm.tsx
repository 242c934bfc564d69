// The form of an account for something new: it is empty again when that has begun.

import type { ReactNode } from 'react'
import { Alert } from '../common/Alert.tsx'
import { useAction } from '../common/use-action.ts'

export interface NewFormProps {
  readonly title?: string
  /** The text of its button. */
  readonly submit: string
  readonly begin: (fields: FormData) => Promise<unknown>
  readonly children: ReactNode
}

export function NewForm({ title, submit, begin, children }: NewFormProps) {
  const [{ isRunning, error }, run] = useAction()
  return (
    <form
      className="card"
      onSubmit={event => {
        event.preventDefault()
        const form = event.currentTarget
        void run(async () => {
          await begin(new FormData(form))
          form.reset()
        })
      }}
    >
      {title === undefined ? null : <h2>{title}</h2>}
      {children}
      <Alert message={error} />
      <div className="buttons">
        <button type="submit" disabled={isRunning}>
          {submit}
        </button>
      </div>
    </form>
  )
}

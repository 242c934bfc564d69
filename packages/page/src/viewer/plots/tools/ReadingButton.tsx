// The end of the note below a drawing that is read in parts: the button that stops this, or goes on.

import type { Reading } from '../../data/use-reading.ts'

/** Undefined: all is read. */
export function ReadingButton({ reading }: { readonly reading: Reading | undefined }) {
  if (reading === undefined) return null
  const { isStopped, toggle } = reading
  return (
    <>
      {isStopped ? ' Reading is stopped.' : ''}{' '}
      <button type="button" className="crumb" onClick={toggle}>
        {isStopped ? 'Load all' : 'Cancel'}
      </button>
    </>
  )
}

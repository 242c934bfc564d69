// A button that copies a text.

import { useState } from 'react'
import { Alert } from './Alert.tsx'
import { useAction } from './use-action.ts'

export function CopyButton({ label, text }: { readonly label: string; readonly text: string }) {
  const [copied, setCopied] = useState<string>()
  const [{ error }, run] = useAction()
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(text)
  }
  return (
    <>
      <button type="button" aria-label={label} onClick={() => void run(copy)}>
        {copied === text ? 'Copied' : 'Copy'}
      </button>
      {error === undefined ? null : <Alert message={error} />}
    </>
  )
}

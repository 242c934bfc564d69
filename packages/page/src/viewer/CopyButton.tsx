// A button that copies a text, and says so for a moment.

import { useState } from 'react'
import { Icon, type IconName } from '../common/Icon.tsx'
import { useAction } from '../common/use-action.ts'

export interface CopyButtonProps {
  readonly label: string
  readonly icon: IconName
  /** The text, or the way to it when the button is pressed. */
  readonly text: string | (() => string)
}

/** How long it says that the text was copied. */
const NOTICE_MS = 2000

export function CopyButton({ label, icon, text }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  const [{ error }, run] = useAction()
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
    setCopied(true)
    setTimeout(() => setCopied(false), NOTICE_MS)
  }
  return (
    <button type="button" className="copy" title={error ?? label} onClick={() => void run(copy)}>
      <Icon name={isCopied ? 'check' : icon} />
      <span>{error === undefined ? (isCopied ? 'Copied' : label) : 'Not copied'}</span>
    </button>
  )
}

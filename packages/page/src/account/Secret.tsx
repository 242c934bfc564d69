// A secret that is shown once, to be copied.

import { CopyButton } from '../common/CopyButton.tsx'

export interface SecretProps {
  /** The sentence that says what it is and that it is to be copied. */
  readonly sentence: string
  /** The name of the button. */
  readonly label: string
  readonly text: string
}

export function Secret({ sentence, label, text }: SecretProps) {
  return (
    <>
      <strong>{sentence} It is not shown again.</strong>
      <div className="secret">
        <code>{text}</code>
        <CopyButton label={label} text={text} />
      </div>
    </>
  )
}

// What the user does with entries of a folder in a dialog, and what the dialog gets.

import type { Api } from '@hyperslab/client'
import type { Session } from '../shell/session.ts'

export type ItemAction = 'rename' | 'move' | 'delete' | 'access'

export interface ItemDialogProps {
  readonly session: Session
  readonly action: ItemAction
  /** One or more. */
  readonly items: readonly Api.ListedDomain[]
  /** The button that opened it. */
  readonly near: Element
  readonly close: () => void
  /** Called when the contents of the folder have changed. */
  readonly onChange: () => void
}

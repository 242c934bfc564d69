// Editing as the parts of the viewer have it: whether it is on, what the user may do, and what opens the dialogs.

import { createContext, useContext } from 'react'
import type { Rights } from '../../shell/rights.ts'
import type { Entity } from '../data/contents.ts'
import type { Column } from '../table/columns.ts'
import type { LinkAt } from './actions.ts'
import type { Edit, Edits } from './edits.ts'
import type { AttributeOwner, ValueTarget } from './places.ts'

export type EditRequest =
  | { readonly kind: 'attribute'; readonly owner: AttributeOwner; readonly name: string | undefined }
  | {
      readonly kind: 'value'
      readonly target: ValueTarget
      readonly name: string
      readonly type: Column['type']
    }
  | { readonly kind: 'rename'; readonly at: LinkAt }
  | { readonly kind: 'new-group'; readonly at: Pick<LinkAt, 'group' | 'path'> }

/** A dialog, beside the button that opened it. */
export interface OpenRequest {
  readonly request: EditRequest
  readonly near: Element
}

export interface Editing {
  readonly rights: Rights
  readonly isOn: boolean
  readonly turn: (isOn: boolean) => void
  /** Undefined: editing has not been on yet. */
  readonly edits: Edits | undefined
  readonly open: (request: EditRequest, near: Element) => void
  /** Does it, and says so. */
  readonly act: (action: () => Promise<Edit>) => void
  /** Whether the object is of this domain: another one has other rights. */
  readonly isOwn: (id: string) => boolean
}

export const EditingContext = createContext<Editing | undefined>(undefined)

/** Undefined: the user may change nothing here. */
export function useEditing(): Editing | undefined {
  return useContext(EditingContext)
}

/** Undefined: editing is off, or the user may not do this with the object. */
export function useEditingOf(
  id: string | undefined,
  right: 'create' | 'update' | 'delete',
): Editing | undefined {
  const editing = useEditing()
  return editing?.isOn && id !== undefined && editing.rights[right] && editing.isOwn(id) ? editing : undefined
}

export function ownerOf({ kind, object }: Pick<Entity, 'kind' | 'object'>): AttributeOwner {
  return { kind, id: object.id }
}

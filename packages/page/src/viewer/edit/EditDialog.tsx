// The dialogs of editing. A value that cannot be stored is told beside its field, and nothing is sent.

import { Dialog } from '../../common/Dialog.tsx'
import { nameOf } from '../data/contents.ts'
import { useViewer } from '../viewer-context.ts'
import { AttributeForm, NewAttributeForm } from './AttributeForms.tsx'
import { newGroup, renameLink } from './actions.ts'
import type { EditRequest, OpenRequest } from './editing.ts'
import type { Edits } from './edits.ts'
import { NameForm } from './NameForm.tsx'
import { ValueForm } from './ValueForm.tsx'

export interface EditDialogProps extends OpenRequest {
  readonly edits: Edits
  readonly close: () => void
}

export function EditDialog({ request, near, edits, close }: EditDialogProps) {
  return (
    <Dialog title={titleOf(request)} near={near} close={close}>
      <FormOf request={request} edits={edits} close={close} />
    </Dialog>
  )
}

function titleOf(request: EditRequest): string {
  switch (request.kind) {
    case 'attribute':
      return request.name === undefined ? 'Add attribute' : `Change the attribute ${request.name}`
    case 'value':
      return `Change ${request.name}`
    case 'rename':
      return `Rename ${nameOf(request.at.path)}`
    case 'new-group':
      return `New group in ${request.at.path}`
  }
}

function FormOf({ request, edits, close }: Omit<EditDialogProps, 'near'>) {
  const { contents } = useViewer()
  const parts = { edits, close }
  switch (request.kind) {
    case 'attribute':
      return request.name === undefined ? (
        <NewAttributeForm {...parts} owner={request.owner} />
      ) : (
        <AttributeForm {...parts} owner={request.owner} name={request.name} />
      )
    case 'value':
      return <ValueForm {...parts} {...request} />
    case 'rename':
      return (
        <NameForm
          {...parts}
          name={nameOf(request.at.path)}
          submit="Rename"
          act={name => renameLink(contents, request.at, name)}
        />
      )
    case 'new-group':
      return (
        <NameForm {...parts} name="" submit="Create" act={name => newGroup(contents, request.at, name)} />
      )
  }
}

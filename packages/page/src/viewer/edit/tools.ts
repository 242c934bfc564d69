// What the viewer uses of editing while it is on (`tools-part.ts`).

export { AddAttribute, AttributeButtons } from './AttributeButtons.tsx'
export { EditDialog } from './EditDialog.tsx'
export { EditMenu } from './EditMenu.tsx'
export { EditNote } from './EditNote.tsx'
export { EditValue } from './EditValue.tsx'
export { Edits, shownAfter } from './edits.ts'
export { isEditable } from './elements.ts'
export { memberTarget } from './value-targets.ts'

// The dialogs of editing, loaded when editing is turned on: those who only read do not wait for them.

import { Part } from '../../common/part.ts'

export const DIALOG = new Part(async () => (await import('./EditDialog.tsx')).EditDialog)

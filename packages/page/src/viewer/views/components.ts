// The component of each view. Drawings are loaded later than the viewer (`drawings-part.ts`): here are their names.

import type { ComponentType } from 'react'
import { GroupView } from '../group/GroupView.tsx'
import { InspectView } from '../inspect/InspectView.tsx'
import { NoteView } from '../plots/NoteView.tsx'
import { TextView } from '../plots/TextView.tsx'
import { TableView } from '../table/TableView.tsx'
import { DRAWING_NAMES, type DrawingName } from './drawing-names.ts'
import type { ViewProps } from './view.ts'
import type { ViewName } from './views.ts'

export const COMPONENTS: Readonly<Record<ViewName, ComponentType<ViewProps> | DrawingName>> = {
  ...DRAWING_NAMES,
  members: GroupView,
  note: NoteView,
  text: TextView,
  table: TableView,
  inspect: InspectView,
}

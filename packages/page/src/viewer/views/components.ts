// The component of each view. Drawings are loaded later than the viewer (`drawings-part.ts`): here are their names.

import type { ComponentType } from 'react'
import { GroupView } from '../GroupView.tsx'
import { InspectView } from '../inspect/InspectView.tsx'
import { NoteView } from '../plots/NoteView.tsx'
import { TextView } from '../plots/TextView.tsx'
import { TableView } from '../table/TableView.tsx'
import type { ViewProps } from './view.ts'
import type { ViewName } from './views.ts'

export type DrawingName = 'ImageView' | 'LineView' | 'MapView' | 'MatrixView' | 'RgbView' | 'ScatterView'

export const COMPONENTS: Readonly<Record<ViewName, ComponentType<ViewProps> | DrawingName>> = {
  members: GroupView,
  note: NoteView,
  text: TextView,
  matrix: 'MatrixView',
  table: TableView,
  line: 'LineView',
  scatter: 'ScatterView',
  image: 'ImageView',
  map: 'MapView',
  rgb: 'RgbView',
  inspect: InspectView,
}

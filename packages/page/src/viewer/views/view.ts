// The ways to show an object, in the order of their tabs. A new one is a component and a line here.

import type { Selection } from '@hyperslab/client'
import type { ComponentType } from 'react'
import type { Entity } from './data/contents.ts'
import type { Plot } from './data/plot.ts'
import type { View } from './view-address.ts'

/** The chosen object, and what is drawn of it: itself, or of a group its plot of NeXus. */
export interface Subject {
  readonly entity: Entity
  readonly plot: Plot | undefined
}

export interface ViewProps extends Subject {
  /** The choices in the address; what it does not say is the view's to choose. */
  readonly view: View
  /** Changes some of them. The address changes, too. */
  readonly change: (choices: Partial<View>) => void
  /** The dataset of which a slice is shown, or all of it (undefined): programs that are copied read the same. */
  readonly onShow: (object: string, select: Selection | undefined) => void
  /** Goes to another object. */
  readonly choose: (path: string) => void
}

/** Drawings, which are loaded later than the viewer (`drawings-part.ts`). */
export type DrawingName = 'ImageView' | 'LineView' | 'MatrixView' | 'RgbView' | 'ScatterView'

export interface ViewDefinition {
  /** In the address. */
  readonly name: string
  /** On the tab. */
  readonly label: string
  readonly shows: (subject: Subject) => boolean
  /** The first one of the greatest rank is shown where the address names none. */
  readonly rank: (subject: Subject) => number
  /** Its component; a name: one of the drawings, which are loaded later. */
  readonly Component: ComponentType<ViewProps> | DrawingName
}

// An object that is shown, and what a view of it gets.

import type { Selection } from '@hyperslab/client'
import type { Entity } from '../data/contents.ts'
import type { Plot } from '../data/plot.ts'
import type { GroupTable } from '../table/group-table.ts'
import type { View } from '../view-address.ts'

/** The chosen object, and what is drawn of it: itself, or of a group its plot of NeXus. */
export interface Subject {
  readonly entity: Entity
  readonly plot: Plot | undefined
  /** Of a group whose members are columns. */
  readonly table?: GroupTable | undefined
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

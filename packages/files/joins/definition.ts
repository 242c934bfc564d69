// Definitions of joined domains: which files are read as one, along which dimension, and what is done where they
// differ. NcML documents in mounted folders (ncml.ts) are definitions, too.

import type { DomainPath } from '@hyperslab/model/names'

export interface JoinDefinition {
  readonly along: JoinAxis
  /** In this order; the files of one source are in the order of their coordinates, or of their names. */
  readonly sources: readonly JoinSource[]
}

/** The dimension along which the files are joined. */
export type JoinAxis =
  | {
      readonly kind: 'named'
      /** The title of a dimension scale, or a label. */
      readonly name: string
    }
  | {
      readonly kind: 'axes'
      /**
       * The dimension of each of these datasets, by path. A dimension scale of one of them brings all datasets that
       * have it.
       */
      readonly axes: ReadonlyMap<string, number>
    }

/** The dimension in messages. */
export function labelOf(along: JoinAxis): string {
  if (along.kind === 'named') return along.name
  return [...along.axes].map(([path, axis]) => `${path}#${axis}`).join(', ')
}

/**
 * A file, the files of a folder, or those whose paths match a pattern. Locations are relative to the folder of the
 * definition, or, in the store, whole paths.
 */
export type JoinSource =
  | {
      readonly kind: 'file'
      readonly location: string
      /** The length that its dimension must have. */
      readonly count?: number
    }
  | {
      readonly kind: 'scan'
      readonly location: string
      /** The end of the names of the files. */
      readonly suffix: string
      /** True: folders in the folder, too. */
      readonly isDeep: boolean
    }
  | {
      readonly kind: 'pattern'
      /** The folder that the search begins in. */
      readonly folder: DomainPath
      /** Patterns of the names below it: of folders, and of the files at last. `**` is any number of folders. */
      readonly names: readonly string[]
    }

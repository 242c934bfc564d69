// Definitions of joined domains: which files are read as one, along which dimension, and what is done where they
// differ. NcML documents in mounted folders (ncml.ts) are definitions, too.

export interface JoinDefinition {
  /** The name of the dimension along which the files are joined. */
  readonly along: string
  /** In this order; the files of one source are in the order of their coordinates, or of their names. */
  readonly sources: readonly JoinSource[]
}

/** A file, or the files of a folder. Locations are relative to the folder of the definition. */
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

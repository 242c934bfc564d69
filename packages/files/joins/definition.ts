// Definitions of joined domains: which files are read as one, along which dimension, and what is done where they
// differ. NcML documents in mounted folders (ncml.ts) are definitions, too.

import type { DomainPath } from '@hyperslab/model/names'

export interface JoinDefinition {
  readonly along: JoinAxis
  /** In this order; the files of one source are in the order of their coordinates, or of their names. */
  readonly sources: readonly JoinSource[]
  /**
   * True: the files of all sources are in the order of their coordinates, if all have some, and each is there once.
   * NcML gives its sources another meaning.
   */
  readonly areOneSource?: boolean
  /**
   * True: packed numbers whose attributes differ between files become floats of the values that they stand for, with
   * NaN for missing ones. Default: such files cannot be joined.
   */
  readonly unpack?: boolean
  /** `fill`: elements of files that cannot be read any more are the fill value. Default: reading them is an error. */
  readonly missing?: 'fill'
  /**
   * The file whose elements are taken where coordinates of files of one source overlap: the one that begins first, up
   * to its last coordinate, or the one that begins last, from its first coordinate on. Of files that begin at the same
   * coordinate, names say which one is first. Default: such files cannot be joined.
   */
  readonly keep?: 'first' | 'last'
  /**
   * Datasets that do not have the dimension must have the same types and shapes in all files, or the same values, too.
   * Default: those of the first file count, and the others are not looked at.
   */
  readonly check?: 'types' | 'values'
}

/** The parts of a definition that say how files become one. */
export type JoinRules = Omit<JoinDefinition, 'sources'>

/** The parts of a definition that say what is read of each file. */
export type OutlineRules = Pick<JoinDefinition, 'along' | 'check'>

/** The dimension along which the files are joined; a union has none: the objects of all files are beside each other. */
export type JoinAxis = AxisOfFiles | NewAxis | { readonly kind: 'union' }

/** A dimension that the files have. */
export type AxisOfFiles =
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

/** A dimension that the files do not have: each of them is one coordinate of it. */
export interface NewAxis {
  readonly kind: 'new'
  /** The name of the dimension, and of the dataset in the root group with its coordinates. */
  readonly name: string
  /**
   * Default: `number`. Ignored if the files have a scalar dataset of this name in their root: then its values are the
   * coordinates.
   */
  readonly coordinate?: NewCoordinate
  /**
   * The paths of the datasets that get the dimension. Absent: all but dimension scales and those that hold references.
   */
  readonly datasets?: readonly string[]
}

/** The source of the coordinate of a file. */
export type NewCoordinate =
  /** The number of the file, from 0. */
  | { readonly kind: 'number' }
  | {
      readonly kind: 'name'
      /**
       * The name of the file with one field, which is the coordinate (name-pattern.ts): `run_{n:d}.h5`.
       */
      readonly pattern: string
    }
  | {
      readonly kind: 'attribute'
      /** The path of the object that has it. */
      readonly object: string
      readonly name: string
    }

export const UNION: JoinAxis = { kind: 'union' }

/** A file is a coordinate of a new dimension, and nowhere in a union: its place means nothing there. */
export function keepsPlaces({ along }: JoinRules): boolean {
  return along.kind !== 'new' && along.kind !== 'union'
}

/** The dimension in messages. */
export function labelOf(along: JoinAxis): string {
  if (along.kind === 'union') return 'no dimension'
  if (along.kind !== 'axes') return along.name
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
      /** Its coordinate in a new dimension; default: that of `NewAxis`. */
      readonly coordinate?: number | string
    }
  | {
      readonly kind: 'scan'
      readonly location: string
      /** The end of the names of the files. */
      readonly suffix: string
      /** True: folders in the folder, too. */
      readonly isDeep: boolean
      /** The pattern of their names with their coordinates in a new dimension; default: those of `NewAxis`. */
      readonly pattern?: string
    }
  | {
      readonly kind: 'pattern'
      /** The folder that the search begins in. */
      readonly folder: DomainPath
      /** Patterns of the names below it: of folders, and of the files at last. `**` is any number of folders. */
      readonly names: readonly string[]
    }

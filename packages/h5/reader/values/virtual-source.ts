// The sources of virtual datasets: how they are named and read, and what is wrong with them.

import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '@hyperslab/model/datatype'
import type { Elements, ElementsBuilder } from '@hyperslab/model/values'
import type { Box } from '../../file-reader.ts'
import { decodeName } from '../../format/messages/names.ts'
import type { VirtualMapping } from '../../format/virtual-layout.ts'
import type { AxisSet } from './axis-set.ts'
import type { VirtualWork } from './virtual-work.ts'

/** A dataset that a mapping names. */
export interface VirtualSource {
  readonly type: Datatype
  readonly dims: readonly number[]
  readonly read: (box: Box) => Promise<Elements>
  /** Throws if some of its values are known to be missing without reading them. Absent: this is not checked. */
  readonly requireValues?: () => Promise<void>
}

/** Opens a source by the names of its file, `.` for the same file, and of its dataset. Undefined: it does not exist. */
export type OpenSource = (file: string, dataset: string) => Promise<VirtualSource | undefined>

/** The box that is read, and the memory for it. */
export interface Target {
  readonly box: Box
  readonly builder: ElementsBuilder
  readonly work: VirtualWork
}

export interface Interval {
  readonly first: number
  readonly end: number
}

export function positionsIn(axes: readonly AxisSet[], { start, count }: Box): readonly Interval[] {
  return axes.map((axis, d) => ({
    first: axis.positionsBefore(start[d]),
    end: axis.positionsBefore(start[d] + count[d]),
  }))
}

export function namesOf({ file, dataset }: VirtualMapping, block: number): [file: string, dataset: string] {
  const nameOf = (bytes: Uint8Array) =>
    decodeName(bytes).text.replace(/%%|%b/g, found => (found === '%b' ? String(block) : '%'))
  return [nameOf(file), nameOf(dataset)]
}

export function missingSource([file, dataset]: readonly [string, string]): HyperslabError {
  const location = file === '.' ? '' : ` in ${file}`
  return new HyperslabError(
    'file-unreadable',
    `the source ${dataset}${location} is missing, or outside of the folder whose files may be read`,
  )
}

/** Codes of files and datasets that will not become readable without a change. */
const UNREADABLE: readonly ErrorCode[] = [
  'file-unreadable',
  'file-damaged',
  'file-open-for-writing',
  'not-hdf5',
  'type-unsupported',
]

export function isOfUnreadable(error: unknown): error is HyperslabError {
  return error instanceof HyperslabError && UNREADABLE.includes(error.code)
}

export function beyondExtents(mapping: VirtualMapping): HyperslabError {
  const [file, dataset] = namesOf(mapping, 0)
  return new HyperslabError(
    'file-unreadable',
    `the source ${dataset} in ${file} is smaller than its selection`,
  )
}

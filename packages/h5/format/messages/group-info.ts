// The group info message (0x0a): when a new-style group changes how it keeps its links (file format specification,
// IV.A.2.k). Only writers need it.

import type { FieldWriter } from '../field-writer.ts'

export interface GroupInfo {
  readonly phaseChange?: { readonly maxCompact: number; readonly minDense: number }
  readonly estimates?: { readonly entryCount: number; readonly nameLength: number }
}

const PHASE_CHANGE_STORED = 1
const ESTIMATES_STORED = 2

export function encodeGroupInfo(writer: FieldWriter, { phaseChange, estimates }: GroupInfo): void {
  writer.u8(0)
  writer.u8((phaseChange ? PHASE_CHANGE_STORED : 0) | (estimates ? ESTIMATES_STORED : 0))
  if (phaseChange) {
    writer.u16(phaseChange.maxCompact)
    writer.u16(phaseChange.minDense)
  }
  if (estimates) {
    writer.u16(estimates.entryCount)
    writer.u16(estimates.nameLength)
  }
}

// LMDB's table of readers, which all processes on a folder share: a row for each slot that is taken, with the process
// and the number of the state that it reads (`-`: none at the moment). By this table LMDB keeps the pages that may
// still be read. A slot is free again when its process has died, which LMDB sees by a file lock.

/** Snapshots at different states that can be open at once, of all processes together. @limit memory, readers */
export const MAX_READERS = 2048

export interface ReaderTable {
  /** Numbers of the states that are being read. */
  readonly states: readonly number[]
  /** Ids of processes that have a slot. */
  readonly processes: ReadonlySet<string>
  /** Slots that are taken. */
  readonly slots: number
}

const ROW = /^\s*(\d+)\s+[0-9a-f]+\s+(\d+|-)$/gm

/** Parses the table as LMDB prints it. */
export function readReaderTable(text: string): ReaderTable {
  const states: number[] = []
  const processes = new Set<string>()
  let slots = 0
  for (const [, process, state] of text.matchAll(ROW)) {
    slots++
    processes.add(process)
    if (state !== '-') states.push(Number(state))
  }
  return { states, processes, slots }
}

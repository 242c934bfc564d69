// LMDB's table of readers, which all processes on a folder share: a row for each place that is taken, with the process
// and the number of the state that it reads (`-`: none at the moment). By this table LMDB keeps the pages that may
// still be read. A place is free again when its process has died, which LMDB sees by a file lock.

export interface ReaderTable {
  /** Numbers of the states that are being read. */
  readonly states: readonly number[]
  /** Ids of processes that have a place. */
  readonly processes: ReadonlySet<string>
  /** Places that are taken. */
  readonly places: number
}

const ROW = /^\s*(\d+)\s+[0-9a-f]+\s+(\d+|-)$/gm

/** Parses the table as LMDB prints it. */
export function readReaderTable(text: string): ReaderTable {
  const states: number[] = []
  const processes = new Set<string>()
  let places = 0
  for (const [, process, state] of text.matchAll(ROW)) {
    places++
    processes.add(process)
    if (state !== '-') states.push(Number(state))
  }
  return { states, processes, places }
}

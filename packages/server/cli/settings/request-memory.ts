// The memory that large bodies and streamed answers may hold at once, if the setting max_request_memory does not set
// it: a share of the machine's, or of the container's.

import { totalmem } from 'node:os'

const SHARE = 1 / 8
const LEAST = 2 ** 27
/** Room for a thousand slow clients with answers of some MiB. */
const MOST = 2 ** 31

/** Bytes. `setting` is max_request_memory; 0 means that it depends on the memory of the machine. */
export function requestMemory(setting: number, memory = availableMemory()): number {
  return setting === 0 ? Math.max(LEAST, Math.min(Math.floor(memory * SHARE), MOST)) : setting
}

/** The memory of the process. Without a limit of its own, `constrainedMemory` is 0 or more than the machine has. */
function availableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

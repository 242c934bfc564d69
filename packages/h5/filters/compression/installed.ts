// The compressors that filters use in this thread: portable ones, which run in Node, in a browser and in a worker,
// unless the program replaces them with `useCompressors` before it uses a filter.

import type { Compressors } from './compressors.ts'
import { PORTABLE } from './portable.ts'

let current: Compressors = PORTABLE

/** Replaces compressors in this thread. */
export function useCompressors(compressors: Partial<Compressors>): void {
  current = { ...current, ...compressors }
}

export function compressors(): Compressors {
  return current
}

/** The highest compression ratio of deflate, so that no memory is allocated for a false claim. @limit format, times */
export const MAX_RATIO = 1032

/** The `length` bytes of one block of LZ4, as filters hold them: without a length before it. */
export async function decompressLz4(
  block: Uint8Array,
  length: number,
  dictionary?: Uint8Array,
): Promise<Uint8Array> {
  const bytes = await current.decompressLz4(block, length, dictionary)
  if (bytes.length !== length) throw new Error(`an LZ4 block holds ${bytes.length} bytes, not ${length}`)
  return bytes
}

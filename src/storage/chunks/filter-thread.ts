// One of the threads of filter-threads.ts: one task after another.

import { parentPort } from 'node:worker_threads'
import { decodeChunk, encodeChunk } from '../../filters/pipeline.ts'
import type { FilterResult, FilterTask } from './filter-threads.ts'

parentPort?.on('message', async (task: FilterTask) => {
  try {
    const { bytes, mask } = await run(task)
    const own = withOwnMemory(bytes)
    post({ bytes: own, mask }, own.buffer as ArrayBuffer)
  } catch (error) {
    post({ failure: error instanceof Error ? error.message : String(error) })
  }
})

async function run({ pipeline, bytes, decode }: FilterTask): Promise<{ bytes: Uint8Array; mask: number }> {
  if (!decode) return encodeChunk(pipeline, bytes)
  return { bytes: await decodeChunk(pipeline, { bytes, mask: decode.mask }, decode.length), mask: 0 }
}

/** The bytes in memory that holds little else, so that it can be handed over and kept. */
function withOwnMemory(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength <= bytes.length * 1.125 ? bytes : bytes.slice()
}

function post(result: FilterResult, ...transfer: ArrayBuffer[]): void {
  parentPort?.postMessage(result, transfer)
}

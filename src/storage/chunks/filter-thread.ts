// One of the threads of filter-threads.ts: one task after another.

import { parentPort } from 'node:worker_threads'
import { IN_THIS_THREAD } from './filter-runner.ts'
import type { FilterResult, FilterTask } from './filter-threads.ts'

parentPort?.on('message', async (task: FilterTask) => {
  try {
    await run(task)
  } catch (error) {
    post({ failure: error instanceof Error ? error.message : String(error) }, [])
  }
})

async function run(task: FilterTask): Promise<void> {
  if (task.op === 'decode') {
    const decoded = await IN_THIS_THREAD.decode(task.pipeline, task, task.into)
    post({ decoded }, [decoded.chunk, decoded.memory])
    return
  }
  if (task.op === 'decodeNew') {
    const chunk = own(await IN_THIS_THREAD.decodeNew(task.pipeline, task, task.length, task.least))
    post({ chunk }, [chunk])
    return
  }
  const { bytes, mask, memory } = await IN_THIS_THREAD.encode(task.pipeline, task.bytes)
  const encoded = own(bytes)
  post({ encoded: { bytes: encoded, mask, memory } }, [encoded, memory])
}

/** Only memory that holds nothing else can be handed over. */
function own(bytes: Uint8Array): Uint8Array {
  return bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()
}

function post(result: FilterResult, memory: readonly Uint8Array[]): void {
  parentPort?.postMessage(
    result,
    memory.map(({ buffer }) => buffer as ArrayBuffer),
  )
}

// One of the threads of filter-threads.ts: one task after another.

import { parentPort } from 'node:worker_threads'
import { IN_THIS_THREAD } from './filter-runner.ts'
import type { FilterResult, FilterTask } from './filter-threads.ts'

parentPort?.on('message', async (task: FilterTask) => {
  try {
    await run(task)
  } catch (error) {
    post({ failure: error instanceof Error ? error.message : String(error) })
  }
})

async function run(task: FilterTask): Promise<void> {
  if (task.op === 'decode') {
    await IN_THIS_THREAD.decode(task.pipeline, task, task.into)
    post({})
    return
  }
  const { bytes, mask } = await IN_THIS_THREAD.encode(task.pipeline, task.bytes)
  // Its memory is handed over, so it must hold nothing else.
  const own = bytes.length === bytes.buffer.byteLength ? bytes : bytes.slice()
  post({ encoded: { bytes: own, mask } }, own.buffer as ArrayBuffer)
}

function post(result: FilterResult, ...transfer: ArrayBuffer[]): void {
  parentPort?.postMessage(result, transfer)
}

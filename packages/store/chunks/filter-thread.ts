// One of the threads of filter-threads.ts: one task after another.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort } from 'node:worker_threads'
import { ownBytes } from '@hyperslab/model/values'
import { IN_THIS_THREAD } from './filter-runner.ts'
import type { FilterResult, FilterTask } from './filter-threads.ts'

/**
 * V8 looks for dead buffers of a thread when it has made 64 MiB of them: a process with two threads of filters would
 * need 128 MiB more. A collection of the young generation, which is nearly empty here, takes some 0.1 ms.
 */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void
const BYTES_OF_A_COLLECTION = 4 * 2 ** 20
let uncollected = 0

parentPort?.on('message', async (task: FilterTask) => {
  uncollected += decodedLength(task)
  try {
    await run(task)
  } catch (error) {
    post({ failure: error instanceof Error ? error.message : String(error) }, [])
  }
  if (uncollected < BYTES_OF_A_COLLECTION) return
  uncollected = 0
  collect({ type: 'minor' })
})

function decodedLength(task: FilterTask): number {
  switch (task.op) {
    case 'encode':
      return task.bytes.length
    case 'decode':
      return task.into.length
    case 'decodeNew':
    case 'frame':
      return task.length
  }
}

async function run(task: FilterTask): Promise<void> {
  if (task.op === 'decode') {
    const decoded = await IN_THIS_THREAD.decode(task.pipeline, task, task.into)
    post({ decoded }, [decoded.chunk, decoded.memory])
    return
  }
  if (task.op === 'decodeNew') {
    const chunk = ownBytes(await IN_THIS_THREAD.decodeNew(task.pipeline, task, task.length, task.least))
    post({ chunk }, [chunk])
    return
  }
  if (task.op === 'frame') {
    const chunk = ownBytes(await IN_THIS_THREAD.frame(task.pipeline, task, task.length))
    post({ chunk }, [chunk])
    return
  }
  const { bytes, mask, memory } = await IN_THIS_THREAD.encode(task.pipeline, task.bytes)
  const encoded = ownBytes(bytes)
  post({ encoded: { bytes: encoded, mask, memory } }, [encoded, memory])
}

function post(result: FilterResult, memory: readonly Uint8Array[]): void {
  parentPort?.postMessage(
    result,
    memory.map(({ buffer }) => buffer as ArrayBuffer),
  )
}

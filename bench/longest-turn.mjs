// Loaded into the service by measure.mjs (`node --import`): measures the longest turn of its event loop, in processor
// time of its main thread, which other processes do not lengthen as they do the time on the clock. Linux brings that
// time up to date some milliseconds late, which can add to a turn what others used: it counts for no more than the time
// on the clock. Linux only. On SIGUSR2 the turn's milliseconds are written to the file that HYPERSLAB_BENCH_TURNS
// names, and the measuring begins anew.

import { readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const SCHEDULED = `/proc/self/task/${process.pid}/schedstat`

let longest = 0
let last = processorTime()
let begun = performance.now()

function processorTime() {
  return Number(readFileSync(SCHEDULED, 'utf8').split(' ')[0]) / 1e6
}

function turn() {
  const used = processorTime() - last
  longest = Math.max(longest, Math.min(used, performance.now() - begun))
  last += used
  begun = performance.now()
  setImmediate(turn).unref()
}

if (isMainThread && process.argv.includes('serve')) {
  turn()
  process.on('SIGUSR2', () => {
    writeFileSync(process.env.HYPERSLAB_BENCH_TURNS, String(longest))
    longest = 0
  })
}

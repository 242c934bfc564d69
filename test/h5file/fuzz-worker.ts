// A process that damages files and reads them (scripts/fuzz-h5.mjs starts it): a message names a file, a seed and how
// many cases; a message back tells of each case before it begins, and one when it broke a rule.

import { existsSync, readFileSync } from 'node:fs'
import { openH5File } from '@hyperslab/h5/reader'
import { sourceOf } from '../fixtures/file-of-structures.ts'
import { randomFrom, SeedFile } from './mutations.ts'
import { readEverything } from './read-everything.ts'
import { readMounted } from './read-mounted.ts'

/**
 * The bounds of any hostile file: processor time, 2 s on an idle machine, and memory above that of the process at rest.
 * A busy machine makes all work slower: the time counts in units of work that takes 100 ms where nothing else runs.
 */
const MOST_MILLISECONDS = 2000
const MOST_UNITS = 20
const UNIT_ROUNDS = 50
const MOST_MEBIBYTES = 64

interface Order {
  readonly file: string
  readonly seed: number
  readonly first: number
  readonly count: number
}

/**
 * The greatest memory that the process ever had, in MiB. Linux counts in `maxRSS` what the process that started this
 * one had, which is more than most cases take.
 */
const peak = () => {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
  const kibibytes = /^VmHWM:\s*(\d+)/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS
  return Number(kibibytes) / 1024
}
/** The memory that it has now, in MiB. */
const resident = () => process.memoryUsage.rss() / 2 ** 20
const busy = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const openBytes = (bytes: Uint8Array) => () => openH5File(sourceOf(bytes), 'damaged.h5')

/** The processor time of the unit of work now. */
function unitNow(): number {
  const started = busy()
  const bytes = new Uint8Array(2 ** 20)
  for (let round = 0; round < UNIT_ROUNDS; round++)
    for (let i = 1; i < bytes.length; i++) bytes[i] = bytes[i - 1] ^ (i * 7 + round)
  return busy() - started
}

let rest = 0

process.on('message', async (message: unknown) => {
  // Sent by fuzz-h5.mjs only.
  const { file, seed, first, count } = message as Order
  const original = new SeedFile(readFileSync(file))
  // The memory at rest: the code that reads the undamaged file, compiled.
  await readEverything(openBytes(original.bytes))
  await readMounted(original.bytes)
  globalThis.gc?.()
  rest = Math.max(rest, peak())
  for (let index = first; index < first + count; index++) {
    process.send?.({ file, seed, index })
    const bytes = original.mutate(randomFrom(seed + index * 7919))
    const started = busy()
    const broken = await brokenRule(bytes, started, index % 2 === 1)
    if (broken !== undefined) process.send?.({ file, seed, index, broken })
    // A collection takes longer than most cases. Without more memory than at rest, what this one left takes none from
    // the next one.
    if (resident() <= rest && peak() <= rest + MOST_MEBIBYTES) continue
    globalThis.gc?.()
    rest = Math.max(rest, resident(), peak() - MOST_MEBIBYTES)
  }
  process.send?.({ done: count })
})
process.on('disconnect', () => process.exit())

/** `isMounted`: the file is read as a mounted one, otherwise as one that is imported. */
async function brokenRule(
  bytes: Uint8Array,
  started: number,
  isMounted: boolean,
): Promise<string | undefined> {
  try {
    if (isMounted) await readMounted(bytes)
    else await readEverything(openBytes(bytes))
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  const milliseconds = busy() - started
  const mebibytes = peak() - rest
  if (milliseconds > MOST_MILLISECONDS && milliseconds > MOST_UNITS * unitNow())
    return `it took ${Math.round(milliseconds)} ms`
  return mebibytes > MOST_MEBIBYTES ? `it took ${Math.round(mebibytes)} MiB` : undefined
}

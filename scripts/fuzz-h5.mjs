// `npm run fuzz -- SECONDS SEED FOLDER`: damages small HDF5 files and reads them, for a number of seconds (default:
// 60), in two processes of limited memory. `npm run fuzz -- 1800cases` reads that number of damaged files, however long
// that takes. The files are those of FOLDER, or those of test/h5py/make-structures.py. A file may only give errors of
// the reader's own kind, in 2 s of processor time and with 64 MiB above rest. What breaks a rule is printed, with what
// repeats it: `npm run fuzz -- FILE SEED INDEX`.

import { fork, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleTest, PYTHON, pythonScript } from './h5-tests.mjs'

const LARGEST = 300 * 1024
const CASES_AT_ONCE = 8
const WORKERS = 2
/** A process that tells nothing for so long hangs; the machine may be busy. */
const SILENCE = 30_000
const MEMORY = ['--expose-gc', '--max-old-space-size=128']
/**
 * Each damaged file runs other code, few of it often: V8 compiles all of it quickly, and well only what runs very
 * often.
 */
const COMPILING = ['--always-sparkplug']
// V8 of Node 20 has it; later versions have other ones.
if (process.versions.node.startsWith('20.')) COMPILING.push('--interrupt-budget=500000')

const [what = '60', seedText, third] = process.argv.slice(2)
const worker = await bundleTest('h5file/fuzz-worker.ts')
const seed = seedText === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(seedText)
const repeated = existsSync(what) ? [{ file: what, seed, first: Number(third), count: 1 }] : undefined
const end = Date.now() + Number.parseFloat(what) * 1000
const isOver = () =>
  what.endsWith('cases') ? (next - begin) * CASES_AT_ONCE >= Number.parseFloat(what) : Date.now() > end
console.log(`seed ${seed}`)

const made = repeated || third !== undefined ? undefined : makeFiles()
const files = repeated ? [] : filesOf(made ?? third)
// Short runs meet other files each time.
const begin = files.length === 0 ? 0 : seed % files.length
let next = begin
let cases = 0
const broken = new Map()
await Promise.all(Array.from({ length: WORKERS }, runWorker))
console.log(
  `${cases} damaged files were read, ${[...broken.values()].reduce((sum, { count }) => sum + count, 0)} broke a rule.`,
)
if (made && broken.size === 0) rmSync(made, { recursive: true })
process.exit(broken.size === 0 ? 0 : 1)

function makeFiles() {
  const folder = mkdtempSync(join(tmpdir(), 'hyperslab-fuzz-'))
  const { status, stderr } = spawnSync(PYTHON, [pythonScript('make-structures.py'), folder], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`make-structures.py failed: ${stderr}`)
  return folder
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map(name => join(folder, name))
    .filter(file => statSync(file).isFile() && statSync(file).size <= LARGEST)
    .sort()
}

function nextOrder() {
  if (repeated) return repeated.pop()
  if (isOver()) return undefined
  const file = files[next % files.length]
  const first = Math.floor(next / files.length) * CASES_AT_ONCE
  next++
  return { file, seed, first, count: CASES_AT_ONCE }
}

/** The process is another one after each that ended, and its orders go on behind the case that ended it. */
async function runWorker() {
  let child
  for (let order = nextOrder(); order; ) {
    child ??= fork(worker, { execArgv: [...MEMORY, ...COMPILING] })
    const ended = await runOrder(child, order)
    if (ended === undefined) {
      order = nextOrder()
      continue
    }
    child = undefined
    const done = ended.index + 1 - order.first
    order =
      done < order.count ? { ...order, first: order.first + done, count: order.count - done } : nextOrder()
  }
  child?.disconnect()
}

/** The case that ended the process, or undefined. */
function runOrder(child, order) {
  return new Promise(settle => {
    let last = { ...order, index: order.first - 1 }
    const hang = () => {
      note(last, `nothing happened for ${SILENCE / 1000} s`)
      finish({ ...last, index: Math.max(last.index, order.first) })
      child.kill('SIGKILL')
    }
    let timer = setTimeout(hang, SILENCE)
    const finish = result => {
      clearTimeout(timer)
      child.removeAllListeners()
      settle(result)
    }
    child.on('exit', (code, signal) => {
      note(last, `the process ended with ${signal ?? code}`)
      finish({ ...last, index: Math.max(last.index, order.first) })
    })
    child.on('message', message => {
      clearTimeout(timer)
      timer = setTimeout(hang, SILENCE)
      if (message.done !== undefined) return finish(undefined)
      last = message
      if (message.broken !== undefined) note(message, message.broken)
      else cases++
    })
    child.send(order)
  })
}

/** Counts what broke in the same way: numbers differ from file to file. */
function note({ file, index }, message) {
  const key = message
    .split('\n')
    .slice(0, 8)
    .join('\n')
    .replace(/^(.*)$/m, line => line.replace(/\d+/g, 'N'))
  const known = broken.get(key)
  if (known) {
    known.count++
    return
  }
  broken.set(key, { count: 1, file, index })
  console.log(`\n${file} ${seed} ${index}:\n${message}`)
}

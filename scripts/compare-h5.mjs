// `npm run compare -- FOLDER [DESCRIPTIONS]`: compares every HDF5 file below a folder, read by our reader, with what
// libhdf5 reads (test/h5py/describe.py, which needs a Python with h5py: HYPERSLAB_TEST_PYTHON). A line for each file
// that is not equal: `different` (with the first difference), `refused` (with the reason), `defect` (an error that is
// not the reader's own, or a process that ended or took too long); then the counts. DESCRIPTIONS is a folder where what
// libhdf5 says is kept for next time.

import { fork, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { bundleTest, PYTHON, pythonScript } from './h5-tests.mjs'

const SECONDS = 120

const [folder, keptDescriptions] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Say which folder of HDF5 files is to be compared: npm run compare -- FOLDER [DESCRIPTIONS]')
  process.exit(2)
}

const worker = await bundleTest('h5py/compare-worker.ts')
const descriptions = resolve(keptDescriptions ?? mkdtempSync(join(tmpdir(), 'hyperslab-descriptions-')))
mkdirSync(descriptions, { recursive: true })
const files = readdirSync(folder, { recursive: true })
  .map(name => resolve(folder, name))
  .filter(file => statSync(file).isFile())
  .sort()
const nameOf = file => relative(resolve(folder), file)
const descriptionOf = file => join(descriptions, `${nameOf(file).replaceAll('/', '@')}.json`)
describeMissing()

const results = new Map()
const waiting = files.values()
await Promise.all(Array.from({ length: availableParallelism() }, compareNext))
if (keptDescriptions === undefined) rmSync(descriptions, { recursive: true })
report()

function describeMissing() {
  const missing = files.filter(file => !existsSync(descriptionOf(file)))
  for (let at = 0; at < missing.length; at += 50) {
    const some = missing.slice(at, at + 50)
    const { stdout, stderr, status } = spawnSync(PYTHON, [pythonScript('describe.py'), ...some], {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    })
    if (status !== 0) throw new Error(`describe.py failed: ${stderr}`)
    const lines = stdout.trimEnd().split('\n')
    for (const [index, file] of some.entries()) writeFileSync(descriptionOf(file), lines[index])
  }
}

/** One process compares many files, until a file ends it. */
async function compareNext() {
  let child
  for (const file of waiting) {
    child ??= fork(worker, { execArgv: ['--max-old-space-size=1024'] })
    const result = await compareIn(child, file)
    results.set(file, result)
    if (result.ended) child = undefined
  }
  child?.disconnect()
}

function compareIn(child, file) {
  return new Promise(settle => {
    const end = message => {
      clearTimeout(timer)
      child.removeAllListeners()
      child.kill('SIGKILL')
      settle({
        ended: true,
        findings: [{ path: '', kind: 'defect', message }],
        milliseconds: 0,
        mebibytes: 0,
      })
    }
    const timer = setTimeout(end, SECONDS * 1000, `it takes longer than ${SECONDS} s`)
    child.once('exit', (code, signal) => end(`the process ended with ${signal ?? code}`))
    child.once('message', result => {
      clearTimeout(timer)
      child.removeAllListeners('exit')
      settle(result)
    })
    child.send({ file, description: descriptionOf(file) })
  })
}

function report() {
  const counts = { equal: 0, beyond: 0, refused: 0, different: 0, defect: 0 }
  for (const [file, { findings, milliseconds, mebibytes }] of [...results].sort()) {
    const worst = ['defect', 'different', 'refused', 'beyond'].find(kind =>
      findings.some(finding => finding.kind === kind),
    )
    counts[worst ?? 'equal']++
    if (milliseconds > 5000) console.log(`slow\t${nameOf(file)}\t${milliseconds} ms, ${mebibytes} MiB`)
    if (worst === undefined) continue
    const of = findings.filter(finding => finding.kind === worst)
    for (const { path, message } of process.env.HYPERSLAB_ALL_FINDINGS ? of : of.slice(0, 1)) {
      console.log(
        [worst, nameOf(file), `${path} (${of.length})`, message.replaceAll('\n', ' ')]
          .join('\t')
          .slice(0, 1500),
      )
    }
  }
  console.log(
    Object.entries(counts)
      .map(([kind, count]) => `${count} ${kind}`)
      .join(', '),
  )
}

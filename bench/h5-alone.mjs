// The package @hyperslab/h5 beside h5wasm and jsfive, in Node, on the files of a folder: how many each opens, how many
// it reads whole (each value of each dataset and attribute that hard links reach), where numbers differ from those of
// h5wasm, and the time of opening and reading the files that all of them read whole. Run by
// `node bench/h5-alone.mjs FOLDER [ROUNDS]` after `node packages/h5/build.mjs`. Rounds are in turn, medians and the
// least and the most are printed.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import h5wasm from 'h5wasm/node'
import { File as JsFile } from 'jsfive'
import { fileSource, openFile } from '../dist/h5/reader.js'

const [folder, rounds = '7'] = process.argv.slice(2)
if (folder === undefined) throw new Error('name a folder with HDF5 files')
await h5wasm.ready

/** Each calls `onValues` with the path and the values of each dataset, and throws for what it cannot read. */
const READERS = { h5: readH5, h5wasm: readH5wasm, jsfive: readJsfive }

async function readH5(path, onValues, onOpen) {
  const handle = await open(path)
  try {
    const file = await openFile(await fileSource(handle))
    onOpen()
    const seen = new Set()
    const walk = async object => {
      if (seen.has(object.address)) return
      seen.add(object.address)
      for await (const _ of object.attributes());
      if (object.kind === 'dataset' && object.shape) onValues(object.path, (await object.read()).values)
      if (object.kind === 'group') for await (const [, child] of object.children()) await walk(child)
    }
    await walk(file.root)
    if (file.warnings.length > 0) throw new Error(file.warnings[0].message)
  } finally {
    await handle.close()
  }
}

async function readH5wasm(path, onValues, onOpen) {
  const file = new h5wasm.File(path, 'r')
  if (file.file_id < 0n) throw new Error('it is not opened')
  try {
    onOpen()
    const seen = new Set()
    const walk = (group, at) => {
      for (const name of Object.keys(group.attrs)) void group.attrs[name].value
      for (const title of group.keys()) {
        const child = group.get(title)
        const childPath = `${at}/${title}`
        if (child instanceof h5wasm.Dataset) {
          for (const name of Object.keys(child.attrs)) void child.attrs[name].value
          onValues(childPath, child.value)
        } else if (
          child instanceof h5wasm.Group &&
          !seen.has(childPath) &&
          childPath.split('/').length < 20
        ) {
          seen.add(childPath)
          walk(child, childPath)
        }
      }
    }
    walk(file, '')
  } finally {
    file.close()
  }
}

async function readJsfive(path, onValues, onOpen) {
  const bytes = readFileSync(path)
  const file = new JsFile(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), path)
  onOpen()
  const walk = (group, at) => {
    void group.attrs
    for (const title of group.keys) {
      const child = group.get(title)
      if (child === null || child === undefined) continue
      const childPath = `${at}/${title}`
      if (Array.isArray(child.keys) && childPath.split('/').length < 20) walk(child, childPath)
      else if ('value' in child) {
        void child.attrs
        onValues(childPath, child.value)
      }
    }
  }
  walk(file, '')
}

function sumOf(values) {
  const isNumbers = ArrayBuffer.isView(values) || (Array.isArray(values) && typeof values[0] === 'number')
  if (!isNumbers || typeof values[0] === 'bigint') return undefined
  let sum = 0
  for (const value of values) sum += Number.isFinite(value) ? value : 0
  return sum
}

function filesIn(path) {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path).flatMap(name => filesIn(join(path, name)))
}

/** HDF5 files, by their signature. */
const files = filesIn(folder).filter(path => readFileSync(path).includes('\x89HDF\r\n\x1a\n', 0, 'latin1'))
// Libraries print their complaints.
const { error, warn, log } = console
const quiet = () => Object.assign(console, { error: () => {}, warn: () => {}, log: () => {} })
const loud = () => Object.assign(console, { error, warn, log })

const results = new Map()
for (const [name, read] of Object.entries(READERS)) {
  const result = { opened: 0, whole: new Set(), sums: new Map(), failures: new Map() }
  results.set(name, result)
  for (const path of files) {
    quiet()
    try {
      await read(
        path,
        (dataset, values) => result.sums.set(`${path} ${dataset}`, sumOf(values)),
        () => result.opened++,
      )
      result.whole.add(path)
    } catch (failure) {
      result.failures.set(path, failure instanceof Error ? failure.message : String(failure))
    }
    loud()
  }
}

console.log(`${cpus()[0].model}, ${cpus().length} processors, Node ${process.version}, ${files.length} files`)
const oracle = results.get('h5wasm').sums
for (const [name, { opened, whole, sums, failures }] of results) {
  const other = [...sums].filter(
    ([key, sum]) => sum !== undefined && oracle.get(key) !== undefined && !isNear(sum, oracle.get(key)),
  )
  console.log(
    `${name}: opens ${opened}, reads ${whole.size} whole; ${other.length} datasets differ from h5wasm`,
  )
  if (process.env.H5_ALONE_DETAILS) {
    for (const [path, message] of failures) console.log(`  ${path}: ${message}`)
    for (const [key, sum] of other) console.log(`  ${key}: ${sum} instead of ${oracle.get(key)}`)
  }
}

function isNear(one, other) {
  return Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(one), Math.abs(other))
}

const common = files.filter(path => [...results.values()].every(({ whole }) => whole.has(path)))
const times = new Map(Object.keys(READERS).map(name => [name, []]))
for (let round = 0; round <= Number(rounds); round++) {
  for (const [name, read] of Object.entries(READERS)) {
    quiet()
    const start = performance.now()
    for (const path of common)
      await read(
        path,
        () => {},
        () => {},
      )
    const time = performance.now() - start
    loud()
    // The first round compiles.
    if (round > 0) times.get(name).push(time)
  }
}
console.log(`opening and reading the ${common.length} files that all read whole, ms:`)
for (const [name, list] of times) {
  const sorted = list.toSorted((a, b) => a - b)
  const show = value => value.toFixed(0)
  console.log(`${name}: ${show(sorted[sorted.length >> 1])} (${show(sorted[0])} to ${show(sorted.at(-1))})`)
}

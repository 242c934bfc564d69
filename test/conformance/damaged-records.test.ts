// A file of records that was cut short, or is damaged, is an error that says so. LMDB itself would end the process by a
// signal.

import { spawnSync } from 'node:child_process'
import {
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inFolder, openEngine } from '@hyperslab/store/engines'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { add, bytes, commit, counter, set, withSnapshot } from './engine-fixture.ts'

const READER = fileURLToPath(new URL('read-records.mjs', import.meta.url))
const SEED = Number(process.env.HYPERSLAB_DAMAGE_SEED ?? Date.now() % 2 ** 31)
const RECORDS = 3000
/** How many of the records are longer than a page. */
const LONG = 100
const PAGE = 4096

let folder: string
let whole: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-damaged-'))
  whole = join(folder, 'whole')
  const engine = await openEngine(inFolder(whole))
  const keys = Array.from({ length: RECORDS }, (_, number) => `key ${String(number).padStart(100, '0')}`)
  const long = 'v'.repeat(3 * PAGE)
  await commit(engine, ...keys.map((key, number) => set(key, number < LONG ? long : `value ${number}`)))
  // Pages that are used again, and free ones.
  for (let round = 0; round < 5; round++) await commit(engine, add('count', 1), set(keys[round], long))
  await engine.close()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The report of a process that reads the folders, whose files of records `change` makes. Fails if a signal ends it. */
function readDamaged(changes: readonly ((file: string) => void)[]): string[] {
  const folders = changes.map((change, index) => {
    const copy = join(folder, `copy${index}`)
    cpSync(whole, copy, { recursive: true })
    change(join(copy, 'lmdb', 'data.mdb'))
    return copy
  })
  const { signal, stdout } = spawnSync(process.execPath, [READER, ...folders], { encoding: 'utf8' })
  const said = stdout.trimEnd().split('\n')
  expect(signal, `seed ${SEED}, after ${said.length} of ${changes.length}: ${said.at(-1)}`).toBe(null)
  for (const copy of folders) rmSync(copy, { recursive: true })
  expect(said).toHaveLength(changes.length)
  return said
}

const DAMAGED =
  /^records-damaged the records of the store are damaged \(data\.mdb: .+\): restore the data folder/

it('a whole file is read, also one whose last pages are free and were never written', () => {
  expect(readDamaged([() => {}])).toEqual([`${RECORDS + 1} records`])
})

it('a file that was cut short is an error, at any length', () => {
  const { length } = readFileSync(join(whole, 'lmdb', 'data.mdb'))
  const lengths = [0, 1, 100, 168, PAGE - 1, PAGE, PAGE + 100, 2 * PAGE, 3 * PAGE, 10 * PAGE + 7]
  for (let part = 1; part < 20; part++) lengths.push(Math.floor((length * part) / 20))
  const said = readDamaged(lengths.map(length => file => truncateSync(file, length)))
  for (const [i, line] of said.entries()) expect(line, `${lengths[i]} bytes`).toMatch(DAMAGED)
})

it.each([
  ['nothing but zeros', () => Buffer.alloc(20 * PAGE)],
  ['text', () => Buffer.from('no records\n'.repeat(2000))],
  [
    'a database of another program',
    () => Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(8 * PAGE, 7)]),
  ],
  ['less than a page', () => Buffer.from('SQLite')],
])('%s in the place of the file is an error', (_what, content) => {
  expect(readDamaged([file => writeFileSync(file, content())])).toEqual([expect.stringMatching(DAMAGED)])
})

it(`flipped bits end no process, seed ${SEED}`, () => {
  const original = readFileSync(join(whole, 'lmdb', 'data.mdb'))
  let state = SEED
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const changes = Array.from({ length: 150 }, (_, index) => (file: string) => {
    const copy = Buffer.from(original)
    for (let flips = [1, 1, 3, 40][index % 4]; flips > 0; flips--) {
      const at = below(copy.length)
      // Half of them in the numbers at the beginning of a page.
      copy[flips % 2 ? at - (at % PAGE) + below(200) : at] ^= 1 << below(8)
    }
    writeFileSync(file, copy)
  })
  const said = readDamaged(changes)
  for (const line of said) expect(line).toMatch(/^(\d+ records$|records-damaged )/)
  expect(said.filter(line => DAMAGED.test(line)).length).toBeGreaterThan(10)
})

it('a folder with values and without a file of records is an error, and stays as it is', async () => {
  const lost = join(folder, 'lost')
  cpSync(whole, lost, { recursive: true })
  rmSync(join(lost, 'lmdb'), { recursive: true })
  mkdirSync(join(lost, 'blobs', 'ab'), { recursive: true })
  closeSync(openSync(join(lost, 'blobs', 'ab', '01'), 'w'))
  await expect(openEngine(inFolder(lost))).rejects.toMatchObject({ code: 'records-damaged' })
  expect(() => readFileSync(join(lost, 'lmdb', 'data.mdb'))).toThrow('ENOENT')
})

it('processes that make a store at the same time make one', async () => {
  const place = join(folder, 'new')
  const engines = await Promise.all([
    openEngine(inFolder(place)),
    openEngine(inFolder(place)),
    openEngine(inFolder(place)),
  ])
  for (const engine of engines) await commit(engine, add('count', 1))
  expect(await withSnapshot(engines[0], async snapshot => counter(await snapshot.get(bytes('count'))))).toBe(
    3n,
  )
  for (const engine of engines) await engine.close()
})

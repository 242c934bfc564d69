// A mounted folder whose datasets have their values in other files, virtual or external: what happens to one of these
// is in the next answer, and no entity tag says otherwise.

import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedHere, serveHere } from '../fixtures/served.ts'
import { type Reply, sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'
import { isMissing, PYTHON, run } from './h5py.ts'

const missing = isMissing('a Python with h5py', PYTHON !== undefined)

/** The value of each row of a dataset, or undefined: its source is missing. */
type Rows = readonly (number | undefined)[]

describe.skipIf(missing)('a source', () => {
  let directory: string
  let files: string
  let server: ServedHere

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    files = join(directory, 'files')
    const made = join(directory, 'made')
    mkdirSync(made)
    run('make-sources.py', [made])
    for (const { file } of DATASETS) {
      cpSync(made, join(files, file), { recursive: true })
      // A file that was changed a moment ago may not be complete yet, and a fault of it is 503.
      utimesSync(join(files, file, file), 0, 0)
    }
    server = await serveHere({ mount: [`${files}=/lab`] })
  })

  afterAll(async () => {
    await server?.end()
    rmSync(directory, { recursive: true, force: true })
  })

  const DATASETS = [
    { file: 'virtual.h5', source: (row: number) => `s${row}.h5` },
    { file: 'nested.h5', source: (row: number) => `s${row}.h5` },
    { file: 'external.h5', source: (row: number) => `r${row}.raw` },
  ]

  /** The changes, one after the other, and the rows after each. `pathOf`: of the source of a row. */
  const CHANGES: readonly [string, (pathOf: (row: number, folder?: string) => string) => void, Rows][] = [
    ['replaced', pathOf => renameSync(pathOf(1, 'later'), pathOf(1)), [0, 11, undefined]],
    ['created', pathOf => copyFileSync(pathOf(2, 'later'), pathOf(2)), [0, 11, 21]],
    ['written', pathOf => writeFileSync(pathOf(0), readFileSync(pathOf(0, 'later'))), [1, 11, 21]],
    ['removed', pathOf => rmSync(pathOf(1)), [1, undefined, 21]],
  ]

  it.each(DATASETS)(
    'of $file that is replaced, created, written or removed is in the next answer',
    async ({ file, source }) => {
      const ask = (path: string, accept: string, tag = '') =>
        sendTo(server.address, 'GET', `${path}domain=/lab/${file}/${file}`, undefined, {
          headers: { accept, ...(tag && { 'if-none-match': tag }) },
        })
      const { root } = (await ask('/?', 'application/json')).json<{ root: string }>()
      const link = await ask(`/groups/${root}/links/rows?`, 'application/json')
      const { id } = link.json<{ link: { id: string } }>().link
      const tags = new Map<string, string>()

      /** Each row, in both forms, and that it is unchanged only where it is. */
      async function expectRows(what: string, rows: Rows, before: Rows): Promise<void> {
        for (const [row, value] of rows.entries()) {
          for (const accept of ['application/json', 'application/octet-stream']) {
            const path = `/datasets/${id}/value?select=[${row}:${row + 1},0:4]&`
            const key = `${row} ${accept}`
            const conditional = await ask(path, accept, tags.get(key))
            const about = `${what}, row ${row}, ${accept}`
            if (value === undefined) {
              expect(conditional.status, about).toBe(501)
              expect(conditional.text, about).toContain(source(row))
              continue
            }
            const isKnown = tags.has(key) && before[row] === value
            expect(conditional.status, about).toBe(isKnown ? 304 : 200)
            const reply = await ask(path, accept)
            expect(valuesOf(reply, accept), about).toEqual(Array(4).fill(value))
            // The tag of JSON is that of its bytes; the bytes of values are sent before all of them have been read.
            const { etag } = reply.headers
            expect(etag === undefined, about).toBe(accept !== 'application/json')
            if (etag !== undefined) tags.set(key, etag)
          }
        }
      }

      let before: Rows = [0, 10, undefined]
      await expectRows('at first', before, [])
      for (const [what, change, rows] of CHANGES) {
        change((row, folder = '') => join(files, file, folder, source(row)))
        await expectRows(what, rows, before)
        before = rows
      }
    },
  )
})

function valuesOf(reply: Reply, accept: string): readonly number[] {
  if (accept === 'application/json') return reply.json<{ value: number[][] }>().value[0] ?? []
  const bytes = reply.bytes
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readInt32LE(4 * index))
}

// The notebooks of the guide: their cells run in order against a service as the guide makes it, with the Python of
// Debian and without Jupyter, and they are kept without outputs.

import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { run, SYSTEM_PYTHON, tellSkipped } from './clients.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const NOTEBOOKS = join(ROOT, 'docs/guide/notebooks')
const WRITTEN_ADDRESS = 'http://127.0.0.1:5101'
/** The last line that each notebook prints: all cells have run. */
const LAST_LINES: Record<string, RegExp> = { 'first-look.ipynb': /^\/log \[0\] \[2\] \[1 2\]$/m }
const DEADLINE_MS = 300_000

const found = await run(SYSTEM_PYTHON, ['-c', 'import numpy, urllib3'], process.env, DEADLINE_MS)
const isMissing = found.status !== 0
if (isMissing) tellSkipped('the notebooks of the guide', `${SYSTEM_PYTHON} lacks numpy or urllib3`)

interface Notebook {
  readonly nbformat: number
  readonly cells: readonly Cell[]
}

interface Cell {
  readonly cell_type: string
  readonly source: readonly string[]
  readonly outputs?: readonly unknown[]
  readonly execution_count?: number | null
}

/** Each cell is compiled by itself, so an error names it. */
const RUNNER = `
import json, sys
names = {'__name__': '__main__'}
for number, cell in enumerate(json.loads(sys.argv[1])):
    exec(compile(cell, f'cell {number}', 'exec'), names)
`

describe.each(readdirSync(NOTEBOOKS))('%s', name => {
  const { nbformat, cells }: Notebook = JSON.parse(readFileSync(join(NOTEBOOKS, name), 'utf8'))
  const code = cells.filter(cell => cell.cell_type === 'code')
  let directory: string
  let server: RunningServer

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    server = await startServer(directory)
    await runCommand(directory, ['user', 'add', 'ann'], 'ann-secret\n')
    await runCommand(directory, ['user', 'add', 'root', '--admin'], 'root-secret\n')
    const made = await fetch(`${server.address}/?domain=/lab`, {
      method: 'PUT',
      headers: { authorization: `Basic ${btoa('root:root-secret')}` },
      body: JSON.stringify({ folder: true, owner: 'ann' }),
    })
    expect(made.status).toBe(201)
  })
  afterAll(async () => {
    await server.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
  })

  it('is kept without outputs', () => {
    expect(nbformat).toBe(4)
    expect(code.length).toBeGreaterThan(0)
    for (const cell of code) expect(cell).toMatchObject({ outputs: [], execution_count: null })
  })

  it.skipIf(isMissing)('runs in order', async () => {
    const program = JSON.stringify(
      code.map(cell => cell.source.join('').replaceAll(WRITTEN_ADDRESS, server.address)),
    )
    const environment = {
      ...process.env,
      PYTHONPATH: join(ROOT, 'python/src'),
      PYTHONDONTWRITEBYTECODE: '1',
    }
    const { status, output } = await run(SYSTEM_PYTHON, ['-c', RUNNER, program], environment, DEADLINE_MS)
    expect(status, output).toBe(0)
    expect(output).toMatch(LAST_LINES[name] ?? 'a notebook without its last line here')
  })
})

// The scenarios with the real h5pyd, its command-line programs and h5netcdf over it: each script of `scenarios/`
// against the server. A script checks by itself, prints what it checked and ends with the count; its exit status 77
// says that something that it needs is missing, and the line that it prints then says what.

import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { ADMIN, send, uniqueName } from '../wire/client.ts'
import { COMMAND } from '../wire/server.ts'
import { missingH5pyd, runPython, tellSkipped } from './clients.ts'

const FOLDER = fileURLToPath(new URL('./scenarios/', import.meta.url))
const SCRIPTS = readdirSync(FOLDER).filter(name => /^c\d\d_.*\.py$/.test(name))
const SOMETHING_IS_MISSING = 77
const DEADLINE_MS = 600_000

const missing = await missingH5pyd()
if (missing !== undefined) tellSkipped(`${SCRIPTS.length} scenarios with h5pyd`, missing)

describe.skipIf(missing !== undefined)('h5pyd', { timeout: DEADLINE_MS + 10_000 }, () => {
  beforeAll(async () => {
    await makeFolder('/home')
    await makeFolder('/home/test_user1', 'test_user1')
    await makeFolder('/home/test_user2', 'test_user2')
  })

  it.for(SCRIPTS)('%s', async (script, { skip }) => {
    const folder = `/home/test_user1/${uniqueName()}`
    await makeFolder(folder, 'test_user1')
    const settings = {
      HS_ENDPOINT: inject('address'),
      HS_USERNAME: 'test_user1',
      HS_PASSWORD: 'test',
      HYPERSLAB_TEST_FOLDER: folder,
      // Arguments, a line each.
      HYPERSLAB_TEST_COMMAND: `${process.execPath}\n${COMMAND}`,
      HYPERSLAB_TEST_DATA: inject('dataFolder'),
    }
    const { status, output } = await runPython([`${FOLDER}${script}`], settings, DEADLINE_MS)
    if (status === SOMETHING_IS_MISSING) {
      const reason = output.trimEnd().split('\n').at(-1) ?? ''
      tellSkipped(script, reason)
      skip(reason)
    }
    expect(status, output).toBe(0)
    expect(output).toMatch(/\n[1-9]\d* checks\n$/)
  })
})

/** A folder of an owner, made unless it is there: the server may be one that others have used before. */
async function makeFolder(path: string, owner?: string): Promise<void> {
  const reply = await send('PUT', `/?domain=${path}`, { folder: true, owner }, { user: ADMIN })
  expect([201, 409], reply.story).toContain(reply.status)
}

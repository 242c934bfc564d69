// C24: a C program (rest-vol/client.c) that uses HDF5 as any other does, with the REST VOL connector under it. The
// server is killed between writing and reading, and what was flushed must be there.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { missingH5pyd, type ProgramResult, run, runPython, tellSkipped } from './clients.ts'

const SOURCE = fileURLToPath(new URL('./rest-vol/client.c', import.meta.url))
const CROSS_READING = fileURLToPath(new URL('./scenarios/with_rest_vol.py', import.meta.url))
const HDF5 = process.env.HYPERSLAB_HDF5 ?? ''
const CONNECTOR = process.env.HDF5_PLUGIN_PATH ?? ''
const HOME = '/home/test_user1'
const COMPILER = process.env.CC ?? 'cc'
const DEADLINE_MS = 120_000

/** The reason that the program cannot be built or run here; undefined when it can. */
function missingConnector(): string | undefined {
  if (!existsSync(join(HDF5, 'include', 'hdf5.h')))
    return 'HYPERSLAB_HDF5 is not where HDF5 >= 1.14 is installed'
  if (!existsSync(CONNECTOR)) return 'HDF5_PLUGIN_PATH is not a folder with the REST VOL connector'
  if (spawnSync(COMPILER, ['--version']).status !== 0) return 'there is no C compiler (CC, or cc)'
  return undefined
}

const missing = missingConnector()
if (missing !== undefined) tellSkipped('the scenario with the REST VOL', missing)
const missingPython = missing ?? (await missingH5pyd())

describe.skipIf(missing !== undefined)('REST VOL', { timeout: DEADLINE_MS }, () => {
  let directory = ''
  let server: RunningServer
  const program = () => join(directory, 'client')

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    const libraries = ['-I', join(HDF5, 'include'), '-L', join(HDF5, 'lib'), '-lhdf5']
    const compiled = spawnSync(COMPILER, [SOURCE, ...libraries, '-o', program()], { encoding: 'utf8' })
    expect(compiled.status, compiled.stderr).toBe(0)
    await runCommand(directory, ['user', 'add', 'test_user1'], 'test\n')
    await runCommand(directory, ['user', 'add', 'admin', '--admin'], 'admin\n')
    server = await startServer(directory)
    for (const [path, owner] of [['/home'], [HOME, 'test_user1']]) {
      const headers = { authorization: basic('admin') }
      const made = await sendTo(
        server.address,
        'PUT',
        `/?domain=${path}`,
        { folder: true, owner },
        { headers },
      )
      expect(made.status, made.story).toBe(201)
    }
  })

  afterAll(async () => {
    await server?.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
  })

  const client = (...args: readonly string[]): Promise<ProgramResult> => {
    const environment = {
      ...process.env,
      HDF5_VOL_CONNECTOR: 'REST',
      HDF5_PLUGIN_PATH: CONNECTOR,
      HSDS_ENDPOINT: server.address,
      HSDS_USERNAME: 'test_user1',
      HSDS_PASSWORD: 'test',
      LD_LIBRARY_PATH: join(HDF5, 'lib'),
    }
    return run(program(), args, environment, DEADLINE_MS)
  }

  const expectChecks = ({ status, output }: ProgramResult) => {
    expect(status, output).toBe(0)
    expect(output).toMatch(/\n[1-9]\d* checks\n$/)
  }

  test('what it writes is there for another process, also when the server was killed in between', async () => {
    expectChecks(await client('write', `${HOME}/vol.h5`, `${HOME}/other.h5`))
    await server.end('SIGKILL')
    server = await startServer(directory)
    expectChecks(await client('read', `${HOME}/vol.h5`, `${HOME}/other.h5`))
  })

  test.skipIf(missingPython !== undefined)('h5pyd reads its file, and it reads one of h5pyd', async () => {
    const settings = {
      HS_ENDPOINT: server.address,
      HS_USERNAME: 'test_user1',
      HS_PASSWORD: 'test',
      HYPERSLAB_TEST_FOLDER: HOME,
    }
    const args = [CROSS_READING, `${HOME}/vol.h5`, `${HOME}/foreign.h5`]
    expectChecks(await runPython(args, settings, DEADLINE_MS))
    expectChecks(await client('foreign', `${HOME}/foreign.h5`))
  })

  test('it deletes a file', async () => {
    const { status, output } = await client('delete', `${HOME}/vol.h5`)
    expect(status, output).toBe(0)
    const gone = await sendTo(server.address, 'GET', `/?domain=${HOME}/vol.h5`)
    expect([404, 410], gone.story).toContain(gone.status)
  })
})

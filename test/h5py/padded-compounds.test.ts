// Compounds with gaps between their members, or members in another order: a file that was mounted, uploaded or imported
// comes back as HDF5 with the sizes, offsets, values and filters that it had, as libhdf5 finds them.

import { readFileSync } from 'node:fs'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { IN_THIS_THREAD } from '@hyperslab/store/chunks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runExport } from '../../packages/server/cli/export.ts'
import { readSettings } from '../../packages/server/cli/settings/config.ts'
import { runHere } from '../fixtures/commands.ts'
import { importHere } from '../fixtures/imports.ts'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { ADMIN, sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'
import { isMissing, PYTHON, run } from './h5py.ts'

const SCRIPT = 'padded-compounds.py'
const TYPE = 'application/x-hdf5'

describe.skipIf(isMissing('a Python with h5py', PYTHON !== undefined))(
  'compounds with gaps come back',
  () => {
    let directory: string
    let file: string
    let server: ServedHere
    let dataFolder: string

    beforeAll(async () => {
      directory = await newWorkingDirectory()
      const files = join(directory, 'files')
      await mkdir(files)
      file = join(directory, 'padded.h5')
      run(SCRIPT, ['make', file])
      await copyFile(file, join(files, 'mounted.h5'))
      dataFolder = join(directory, 'data')
      await importHere({ [file]: '/lab/imported.h5' }, directory, { dataFolder })
      server = await serveHere({ mount: [`${files}=/lab/files`] }, { dataFolder, users: ACCOUNTS })
    })

    afterAll(async () => {
      await server.end()
      await rm(directory, { recursive: true, force: true })
    })

    /** The differences that libhdf5 finds between the file of a domain and the file that the domain comes from. */
    async function differencesOf(domain: string): Promise<string> {
      const target = `/?domain=${domain}&format=hdf5`
      const { status, bytes, story } = await sendTo(server.address, 'GET', target, undefined, { user: ADMIN })
      expect(status, story).toBe(200)
      const copy = join(directory, 'copy.h5')
      await writeFile(copy, bytes)
      return run(SCRIPT, ['compare', file, copy])
    }

    it('from a file that is mounted', async () => {
      expect(await differencesOf('/lab/files/mounted.h5')).toBe('equal\n')
    })

    it('from a file that was imported', async () => {
      expect(await differencesOf('/lab/imported.h5')).toBe('equal\n')
    })

    it('from a file that was uploaded, and once more', async () => {
      const upload = (domain: string, bytes: Uint8Array) =>
        sendTo(server.address, 'PUT', `/?domain=${domain}`, bytes, {
          user: ADMIN,
          headers: { 'content-type': TYPE },
        })
      expect((await upload('/lab/uploaded.h5', readFileSync(file))).status).toBe(201)
      expect(await differencesOf('/lab/uploaded.h5')).toBe('equal\n')
      expect((await upload('/lab/again.h5', readFileSync(join(directory, 'copy.h5')))).status).toBe(201)
      expect(await differencesOf('/lab/again.h5')).toBe('equal\n')
    })

    it('with the command', async () => {
      const copy = join(directory, 'exported.h5')
      const settings = readSettings({ data: dataFolder }, {})
      const exported = await runHere(() =>
        runExport(['/lab/imported.h5'], { to: copy }, settings, IN_THIS_THREAD),
      )
      expect(exported).toMatchObject({ status: 0, err: '' })
      expect(run(SCRIPT, ['compare', file, copy])).toBe('equal\n')
    })
  },
)

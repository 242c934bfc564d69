// The parts of a data folder are for the user of the service only, also those that were open to others.

import { chmod, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveHere } from '../fixtures/served.ts'
import { newWorkingDirectory } from '../wire/server.ts'

test('the folders of records and values are closed to others, also those that were open', async () => {
  const directory = await newWorkingDirectory()
  const dataFolder = join(directory, 'data')
  const serveOnce = async () => (await serveHere({}, { dataFolder })).end()
  const modes = () =>
    Promise.all(['lmdb', 'blobs'].map(async part => (await stat(join(dataFolder, part))).mode & 0o777))
  await serveOnce()
  expect(await modes()).toEqual([0o700, 0o700])
  for (const part of ['lmdb', 'blobs']) await chmod(join(dataFolder, part), 0o755)
  await serveOnce()
  expect(await modes()).toEqual([0o700, 0o700])
  await rm(directory, { recursive: true, force: true })
})

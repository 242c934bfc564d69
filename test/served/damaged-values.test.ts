// A byte of a stored value that has changed on the disk is found by check and copy, and no write makes new values of
// it.

import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inFolder } from '@hyperslab/store/engines'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { runCheck } from '../../packages/server/cli/check.ts'
import { runCopy } from '../../packages/server/cli/copy.ts'
import { runExport } from '../../packages/server/cli/export.ts'
import { readSettings } from '../../packages/server/cli/settings/config.ts'
import { listTokens } from '../../packages/server/cli/tokens.ts'
import { runUsage } from '../../packages/server/cli/usage.ts'
import { listGroups, listUsers } from '../../packages/server/cli/users.ts'
import { runHere } from '../fixtures/commands.ts'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { type Method, sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

const DOMAIN = '/values.h5'
const ELEMENTS = 60_000

let directory: string
let dataset: string
let server: ServedHere | undefined

const folder = (name = 'data') => join(directory, name)

beforeAll(async () => {
  directory = await newWorkingDirectory()
  server = await serveHere({}, { dataFolder: folder(), users: ACCOUNTS })
  expect((await send('PUT', '/')).status).toBe(201)
  const creationProperties = { layout: { class: 'H5D_CHUNKED', dims: [ELEMENTS] } }
  const made = await send('POST', '/datasets', {
    type: 'H5T_STD_I32LE',
    shape: [ELEMENTS],
    creationProperties,
  })
  expect(made.status, made.story).toBe(201)
  dataset = made.json<{ id: string }>().id
  const value = Array.from({ length: ELEMENTS }, (_, i) => i)
  expect((await send('PUT', `/datasets/${dataset}/value`, { value })).status).toBe(200)
  await server.end()
  server = undefined
})
afterEach(async () => {
  await server?.end()
  server = undefined
})
afterAll(() => rm(directory, { recursive: true, force: true }))

function send(method: Method, path: string, body?: unknown) {
  const headers = { 'x-hdf-domain': DOMAIN }
  return sendTo(server?.address ?? '', method, path, body, { user: 'admin', headers, alone: true })
}

const check = (name: string, values: boolean) => runHere(() => runCheck(inFolder(folder(name)), { values }))
const copy = (name: string, to: string) => runHere(() => runCopy({ to: folder(to) }, inFolder(folder(name))))

/** The values begin with 0, 1, 2. */
function isOfDataset(path: string): boolean {
  const bytes = readFileSync(path)
  return bytes.length >= 4 * ELEMENTS && [0, 1, 2].every(i => bytes.readInt32LE(4 * i) === i)
}

/** The file of the dataset's values. */
function blobFile(): string {
  const files = readdirSync(join(directory, 'data', 'blobs'), { recursive: true, withFileTypes: true })
  const [file] = files.filter(entry => entry.isFile() && isOfDataset(join(entry.parentPath, entry.name)))
  return join(file.parentPath, file.name)
}

/** Changes a byte of the values, calls `work`, and puts it back. */
async function withChangedByte(work: () => Promise<void>): Promise<void> {
  const path = blobFile()
  const bytes = readFileSync(path)
  const changed = Buffer.from(bytes)
  changed[1000] ^= 1
  writeFileSync(path, changed)
  await work().finally(() => writeFileSync(path, bytes))
}

const IS_DAMAGED = /The blob \S+ is damaged: its bytes are not those that were written/

it('check --values and copy find it; check without --values looks at lengths only', async () => {
  await withChangedByte(async () => {
    expect(await check('data', false)).toMatchObject({ status: 0, err: '' })
    const checked = await check('data', true)
    expect(checked).toMatchObject({ status: 1, err: '' })
    expect(checked.out).toMatch(/^error unreadable-values: .*"\/values\.h5"/m)
    expect(checked.out).toMatch(IS_DAMAGED)
    const copied = await copy('data', 'damaged-copy')
    expect(copied.status).toBe(1)
    expect(copied.err).toMatch(IS_DAMAGED)
  })
  expect(await check('data', true)).toMatchObject({ status: 0, err: '' })
})

it('a copy that was damaged is mended by copying once more', async () => {
  expect(await copy('data', 'copy')).toMatchObject({ status: 0 })
  const path = blobFile().replace(join(directory, 'data'), join(directory, 'copy'))
  const bytes = readFileSync(path)
  const changed = Buffer.from(bytes)
  changed[5] ^= 1
  writeFileSync(path, changed)
  expect(await copy('data', 'copy')).toMatchObject({ status: 0 })
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

it('a write of a part of the chunk does not store the changed byte as right', async () => {
  await withChangedByte(async () => {
    server = await serveHere({}, { dataFolder: folder() })
    const large = Array.from({ length: ELEMENTS / 2 }, () => 7)
    const refused = await send('PUT', `/datasets/${dataset}/value`, {
      start: [0],
      stop: [large.length],
      value: large,
    })
    expect(refused.status, refused.story).toBe(503)
    expect(refused.json()).toMatchObject({ code: 'values-damaged' })
    // A part of a third or less is kept beside the chunk, which stays as it is.
    const small = { start: [0], stop: [2], value: [7, 8] }
    expect((await send('PUT', `/datasets/${dataset}/value`, small)).status).toBe(200)
    await server.end()
    server = undefined
    expect((await check('data', true)).out).toMatch(IS_DAMAGED)
  })
  expect(await check('data', true)).toMatchObject({ status: 0 })
})

it('a folder of an earlier release, whose values have no checksums, is served, checked and copied', async () => {
  const earlier = join(directory, 'earlier')
  const old = join(earlier, 'data')
  cpSync(join(directory, 'data'), old, { recursive: true })
  writeFileSync(join(old, 'hyperslab.json'), '{"format":2}\n')
  const path = blobFile().replace(join(directory, 'data'), old)
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.subarray(0, 4 * ELEMENTS))
  const checked = await check('earlier/data', true)
  expect(checked).toMatchObject({ status: 0, err: '' })
  expect(checked.out).toContain('(1 have no checksums)')
  // A server of that release may be running on it, and must be able to start again.
  const settings = readSettings({ data: old }, {})
  const commands = {
    copy: () => runCopy({ to: folder('new') }, settings),
    'user list': () => listUsers(settings, { json: false }),
    'group list': () => listGroups(settings, { json: false }),
    'token list': () => listTokens(settings, undefined, { json: false }),
    usage: () => runUsage(undefined, { by: 'folder', json: false }, settings),
    export: () => runExport([DOMAIN], { to: folder('earlier.h5') }, settings),
  }
  for (const [command, run] of Object.entries(commands)) {
    expect({ command, ...(await runHere(run)) }).toMatchObject({ status: 0 })
    expect(readFileSync(join(old, 'hyperslab.json'), 'utf8')).toBe('{"format":2}\n')
  }
  // Served, it may have values with checksums.
  await (await serveHere({}, { dataFolder: old })).end()
  expect(readFileSync(join(old, 'hyperslab.json'), 'utf8')).toBe('{"format":7}\n')
  expect((await check('new', true)).out).not.toContain('no checksums')
  for (const made of ['earlier', 'new']) rmSync(join(directory, made), { recursive: true })
})

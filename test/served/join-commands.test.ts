// Commands about joined domains at a service with mounts: what they print, and their exit codes.

import { rmSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import h5wasm, { ready } from 'h5wasm/node'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createProgram } from '../../packages/server/cli/program/program.ts'
import { type CommandEnd, runHere } from '../fixtures/commands.ts'
import { day, writeMember } from '../fixtures/join-members.ts'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { ADMIN } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

const SOON = { timeout: 60_000 }

let directory: string
let server: ServedHere
const inFiles = (name: string) => join(directory, 'files', name)

beforeAll(async () => {
  await ready
  directory = await newWorkingDirectory()
  for (const folder of ['files', 'files/days', 'files/copies', 'files/over'])
    await mkdir(join(directory, folder))
  for (const [i, name] of ['a', 'b', 'c'].entries()) {
    for (const folder of ['days', 'copies']) writeMember(inFiles(`${folder}/${name}.nc`), day(2 * i, 2))
    writeMember(inFiles(`over/${name}.nc`), day(i, 2))
  }
  server = await serveHere({ mount: [`${join(directory, 'files')}=/lab`] }, { users: ACCOUNTS })
  process.env.HYPERSLAB_PASSWORD = ACCOUNTS.admin.password
})

afterAll(async () => {
  delete process.env.HYPERSLAB_PASSWORD
  await server.end()
  await rm(directory, { recursive: true, force: true })
})

/** The exit code of a command is that of the process, which is the one of the tests. */
async function run(...args: readonly string[]): Promise<CommandEnd> {
  const { exitCode } = process
  process.exitCode = undefined
  const options = ['--endpoint', server.address, '--user', ADMIN]
  try {
    const { status, ...output } = await runHere(() =>
      createProgram().parseAsync([...args, ...options], { from: 'user' }),
    )
    return { status: Number(process.exitCode ?? status), ...output }
  } finally {
    process.exitCode = exitCode
  }
}

it('join says which option solves a conflict, and what is left out', async () => {
  writeFileSync(inFiles('over/d.nc'), '')
  const args = ['join', '/lab/over/*.nc', '/lab/ovre/*', '--along', 'time', '--to', '/over.nc']
  const refused = await run(...args)
  expect(refused).toMatchObject({ status: 1, err: expect.stringContaining('nothing was made') })
  expect(refused.out).toContain('conflict: the coordinates time of /lab/over/a.nc')
  expect(refused.out).toContain('--keep last takes')
  expect(refused.out).toContain('warning: /lab/over/d.nc: it is no HDF5 file')
  expect(refused.out).toContain('warning: /lab/ovre/*: there is no HDF5 file in it')
  const made = await run(...args, '--keep', 'last')
  expect(made).toMatchObject({ status: 0, err: '', out: expect.stringContaining('/over.nc is made of them') })
  const again = await run(...args, '--keep', 'last', '--dry-run')
  expect(again).toMatchObject({ status: 1, out: '', err: expect.stringContaining('/over.nc already exists') })
  const { out } = await run('info', '/over.nc')
  expect(out).toMatch(/^joined: +3 files along time$/m)
  expect(out).toMatch(/^differences: +keep last$/m)
})

it('diff of joined domains follows references to objects with the same paths', async () => {
  for (const name of ['days', 'copies'])
    await run('join', `/lab/${name}/*.nc`, '--along', 'time', '--to', `/${name}.nc`)
  expect(await run('diff', '/days.nc', '/copies.nc')).toMatchObject({ status: 0, out: '' })
  expect(await run('diff', '/days.nc', '/lab/days/a.nc')).toMatchObject({
    status: 1,
    out: expect.stringMatching(/^\/time: shapes \[?6/m),
  })
})

it('diff names references to objects with other paths', async () => {
  for (const scale of ['x', 'y']) {
    const file = new h5wasm.File(inFiles(`${scale}.h5`), 'w')
    for (const name of ['x', 'y'])
      file.create_dataset({ name, data: Int32Array.of(1, 2), shape: [2] }).make_scale(name)
    file.create_dataset({ name: 'd', data: Int32Array.of(1, 2), shape: [2] }).attach_scale(0, `/${scale}`)
    file.close()
  }
  const { status, out } = await run('diff', '/lab/x.h5', '/lab/y.h5')
  expect(status).toBe(1)
  expect(out.split('\n').filter(line => !line.includes('REFERENCE_LIST'))).toEqual([
    '/d: attribute DIMENSION_LIST',
    '',
  ])
})

it('info of a joined domain names its files that are unwell, and the reason if it cannot be read', async () => {
  await run('join', '/lab/copies/*.nc', '--along', 'time', '--to', '/unwell.nc')
  const info = async () => (await run('info', '/unwell.nc')).out
  expect(await info()).toMatch(/^joined: +3 files along time$/m)
  rmSync(inFiles('copies/b.nc'))
  await vi.waitFor(async () => expect(await info()).toMatch(/^unwell: .*b.nc is gone$/m), SOON)
  rmSync(inFiles('copies'), { recursive: true })
  await vi.waitFor(async () => {
    const out = await info()
    expect(out).toMatch(/^joined: +files along time$/m)
    expect(out).toMatch(/^not readable: .*no HDF5 file in \/lab\/copies\/\*\.nc$/m)
  }, SOON)
})

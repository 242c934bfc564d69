// The system's results of opening and reading files are replaced here: a test that runs as root may read anything.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readRange } from '@hyperslab/h5/reader'
import { type DomainPath, parseDomainPath } from '@hyperslab/model/names'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import type { Mount } from './mount.ts'

/** The code with which each call fails; undefined: it succeeds. */
const failing = vi.hoisted(
  () =>
    ({ open: undefined, read: undefined, opendir: undefined, lstat: undefined }) as Record<
      string,
      string | undefined
    >,
)

type Callback = (error: Error | null, ...results: unknown[]) => void

vi.mock('node:fs', async importOriginal => {
  const original = await importOriginal<Record<string, unknown>>()
  const replaced = (name: string) => ({
    [name]: (...parameters: unknown[]) => {
      const code = failing[name]
      if (code === undefined) return (original[name] as (...all: unknown[]) => void)(...parameters)
      setImmediate(() => (parameters.at(-1) as Callback)(systemError(code)))
    },
  })
  const replacedSync = (name: string) => ({
    [`${name}Sync`]: (...parameters: unknown[]) => {
      const code = failing[name]
      if (code !== undefined) throw systemError(code)
      return (original[`${name}Sync`] as (...all: unknown[]) => unknown)(...parameters)
    },
  })
  return {
    ...original,
    ...replaced('open'),
    ...replaced('read'),
    ...replacedSync('open'),
    ...replacedSync('read'),
  }
})

vi.mock('node:fs/promises', async importOriginal => {
  const original = await importOriginal<Record<string, unknown>>()
  const replaced = (name: string) => ({
    [name]: async (...parameters: unknown[]) => {
      const code = failing[name]
      if (code !== undefined) throw systemError(code)
      return (original[name] as (...all: unknown[]) => unknown)(...parameters)
    },
  })
  return { ...original, ...replaced('opendir'), ...replaced('lstat') }
})

const systemError = (code: string) => Object.assign(new Error(`${code}: the test`), { code, errno: -1 })

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'hyperslab-failures-')))
mkdirSync(join(folder, 'inner'))
writeFileSync(join(folder, 'a.h5'), '\x89HDF\r\n\x1a\n', 'latin1')

// Test files share their modules, which may be loaded with the true system already.
vi.resetModules()
const { openFolderMount } = await import('./folder-mount.ts')
const { MountCalls } = await import('./mount-calls.ts')

afterAll(() => {
  rmSync(folder, { recursive: true })
  vi.resetModules()
})

afterEach(() => {
  for (const call of Object.keys(failing)) failing[call] = undefined
})

const path = parseDomainPath('/a.h5')
const top = parseDomainPath('/')

function openMount(warnings: string[] = []): Mount {
  const warn = (message: string) => warnings.push(message)
  const calls = new MountCalls({ path: top, limit: 4, milliseconds: 60_000, warn })
  return openFolderMount(folder, top, { warn, calls })
}

async function list(mount: Mount, of = top): Promise<DomainPath[]> {
  const paths: DomainPath[] = []
  for await (const child of mount.children(of)) paths.push(child.path)
  return paths
}

it.each(['EACCES', 'EPERM'])('does not serve a file that cannot be read (%s), and warns once', async code => {
  const warnings: string[] = []
  const mount = openMount(warnings)
  failing.open = code
  expect(await list(mount)).toEqual(['/inner'])
  expect(await mount.find(path)).toBeUndefined()
  expect(warnings).toEqual([`/a.h5 is not served: its file or folder in ${folder} cannot be read (${code})`])
  failing.open = undefined
  expect(await list(mount)).toEqual(['/a.h5', '/inner'])
})

it('lists nothing of a folder that cannot be read, and warns once', async () => {
  const warnings: string[] = []
  const mount = openMount(warnings)
  failing.opendir = 'EACCES'
  expect(await list(mount, parseDomainPath('/inner'))).toEqual([])
  expect(await list(mount, parseDomainPath('/inner'))).toEqual([])
  expect(warnings).toEqual([`/inner is not served: its file or folder in ${folder} cannot be read (EACCES)`])
})

it.each(['EACCES', 'ENOENT', 'ENOTDIR'])('passes over what cannot be looked at (%s)', async code => {
  const warnings: string[] = []
  const mount = openMount(warnings)
  failing.lstat = code
  expect(await list(mount)).toEqual([])
  expect(await mount.find(path)).toBeUndefined()
  expect(warnings).toEqual([])
})

it('rejects a request that the system cannot serve now (ENOMEM)', async () => {
  const mount = openMount()
  failing.open = 'ENOMEM'
  const error = { code: 'storage-failed', message: 'the file of /a.h5 cannot be read now (ENOMEM)' }
  await expect(mount.find(path)).rejects.toMatchObject(error)
  await expect(list(mount)).rejects.toMatchObject(error)
})

it('lists the other files when one fails, which itself is an error', async () => {
  const warnings: string[] = []
  const mount = openMount(warnings)
  failing.open = 'EIO'
  const message = '/a.h5 cannot be read now: the file system of the mount / fails (EIO); try again later'
  expect(await list(mount)).toEqual(['/inner'])
  await expect(mount.find(path)).rejects.toMatchObject({ code: 'file-unavailable', message })
  expect(warnings).toEqual([`/a.h5 is not listed: ${message}`])
})

it.each([
  ['EIO', 'file-unavailable'],
  ['ETIMEDOUT', 'file-unavailable'],
  ['ESTALE', 'file-unavailable'],
])('rejects a request whose file cannot be looked at (%s)', async (failure, code) => {
  const mount = openMount()
  failing.lstat = failure
  await expect(mount.find(path)).rejects.toMatchObject({ code })
})

it('finds a file changed that lost its permission since it was looked at', async () => {
  const file = await openMount().find(path)
  failing.open = 'EACCES'
  await expect(file?.kind === 'file' && file.open()).rejects.toMatchObject({ code: 'file-changed' })
})

it.each([
  ['EIO', 'file-unavailable'],
  ['ESTALE', 'file-changed'],
])('reports a failure of the disk (%s) as %s', async (failure, code) => {
  const found = await openMount().find(path)
  const file = found?.kind === 'file' && (await found.open())
  if (!file) throw new Error('the file is not there')
  failing.read = failure
  await expect(readRange(file.source, 0, 4)).rejects.toMatchObject({ code, subject: '/a.h5' })
  await expect(file.source.readInto(new Uint8Array(4), 0)).rejects.toMatchObject({ code })
  file.close()
})

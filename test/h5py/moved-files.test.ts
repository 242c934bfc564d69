// Files that name others by absolute names, on the machine where they were written or where they are: the same values
// in a mounted folder, and where they are imported, also into a running service.

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFolderHere } from '../fixtures/imports.ts'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { ADMIN, sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'
import { isMissing, PYTHON, run } from './h5py.ts'

/** Imported into the data folder, and into the running server. */
const IMPORTED = ['/imported', '/sent']

const missing = isMissing('a Python with h5py', PYTHON !== undefined)

describe.skipIf(missing)('a folder whose files name each other', () => {
  let directory: string
  let files: string
  let server: ServedHere

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    files = join(directory, 'files')
    mkdirSync(files)
    run('make-moved.py', [files])
    const dataFolder = join(directory, 'data')
    await importFolderHere(files, '/imported', { dataFolder })
    server = await serveHere({ mount: [`${files}=/mounted`] }, { dataFolder, users: ACCOUNTS })
    const toServer = { endpoint: server.address, user: ADMIN, password: ADMIN }
    await importFolderHere(files, '/sent', toServer)
  })

  afterAll(async () => {
    await server?.end()
    rmSync(directory, { recursive: true, force: true })
  })

  /** The values at a path, or the status of the request for it. */
  async function valuesAt(domain: string, path: string): Promise<unknown> {
    const of = new URLSearchParams({ domain, h5path: path, follow_external_links: '1' })
    const found = await sendTo(server.address, 'GET', `/?${of}`, undefined, { user: ADMIN })
    if (found.status !== 200) return found.status
    const { id, domain: home } = found.json<{ id: string; domain: string }>()
    const reply = await sendTo(
      server.address,
      'GET',
      `/datasets/${id}/value?domain=${encodeURIComponent(home)}`,
      undefined,
      { user: ADMIN },
    )
    return reply.status === 200 ? reply.json<{ value: unknown }>().value : reply.status
  }

  const MASTER = [
    'own',
    'link',
    'windows',
    'virtual',
    'through a link',
    'of itself',
    'of itself before',
    'raw',
  ]

  it.each(MASTER)('mounted, moved together: %s', async name => {
    expect(await valuesAt('/mounted/scan 1/data master.h5', `/${name}`)).toEqual([0, 1, 2, 3])
  })

  it.each(MASTER)('imported, moved together: %s', async name => {
    for (const folder of IMPORTED)
      expect(await valuesAt(`${folder}/scan 1/data master.h5`, `/${name}`)).toEqual([0, 1, 2, 3])
  })

  it.each(['link', 'virtual', 'raw'])('mounted and imported, by its path on the disk: %s', async name => {
    for (const folder of ['/mounted', ...IMPORTED])
      expect(await valuesAt(`${folder}/top.h5`, `/${name}`)).toEqual([0, 1, 2, 3])
  })

  it.each([
    ['/?domain=/data%20master.h5', '/data master.h5'],
    ['/?host=data%20master.classic.hdfgroup.org', '/classic/data master'],
    ['/data%20master.h5?domain=/other.h5', '/other.h5'],
  ])('uploaded to %s, a file finds itself by its name', async (target, domain) => {
    const bytes = readFileSync(join(files, 'scan 1', 'data master.h5'))
    const headers = { 'content-type': 'application/x-hdf5' }
    // curl -T puts the name of the file into the path.
    const options = { user: ADMIN, headers, undeclared: true }
    const reply = await sendTo(server.address, 'PUT', target, bytes, options)
    expect(reply.status, reply.story).toBe(201)
    const { warnings } = reply.json<{ warnings: { path: string }[] }>()
    expect(warnings.map(({ path }) => path).sort()).toEqual(['/raw', '/through a link', '/virtual'])
    for (const name of ['own', 'of itself', 'of itself before'])
      expect(await valuesAt(domain, `/${name}`)).toEqual([0, 1, 2, 3])
    const linked = await valuesAt(domain, '/link')
    expect(linked).toBe(404)
  })

  it('an uploaded file does not find itself by another name', async () => {
    const bytes = readFileSync(join(files, 'scan 1', 'data master.h5'))
    const options = { user: ADMIN, headers: { 'content-type': 'application/x-hdf5' } }
    const reply = await sendTo(server.address, 'PUT', '/?domain=/renamed.h5&strict=1', bytes, options)
    expect([reply.status, reply.story]).toEqual([400, expect.stringContaining('/of itself')])
  })

  it('nothing outside of the folder is read', async () => {
    for (const folder of ['/mounted', ...IMPORTED])
      expect(await valuesAt(`${folder}/top.h5`, '/out')).toBe(404)
  })
})

// Files that name others by absolute names, on the machine where they were written or where they are: the same values in a mounted folder,
// and where they are imported.

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isMissing, PYTHON, run } from '../h5py/h5py.ts'
import { sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const missing = isMissing('a Python with h5py', PYTHON !== undefined)

describe.skipIf(missing)('a folder whose files name each other', () => {
  let directory: string
  let files: string
  let server: RunningServer

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    files = join(directory, 'files')
    mkdirSync(files)
    run('make-moved.py', [files])
    await runCommand(directory, ['import', '-r', files, '--to', '/imported'])
    server = await startServer(directory, ['--mount', `${files}=/mounted`])
  })

  afterAll(async () => {
    await server?.end('SIGTERM')
    rmSync(directory, { recursive: true, force: true })
  })

  /** The values at a path, or the status of the request for it. */
  async function valuesAt(domain: string, path: string): Promise<unknown> {
    const of = new URLSearchParams({ domain, h5path: path, follow_external_links: '1' })
    const found = await sendTo(server.address, 'GET', `/?${of}`)
    if (found.status !== 200) return found.status
    const { id, domain: place } = found.json<{ id: string; domain: string }>()
    const reply = await sendTo(
      server.address,
      'GET',
      `/datasets/${id}/value?domain=${encodeURIComponent(place)}`,
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
    expect(await valuesAt('/imported/scan 1/data master.h5', `/${name}`)).toEqual([0, 1, 2, 3])
  })

  it.each(['link', 'virtual', 'raw'])('mounted, by its place on the disk: %s', async name => {
    expect(await valuesAt('/mounted/top.h5', `/${name}`)).toEqual([0, 1, 2, 3])
  })

  it('nothing outside of the folder is read', async () => {
    expect(await valuesAt('/mounted/top.h5', '/out')).toBe(404)
  })
})

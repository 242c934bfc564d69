// `hyperslab export` as a command of its own process: names of files, what is there already, and what an interruption
// leaves.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Piece } from '@hyperslab/model/values'
import { inFolder } from '@hyperslab/store/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngineToUse, openStoreOn } from '../../packages/server/cli/data-folder/open.ts'
import { SELECT_ALL } from '../../packages/server/service/selection/request.ts'
import { resolveSelection } from '../../packages/server/service/selection/resolve.ts'
import { dataset, domain, group, hardLink, int32s, newId, newRoot } from '../conformance/sample-objects.ts'
import { commandEnvironment, newWorkingDirectory } from '../wire/server.ts'

const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
/** The file of the domain /large: this many numbers of 4 bytes, which take no room in the store. */
const LARGE = 2 ** 28

let directory: string

beforeAll(async () => {
  directory = await newWorkingDirectory()
  const store = openStoreOn(await openEngineToUse(inFolder(join(directory, 'data'))))
  for (const [path, count] of [
    ['/small', 10],
    ['/named.nc', 10],
    ['/large', LARGE],
  ] as const) {
    const root = newRoot()
    const object = dataset(newId(root), { dims: [count], chunkDims: [Math.min(count, 2 ** 20)] })
    async function* repeated(): AsyncGenerator<Piece> {
      yield { count, element: int32s([7]) }
    }
    await store.write(async writer => {
      await writer.createObject(group(root))
      await writer.putDomain(domain(path, root))
      await writer.createObject(object)
      await writer.putLinks(root, hardLink('d', object.id, 1, 'dataset'))
      await writer.writeValues(object, resolveSelection(SELECT_ALL, object.space), repeated())
    })
  }
  await store.close()
})

afterAll(() => rm(directory, { recursive: true, force: true }))

function start(...options: readonly string[]) {
  const child = spawn(process.execPath, [COMMAND, 'export', '--data', 'data', ...options], {
    cwd: directory,
    env: commandEnvironment(),
  })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (text: Buffer) => (texts.out += text))
  child.stderr.on('data', (text: Buffer) => (texts.err += text))
  const ended = once(child, 'close').then(([code]) => ({ code: Number(code), ...texts }))
  return { child, ended }
}

const filesIn = (folder: string) => readdirSync(join(directory, folder)).sort()

describe('hyperslab export', () => {
  it('names files like domains, and gives .h5 to a name without an extension', async () => {
    const { code, out } = await start('/small', '/named.nc', '--to', 'files').ended
    expect(code).toBe(0)
    expect(out).toMatch(/^\/small -> files\/small\.h5: .*\n\/named\.nc -> files\/named\.nc: .*\n$/)
    expect(filesIn('files')).toEqual(['named.nc', 'small.h5'])
  })

  it('writes one domain to a file whose name ends with .h5', async () => {
    expect(await start('/small', '--to', 'one.h5').ended).toMatchObject({ code: 0 })
    expect(statSync(join(directory, 'one.h5')).isFile()).toBe(true)
  })

  it('replaces a file only if that is asked for', async () => {
    writeFileSync(join(directory, 'there.h5'), 'mine')
    const refused = await start('/small', '--to', 'there.h5').ended
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('there.h5 is there already') })
    expect(statSync(join(directory, 'there.h5')).size).toBe(4)
    expect(await start('/small', '--to', 'there.h5', '--replace').ended).toMatchObject({ code: 0 })
    expect(statSync(join(directory, 'there.h5')).size).toBeGreaterThan(4)
  })

  it.each([
    [['/none', '--to', 'x'], 1, 'the domain /none is not there'],
    [['/small', '/named.nc', '--to', 'several.h5'], 2, '--to several.h5 names one file'],
    [['/small', '/small', '--to', 'x'], 2, '/small and /small would both become the file x/small.h5'],
    [['/', '--to', 'x'], 2, '/ is not the name of a domain'],
    [['/small', '--to', 'x', '--data', 'nowhere'], 1, 'there is no data folder'],
  ])('%j ends with %d', async (options, code, message) => {
    expect(await start(...options).ended).toMatchObject({ code, err: expect.stringContaining(message) })
  })

  it('leaves nothing when it is interrupted', async () => {
    const { child, ended } = start('/large', '--to', 'interrupted')
    const isWriting = () => {
      try {
        return filesIn('interrupted').some(name => statSync(join(directory, 'interrupted', name)).size > 0)
      } catch {
        return false
      }
    }
    await expect.poll(isWriting, { interval: 5 }).toBe(true)
    expect(filesIn('interrupted')).not.toContain('large.h5')
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 130, err: expect.stringContaining('ended by SIGTERM') })
    expect(filesIn('interrupted')).toEqual([])
  })
})

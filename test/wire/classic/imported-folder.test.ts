// A folder of files that is imported while the service runs, as data of h5serv are moved (classic 3.11, 5.1, 11.1 and
// 11.3). Left out when the server under test is another one, whose data folder is unknown.

import { chmod, copyFile, mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import h5wasm, { ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { BASE_DOMAIN, type Fields, send, uniqueName } from '../client.ts'
import { newWorkingDirectory, runCommand } from '../server.ts'
import { type Domain, domainAt, expectRefusal, removeDomain, withHost } from './domain.ts'

const VARIED = fileURLToPath(new URL('../fixtures/varied.h5', import.meta.url))
const data = inject('dataFolder')

describe.skipIf(data === undefined)('a folder that is imported', () => {
  const label = uniqueName()
  const hostOf = (name: string) => `${name}.${label}.test.${BASE_DOMAIN}`
  let folder: string

  beforeAll(async () => {
    folder = await newWorkingDirectory()
    await mkdir(join(folder, 'sub dir'))
    for (const name of ['varied.h5', 'a.b.h5', 'sub dir/two words.h5', 'fixed.h5', '.hidden.h5']) {
      await copyFile(VARIED, join(folder, name))
    }
    await writeFile(join(folder, 'notahdf5file.h5'), 'This is not an HDF5 file.\n')
    await chmod(join(folder, 'fixed.h5'), 0o444)
    await utimes(join(folder, 'varied.h5'), new Date(), new Date('2015-03-01T08:00:00Z'))
    await ready
    const linking = new h5wasm.File(join(folder, 'links.h5'), 'w')
    linking.create_external_link(join(folder, 'sub dir/two words.h5'), '/a group', 'absolute')
    linking.create_external_link('sub dir/two words.h5', '/', 'relative')
    linking.create_external_link('varied.h5', '/', 'beside')
    linking.close()
    await runCommand(dirname(data ?? ''), ['import', '-r', folder, '--to', `/test/${label}`])
  })

  afterAll(async () => {
    for (const name of ['varied', 'a%2Eb', 'two words.sub dir', 'links']) await removeDomain(hostOf(name))
    await rm(folder, { recursive: true, force: true })
  })

  async function domainNamed(name: string): Promise<Domain> {
    const reply = await send('GET', '/', undefined, withHost(hostOf(name)))
    expect(reply.status, reply.story).toBe(200)
    return domainAt(hostOf(name), reply.json<{ root: string }>().root)
  }

  test.each(['varied', 'a%2Eb', 'two words.sub dir', 'fixed'])(
    'classic 11.1d, 11.1f: a file keeps its name, without the extension: %s',
    async name => {
      const domain = await domainNamed(name)
      expect((await domain.want<{ groups: string[] }>(200, 'GET', '/groups')).groups).toHaveLength(4)
    },
  )

  test.each(['notahdf5file', '%2Ehidden', 'sub dir'])('classic 5.1d: there is no domain %s', async name => {
    expectRefusal(await send('GET', '/', undefined, withHost(hostOf(name))), 404)
  })

  test('classic 3.11b, 3.11c, 5.3d: a file that its owner may not write is read-only', async () => {
    const domain = await domainNamed('fixed')
    await domain.refuse(403, 'DELETE', '/')
    await domain.refuse(403, 'POST', '/groups')
    await (await domainNamed('varied')).want(201, 'POST', '/groups')
  })

  test('classic 3.6: all objects, links and attributes have the time of the file', async () => {
    const domain = await domainNamed('varied')
    const time = '2015-03-01T08:00:00Z'
    const group = `/groups/${domain.root}`
    for (const path of [`${group}/links/types`, `${group}/attributes/narrow`]) {
      expect(await domain.want(200, 'GET', path)).toMatchObject({ created: time, lastModified: time })
    }
    const { datasets } = await domain.want<{ datasets: string[] }>(200, 'GET', '/datasets')
    for (const id of datasets) {
      expect(await domain.want(200, 'GET', `/datasets/${id}`)).toMatchObject({
        created: time,
        lastModified: time,
      })
    }
  })

  test('classic 11.3a, 11.3b: links to files of the folder lead to their domains', async () => {
    const domain = await domainNamed('links')
    const path = `/groups/${domain.root}/links`
    const { links } = await domain.want<{ links: Fields[] }>(200, 'GET', path)
    const twoWords = hostOf('two+words.sub+dir')
    expect(links.map(({ title, h5domain }) => [title, h5domain])).toEqual([
      ['absolute', twoWords],
      ['beside', hostOf('varied')],
      ['relative', twoWords],
    ])
    for (const { h5domain } of links) {
      const reply = await send('GET', `/?host=${h5domain}`)
      expect(reply.status, reply.story).toBe(200)
    }
  })
})

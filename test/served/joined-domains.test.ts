// Joined domains with definitions in the store: made by PUT, with an owner and a list, of files in several mounts.

import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { day, writeMember } from '../fixtures/join-members.ts'
import { ACCOUNTS, type ServedHere, serveHere, sharedMemory } from '../fixtures/served.ts'
import { ADMIN, type Fields, type Reply, sendTo, USER1, USER2 } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

const SOON = { timeout: 60_000 }

let directory: string
let server: ServedHere

const open = sharedMemory()
const settings = () => ({
  mount: [`${join(directory, 'open')}=/open`, `${join(directory, 'closed')}=/closed`],
  mountReaders: ['/open=default', `/closed=${USER1}`],
})

const inOpen = (name: string) => join(directory, 'open', name)
const inClosed = (name: string) => join(directory, 'closed', name)

beforeAll(async () => {
  await ready
  directory = await newWorkingDirectory()
  for (const folder of ['open', 'open/deep', 'closed']) await mkdir(join(directory, folder))
  writeMember(inOpen('run_10.nc'), day(4, 1))
  writeMember(inOpen('run_9.nc'), day(0, 3))
  writeMember(inOpen('deep/run_11.nc'), day(7, 2))
  writeMember(inClosed('run_12.nc'), day(10, 1))
  const users = { ...ACCOUNTS, [USER2]: { password: 'test' } }
  server = await serveHere(settings(), { engine: open(), users })
  const home = await send('PUT', '/?domain=/home', { folder: true })
  expect(home.status, home.story).toBe(201)
  for (const user of [USER1, USER2]) {
    const own = await send('PUT', `/?domain=/home/${user}`, { folder: true, owner: user })
    expect(own.status, own.story).toBe(201)
  }
})

afterAll(async () => {
  expect(await server.findings()).toEqual([])
  await server.end()
  await rm(directory, { recursive: true, force: true })
})

const send = (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  target: string,
  body?: Fields,
  user: string | undefined = ADMIN,
): Promise<Reply> => sendTo(server.address, method, target, body, { user })

async function value(domain: string, path: string, user = ADMIN): Promise<unknown> {
  const reply = await send('GET', `/value?domain=${domain}&h5path=${path}`, undefined, user)
  expect(reply.status, reply.story).toBe(200)
  return reply.json<{ value: unknown }>().value
}

async function make(domain: string, join: unknown, user = ADMIN): Promise<void> {
  const reply = await send('PUT', `/?domain=${domain}`, { join } as Fields, user)
  expect(reply.status, reply.story).toBe(201)
}

const ALL = { sources: ['/open/**/run_*.nc'], along: 'time' }

describe('a joined domain', () => {
  it('is reviewed without being made, then made, and read like a file', async () => {
    const review = await send('PUT', '/?domain=/home/review.nc', { join: ALL, dry_run: true })
    expect([review.status, review.json()]).toEqual([
      200,
      {
        files: 3,
        names: ['/open/run_9.nc', '/open/run_10.nc', '/open/deep/run_11.nc'],
        length: 6,
        datasets: expect.arrayContaining([
          { path: '/time', shape: [6], axis: 0 },
          { path: '/g/d', shape: [6, 2], axis: 0 },
        ]),
        conflicts: [],
        warnings: [],
      },
    ])
    expect((await send('GET', '/?domain=/home/review.nc')).status).toBe(404)
    await make('/home/all.nc', ALL)
    expect(await value('/home/all.nc', '/time')).toEqual([0, 1, 2, 4, 7, 8])
    const shown = await send('GET', '/?domain=/home/all.nc')
    expect(shown.json()).toMatchObject({ joined: true, join: ALL, owner: ADMIN })
    const list = await send('GET', '/domains?domain=/home/')
    expect(list.json<{ domains: Fields[] }>().domains).toContainEqual(
      expect.objectContaining({ name: '/home/all.nc', joined: true }),
    )
    const again = await send('PUT', '/?domain=/home/all.nc', { join: ALL })
    expect(again.status).toBe(409)
  })

  it('may have several sources in several mounts: files are in one order, each once', async () => {
    const sources = ['/closed/run_12.nc', '/open/run_10.nc', '/open/run_*', '/open/run_9*']
    await make('/home/listed.nc', { sources, along: ['/time#0', '/g/d#0'] })
    expect(await value('/home/listed.nc', '/time')).toEqual([0, 1, 2, 4, 10])
    const overlap = { sources: ['/open/run_9.nc', '/open/over.nc'], along: 'time' }
    writeMember(inOpen('over.nc'), day(1, 4))
    const refused = await send('PUT', '/?domain=/home/over.nc', { join: overlap })
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringMatching(/overlap; with \\"keep\\" of join/),
    ])
    await make('/home/over.nc', { ...overlap, keep: 'last' })
    expect(await value('/home/over.nc', '/time')).toEqual([0, 1, 2, 3, 4])
    rmSync(inOpen('over.nc'))
  })

  it('can compare what is not joined: files and objects that differ are named', async () => {
    await mkdir(inOpen('check'))
    writeMember(inOpen('check/a.nc'), day(0, 1))
    writeMember(inOpen('check/b.nc'), day(1, 1))
    const definition = { sources: '/open/check/*.nc', along: 'time', check: 'values' }
    await make('/home/checked.nc', definition)
    const bytes = readFileSync(inOpen('check/b.nc'))
    const still = Buffer.from(Int32Array.of(1, 2).buffer)
    bytes.writeInt32LE(9, bytes.lastIndexOf(still))
    writeFileSync(inOpen('check/b.nc'), bytes)
    const reason = '/still has other values in /open/check/b.nc than in /open/check/a.nc'
    const refused = await send('PUT', '/?domain=/home/other.nc', { join: definition })
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining(reason)])
    await make('/home/types.nc', { ...definition, check: 'types' })
    expect(await value('/home/types.nc', '/still')).toEqual([1, 2])
    const wrong = await send('PUT', '/?domain=/home/wrong.nc', { join: { ...definition, check: 'all' } })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('join.check must be')])
  })

  it('can be moved, get another name and a list, and be deleted; the files stay', async () => {
    await make('/home/one.nc', ALL)
    const moved = await send('PUT', '/?domain=/home/two.nc', { moved_from: '/home/one.nc' })
    expect(moved.status, moved.story).toBe(201)
    expect((await send('GET', '/?domain=/home/one.nc')).status).toBe(410)
    const linked = await send('PUT', '/?domain=/home/three.nc', { linked_domain: '/home/two.nc' })
    expect(linked.status, linked.story).toBe(201)
    expect(await value('/home/three.nc', '/time')).toHaveLength(6)
    const listed = await send('PUT', `/acls/${USER2}?domain=/home/two.nc`, { read: true })
    expect(listed.status, listed.story).toBe(201)
    expect(await value('/home/three.nc', '/time', USER2)).toHaveLength(6)
    for (const name of ['two', 'three']) {
      const deleted = await send('DELETE', `/?domain=/home/${name}.nc`)
      expect(deleted.status, deleted.story).toBe(200)
      expect((await send('GET', `/?domain=/home/${name}.nc`)).status).toBe(410)
    }
    expect(await value('/open/run_9.nc', '/time')).toEqual([0, 1, 2])
  })

  it('is read by those alone that may read all its files, and made by them', async () => {
    const join = { sources: ['/open/run_9.nc', '/closed/*.nc'], along: 'time' }
    await make(`/home/${USER1}/mine.nc`, join, USER1)
    expect(await value(`/home/${USER1}/mine.nc`, '/time', USER1)).toEqual([0, 1, 2, 10])
    const listed = await send('PUT', `/acls/${USER2}?domain=/home/${USER1}/mine.nc`, { read: true }, USER1)
    expect(listed.status, listed.story).toBe(201)
    for (const target of ['/value?h5path=/time&', '/?', '/datasets?', '/groups?']) {
      const refused = await send('GET', `${target}domain=/home/${USER1}/mine.nc`, undefined, USER2)
      expect(refused.status, refused.story).toBe(403)
    }
    for (const dry_run of [true, false]) {
      const refused = await send('PUT', `/?domain=/home/${USER2}/no.nc`, { join, dry_run }, USER2)
      expect([refused.status, refused.text], refused.story).toEqual([
        403,
        expect.stringContaining('would be made of'),
      ])
      expect(refused.text).not.toContain('run_12')
    }
  })

  it.each([
    ['/closed/none.nc', 403],
    ['/closed/none*', 403],
    ['/clo*/run_12.nc', 403],
    ['/clo*/none.nc', 403],
    ['/**/none.nc', 403],
    ['/*/none/*', 403],
    ['/op*/none.nc', 200],
    ['/*', 200],
  ])(
    'of %s is refused alike, whether its files are there or not, where the caller may not read',
    async (sources, status) => {
      const body = { join: { sources, along: 'time' }, dry_run: true }
      const reply = await send('PUT', `/?domain=/home/${USER2}/no.nc`, body, USER2)
      expect(reply.status, reply.story).toBe(status)
    },
  )

  it('says nothing of its files in a list for callers that may not read them', async () => {
    writeMember(inClosed('gone.nc'), day(0, 1))
    await make(`/home/${USER1}/gone.nc`, { sources: '/clo*/gone.nc', along: 'time' }, USER1)
    for (const name of [`/home/${USER1}`, `/home/${USER1}/gone.nc`]) {
      const listed = await send('PUT', `/acls/${USER2}?domain=${name}`, { read: true }, USER1)
      expect(listed.status, listed.story).toBe(201)
    }
    const shown = async (user: string) => {
      const list = await send('GET', `/domains?domain=/home/${USER1}/&verbose=1`, undefined, user)
      return list.json<{ domains: Fields[] }>().domains.find(({ name }) => name === `/home/${USER1}/gone.nc`)
    }
    expect(await shown(USER1)).toMatchObject({ joined: true, num_files: 1 })
    expect(await shown(USER2)).not.toHaveProperty('num_files')
    rmSync(inClosed('gone.nc'))
    await vi.waitFor(
      async () =>
        expect(await shown(USER1)).toMatchObject({ damage: expect.stringContaining('/clo*/gone.nc') }),
      SOON,
    )
    const hidden = await shown(USER2)
    expect(hidden).toMatchObject({ joined: true })
    expect(JSON.stringify(hidden)).not.toContain('clo')
    for (const target of ['/?', '/value?h5path=/time&']) {
      const refused = await send('GET', `${target}domain=/home/${USER1}/gone.nc`, undefined, USER2)
      expect([refused.status, refused.text.includes('clo')], refused.story).toEqual([403, false])
    }
  })

  it('cannot be written', async () => {
    await make('/home/still.nc', ALL)
    const ids = (await send('GET', '/datasets?domain=/home/still.nc')).json<{ datasets: string[] }>()
    const { root } = (await send('GET', '/?domain=/home/still.nc')).json<{ root: string }>()
    const [id] = ids.datasets
    const requests = [
      ['POST', '/groups?', {}],
      ['POST', '/datasets?', { type: 'H5T_STD_I32LE', shape: [1] }],
      ['PUT', `/datasets/${id}/value?`, { value: [1] }],
      ['PUT', `/datasets/${id}/shape?`, { shape: [100] }],
      ['DELETE', `/datasets/${id}?`, undefined],
      ['PUT', `/groups/${root}/links/new?`, { h5path: '/time' }],
      ['DELETE', `/groups/${root}/links/time?`, undefined],
      ['PUT', `/groups/${root}/attributes/a?`, { type: 'H5T_STD_I32LE', value: 1 }],
    ] as const
    for (const [method, target, body] of requests) {
      const reply = await send(method, `${target}domain=/home/still.nc`, body)
      expect([reply.status, reply.json()], reply.story).toMatchObject([403, { code: 'domain-read-only' }])
    }
  })

  it('follows files that arrive, with an event for its listeners', async () => {
    await mkdir(inOpen('live'))
    writeMember(inOpen('live/a.nc'), day(0, 1))
    await make('/home/live.nc', { sources: '/open/live/*.nc', along: 'time' })
    type Page = { events: { domain: string }[]; next: string }
    const page = async (rest: string, domain = '/home/live.nc') =>
      (await send('GET', `/events?domain=${domain}&wait=0${rest}`)).json<Page>()
    const { next } = await page('')
    writeMember(inOpen('live/b.nc'), day(1, 2))
    await vi.waitFor(async () => expect(await value('/home/live.nc', '/time')).toEqual([0, 1, 2]), SOON)
    const seen = async () => (await page(`&since=${next}`)).events.map(({ domain }) => domain)
    await vi.waitFor(async () => expect(await seen()).toContain('/home/live.nc'), SOON)
    const { next: last } = await page('', '/home')
    const deleted = await send('DELETE', '/?domain=/home/live.nc')
    expect(deleted.status, deleted.story).toBe(200)
    const ofFolder = (await page(`&since=${last}`, '/home')).events.map(({ domain }) => domain)
    expect(ofFolder).toEqual(['/home/live.nc'])
    rmSync(inOpen('live'), { recursive: true })
  })
})

describe('a file that is gone', () => {
  const domain = '/home/places.nc'
  const time = (select = '', rest = '') =>
    send('GET', `/value?domain=${domain}&h5path=/time${select && `&select=${select}`}${rest}`)
  const unwell = async () => (await send('GET', `/?domain=${domain}`)).json<{ unwell?: unknown }>().unwell
  const shape = async () =>
    (await send('GET', `/?domain=${domain}&h5path=/time`)).json<{ shape: { dims: number[] } }>().shape.dims

  async function makeOf(rest: Fields): Promise<void> {
    await rm(inOpen('places'), { recursive: true, force: true })
    await mkdir(inOpen('places'))
    for (const [i, name] of ['a', 'b', 'c', 'd'].entries())
      writeMember(inOpen(`places/${name}.nc`), day(2 * i, 2))
    await send('DELETE', `/?domain=${domain}`)
    await make(domain, { sources: '/open/places/*.nc', along: 'time', ...rest })
  }

  it('keeps its place from the beginning, until it is forgotten or comes back', async () => {
    await makeOf({})
    rmSync(inOpen('places/b.nc'))
    const gone = [{ file: '/open/places/b.nc', reason: 'the file /open/places/b.nc is gone' }]
    await vi.waitFor(async () => expect(await unwell()).toEqual(gone), SOON)
    expect(await shape()).toEqual([8])
    expect((await time('[4:8]')).json()).toMatchObject({ value: [4, 5, 6, 7] })
    // It is 503 for a moment after a change of the files.
    await vi.waitFor(async () => {
      const refused = await time('[0:3]')
      expect([refused.status, refused.text]).toEqual([501, expect.stringContaining('b.nc is gone')])
    }, SOON)
    const forgets = (file: string) => send('PUT', `/?domain=${domain}`, { forget: `/open/places/${file}` })
    expect((await forgets('x.nc')).status).toBe(404)
    expect((await forgets('c.nc')).status).toBe(400)
    expect((await forgets('b.nc')).status).toBe(204)
    await vi.waitFor(async () => expect(await shape()).toEqual([6]), SOON)
    expect((await time()).json()).toMatchObject({ value: [0, 1, 4, 5, 6, 7] })
    expect(await unwell()).toBe(undefined)
    writeMember(inOpen('places/b.nc'), day(2, 2))
    await vi.waitFor(async () => expect(await shape()).toEqual([8]), SOON)
    expect((await time()).json()).toMatchObject({ value: [0, 1, 2, 3, 4, 5, 6, 7] })
  })

  it('may be the first, and others may not fit any more: all others keep their places', async () => {
    await makeOf({})
    rmSync(inOpen('places/a.nc'))
    writeMember(inOpen('places/c.nc'), day(4, 2, { width: 7 }))
    await vi.waitFor(async () => {
      await time('[2:3]')
      expect(await unwell()).toMatchObject([
        { file: '/open/places/a.nc' },
        { file: '/open/places/c.nc', reason: expect.stringContaining('/g/d has the extents') },
      ])
    }, SOON)
    // The files have been looked for again since.
    await new Promise(resolve => setTimeout(resolve, 1100))
    expect(await unwell()).toHaveLength(2)
    expect((await time('[2:4]')).json()).toMatchObject({ value: [2, 3] })
    expect((await time('[6:8]')).json()).toMatchObject({ value: [6, 7] })
    await vi.waitFor(
      async () => expect([(await time('[1]')).status, (await time('[5]')).status]).toEqual([501, 501]),
      SOON,
    )
    expect(await shape()).toEqual([8])
  })

  it('may be the last, and have been damaged a moment ago', async () => {
    await makeOf({})
    writeFileSync(inOpen('places/d.nc'), readFileSync(inOpen('places/d.nc')).fill(0, 96))
    await vi.waitFor(async () => {
      await time('[0:1]')
      expect(await unwell()).toMatchObject([{ file: '/open/places/d.nc' }])
    }, SOON)
    expect(await shape()).toEqual([8])
  })

  it('leaves nothing to read if all others are damaged, and the reason says so', async () => {
    await makeOf({})
    for (const name of ['a', 'b', 'c']) rmSync(inOpen(`places/${name}.nc`))
    // Its signature stays, and its root group is lost.
    const bytes = readFileSync(inOpen('places/d.nc'))
    writeFileSync(inOpen('places/d.nc'), bytes.fill(0, 96))
    utimesSync(inOpen('places/d.nc'), 1e9, 1e9)
    await vi.waitFor(async () => {
      const refused = await time()
      expect([refused.status, refused.text]).toEqual([501, expect.stringContaining('cannot be joined')])
    }, SOON)
  })

  it('is fill values where the definition says so', async () => {
    await makeOf({ missing: 'fill' })
    rmSync(inOpen('places/b.nc'))
    await vi.waitFor(
      async () => expect((await time()).json()).toMatchObject({ value: [0, 1, 0, 0, 4, 5, 6, 7] }),
      SOON,
    )
  })

  it('leaves a place in other processes and after a restart, too', async () => {
    await makeOf({})
    const other = await serveHere(settings(), { engine: open() })
    try {
      rmSync(inOpen('places/d.nc'))
      await vi.waitFor(async () => expect(await unwell()).toHaveLength(1), SOON)
      const target = `/?domain=${domain}&h5path=/time`
      const reply = await sendTo(other.address, 'GET', target, undefined, { user: ADMIN })
      expect(reply.json<{ shape: { dims: number[] } }>().shape.dims).toEqual([8])
    } finally {
      await other.end()
    }
  })
})

it('whose files do not agree any more says why in its description, and is repaired by them', async () => {
  await mkdir(inOpen('odd'))
  writeMember(inOpen('odd/a.nc'), day(0, 2))
  await make('/home/odd.nc', { sources: '/open/odd/*.nc', along: 'time' })
  expect(await value('/home/odd.nc', '/time')).toEqual([0, 1])
  writeMember(inOpen('odd/b.nc'), day(1, 2))
  await vi.waitFor(async () => {
    const shown = await send('GET', '/?domain=/home/odd.nc')
    expect([shown.status, shown.json()], shown.story).toMatchObject([
      200,
      { joined: true, damage: expect.stringContaining('of /open/odd/a.nc') },
    ])
  }, SOON)
  rmSync(inOpen('odd/b.nc'))
  await vi.waitFor(async () => expect(await value('/home/odd.nc', '/time')).toEqual([0, 1]), SOON)
})

describe('a definition is refused', () => {
  it.each([
    [{ sources: '/open/*.nc' }, 400, 'join.along must be a dimension'],
    [{ along: 'time' }, 400, 'join.sources must be a string'],
    [{ sources: [], along: 'time' }, 400, 'join.sources must be a string'],
    [{ ...ALL, colour: 1 }, 400, 'body.join must not have \\"colour\\"'],
    [[], 400, 'join must be an object'],
    [{ sources: 'open/*.nc', along: 'time' }, 400, 'must be a path that begins with a slash'],
    [{ sources: '/open/**', along: 'time' }, 400, 'may have one **, and a name after it'],
    [{ sources: '/open/**/a/**/b', along: 'time' }, 400, 'may have one **, and a name after it'],
    [{ sources: '/open/[z-a].nc', along: 'time' }, 400, 'is empty'],
    [{ sources: '/open/*.nc', along: '/time' }, 400, 'must be the name of a dimension, or PATH#AXIS'],
    [
      { sources: '/open/none.nc', along: 'time' },
      409,
      'there is no HDF5 file, and no stored domain, /open/none.nc',
    ],
    [{ sources: '/nowhere/*', along: 'time' }, 409, 'there is no HDF5 file in /nowhere/*'],
    [
      { sources: '/open/*.nc', along: 'space' },
      409,
      '/open/run_9.nc: no dataset has the dimension space; it has time',
    ],
    [
      { sources: '/home/all.nc', along: 'time' },
      409,
      'there is no HDF5 file, and no stored domain, /home/all.nc',
    ],
  ])('%j', async (join, status, reason) => {
    const reply = await send('PUT', '/?domain=/home/refused.nc', { join } as Fields)
    expect([reply.status, reply.text], reply.story).toEqual([status, expect.stringContaining(reason)])
    expect((await send('GET', '/?domain=/home/refused.nc')).status).toBe(404)
  })

  it('beside members of other new domains, and in a mounted folder', async () => {
    for (const rest of [{ folder: true }, { root_id: 'g-1' }, { linked_domain: '/home/all.nc' }]) {
      const reply = await send('PUT', '/?domain=/home/refused.nc', { join: ALL, ...rest } as Fields)
      expect(reply.status, reply.story).toBe(400)
    }
    const alone = await send('PUT', '/?domain=/home/refused.nc', { dry_run: true })
    expect(alone.status, alone.story).toBe(400)
    const mounted = await send('PUT', '/?domain=/open/all.nc', { join: ALL })
    expect(mounted.status, mounted.story).toBe(403)
  })

  it('with all files that do not agree in a dry run', async () => {
    await mkdir(inOpen('mixed'))
    writeMember(inOpen('mixed/a.nc'), day(0, 3))
    writeMember(inOpen('mixed/b.nc'), day(2, 3, { width: 3 }))
    writeFileSync(inOpen('mixed/0.nc'), 'no HDF5')
    const join = { sources: '/open/mixed/*.nc', along: 'time' }
    const review = await send('PUT', '/?domain=/home/mixed.nc', { join, dry_run: true })
    const files = ['/open/mixed/a.nc', '/open/mixed/b.nc']
    const { conflicts, ...rest } = review.json<{ conflicts: Fields[] }>()
    expect(conflicts).toEqual([
      { files, reason: expect.stringContaining('overlap'), option: 'keep' },
      { files, object: '/g/d', reason: expect.stringContaining('[3,2]') },
    ])
    expect(rest).toMatchObject({
      files: 2,
      warnings: [{ path: '/open/mixed/0.nc', message: expect.stringContaining('no HDF5 file') }],
    })
    rmSync(inOpen('mixed'), { recursive: true })
  })

  it('where no domain can be made, in a dry run, too', async () => {
    await make('/home/taken.nc', ALL)
    const answers = [
      ['/home/taken.nc', 409, 'domain-exists'],
      ['/home/none/all.nc', 404, 'folder-not-found'],
      ['/home/', 400, 'malformed-domain'],
      ['/open/all.nc', 403, 'domain-read-only'],
    ] as const
    for (const [path, status, code] of answers)
      for (const dry_run of [false, true]) {
        const reply = await send('PUT', `/?domain=${path}`, { join: ALL, dry_run })
        expect([reply.status, reply.json()], reply.story).toMatchObject([status, { code }])
      }
  })
})

describe('a definition has warnings', () => {
  it('of sources that find nothing, and of files that are left out', async () => {
    await mkdir(inOpen('left'))
    writeMember(inOpen('left/a.nc'), day(0, 3))
    writeFileSync(inOpen('left/b.nc'), '')
    writeFileSync(inOpen('left/c.txt'), 'no HDF5')
    // Its signature is there, and its root group is not written yet.
    writeFileSync(inOpen('left/d.nc'), readFileSync(inOpen('left/a.nc')).fill(0, 96))
    const join = { sources: ['/open/left/*.nc', '/open/letf/*.nc'], along: 'time' }
    const warnings = [
      { path: '/open/left/b.nc', message: expect.stringContaining('is no HDF5 file') },
      { path: '/open/letf/*.nc', message: expect.stringContaining('no HDF5 file in it') },
      { path: '/open/left/d.nc', message: expect.stringContaining('left out for a minute') },
    ]
    const review = await send('PUT', '/?domain=/home/left.nc', { join, dry_run: true })
    expect(review.json()).toMatchObject({ files: 1, conflicts: [], warnings })
    const made = await send('PUT', '/?domain=/home/left.nc', { join })
    expect([made.status, made.json()]).toMatchObject([201, { warnings }])
    rmSync(inOpen('left'), { recursive: true })
  })
})

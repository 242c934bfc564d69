import { type Api, type Hyperslab, RequestError } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import type { Session } from '../shell/session.ts'
import { type Connection, followFolder } from './changes.ts'
import { type Listed, listedAfter, listFolder, ReloadTimer } from './listing.ts'
import { folderPermissions } from './permissions.ts'

const signal = new AbortController().signal
const row = (name: string, parts: object = {}) =>
  ({ name: `/f/${name}`, class: 'domain', owner: '', lastModified: 1, ...parts }) as Api.ListedDomain

/** A service with these rows, of which sizes are known in a verbose list only. */
function newService(rows: readonly Api.ListedDomain[]) {
  const lists: string[] = []
  const client = {
    async *folder(path: string, { verbose = false, pageSize = 0 } = {}) {
      lists.push(`${path} ${verbose ? 'sizes' : 'names'} ${pageSize}`)
      for (const each of rows) yield verbose ? ({ ...each, total_size: 7 } as Api.ListedDomain) : each
    },
  }
  return { client: client as Pick<Hyperslab, 'folder'>, lists }
}

async function statesOf(states: AsyncGenerator<Listed>): Promise<string[]> {
  const found: string[] = []
  for await (const { rows, isComplete } of states) {
    const sized = rows.filter(row => 'total_size' in row).length
    found.push(`${rows.length}${isComplete ? '' : ' …'}${sized > 0 ? ' with sizes' : ''}`)
  }
  return found
}

describe('the list of a folder', () => {
  test('has names first, and sizes later', async () => {
    const { client, lists } = newService([row('a'), row('b')])
    expect(await statesOf(listFolder(client, '/f/', false, signal))).toEqual(['2', '2 with sizes'])
    expect(lists).toEqual(['/f/ names 1000', '/f/ sizes 1000'])
  })

  test('that is read again keeps the old rows until it is whole', async () => {
    const { client } = newService(Array.from({ length: 3000 }, (_, i) => row(`${i}`)))
    expect(await statesOf(listFolder(client, '/f/', true, signal))).toEqual(['3000 with sizes'])
  })

  test('of many is shown each time that it has doubled', async () => {
    const { client } = newService(Array.from({ length: 5000 }, (_, i) => row(`${i}`)))
    expect(await statesOf(listFolder(client, '/f/', false, signal))).toEqual([
      '1000 …',
      '2000 …',
      '4000 …',
      '5000',
      '5000 with sizes',
    ])
  })

  test('of mounted files has their sizes without opening them', async () => {
    const { client, lists } = newService([row('a', { file_size: 5 }), row('sub', { class: 'folder' })])
    expect(await statesOf(listFolder(client, '/f/', false, signal))).toEqual(['2'])
    expect(lists).toEqual(['/f/ names 1000'])
  })

  test('that cannot be read is an error', async () => {
    const client = {
      // biome-ignore lint/correctness/useYield: it fails before
      folder: async function* () {
        throw new RequestError('no', 403, 'permission-denied')
      },
    } as unknown as Hyperslab
    await expect(statesOf(listFolder(client, '/f/', false, signal))).rejects.toThrow('no')
  })
})

test('a folder is not empty while the first uploaded file is listed', () => {
  const empty = { rows: [], isComplete: true }
  expect(listedAfter(empty, 0, 0).isComplete).toBe(true)
  expect(listedAfter(empty, 0, 1).isComplete).toBe(false)
  expect(listedAfter(empty, 1, 1).isComplete).toBe(true)
})

test('changes that come together reload once, later for a list that takes long', () => {
  const waiting: { readonly act: () => void; readonly milliseconds: number }[] = []
  let reloads = 0
  let cancels = 0
  const timer = new ReloadTimer(
    () => reloads++,
    (act, milliseconds) => {
      waiting.push({ act, milliseconds })
      return () => cancels++
    },
  )
  for (let i = 0; i < 20; i++) timer.soon()
  expect(waiting.map(({ milliseconds }) => milliseconds)).toEqual([500])
  waiting[0]?.act()
  timer.took(200)
  timer.soon()
  expect([reloads, waiting[1]?.milliseconds]).toEqual([1, 2000])
  timer.stop()
  timer.stop()
  expect([reloads, cancels]).toEqual([1, 1])
})

describe('a folder follows', () => {
  const event = (domain: string) => ({ type: 'event', domain })

  /** What the listener is told while the feed has these items. */
  async function follow(items: readonly (object | boolean | Error)[], abort = new AbortController()) {
    const told: (Connection | 'change')[] = []
    const paths: string[] = []
    const client = {
      async *events(path: string, { onConnection }: { onConnection: (isConnected: boolean) => void }) {
        paths.push(path)
        for (const item of items) {
          if (item instanceof Error) throw item
          if (typeof item === 'boolean') onConnection(item)
          else yield item
        }
        abort.abort()
      },
    } as unknown as Hyperslab
    const listener = {
      onChange: () => told.push('change'),
      onConnection: (connection: Connection) => told.push(connection),
    }
    const ways = { way: 'stream', onChange: () => () => {} } as const
    await followFolder(client, '/f/', listener, { ways, pause: async () => {}, signal: abort.signal })
    return { told, paths }
  }

  test('changes of its entries, not those below its folders', async () => {
    const items = [true, event('/f/a.h5'), event('/f/sub'), event('/f/sub/a.h5'), event('/f'), event('/fg')]
    expect(await follow(items)).toEqual({ told: ['live', 'change', 'change'], paths: ['/f'] })
  })

  test('and reads the list again when it may have missed some', async () => {
    const { told } = await follow([true, false, true, { type: 'start' }, { type: 'gone' }])
    expect(told).toEqual(['live', 'lost', 'live', 'change', 'change'])
  })

  test.each([[new RequestError('no feed', 403, 'x')], [new TypeError('cut off')]])(
    'nothing after %s',
    async error => {
      expect((await follow([error])).told).toEqual(['none'])
    },
  )

  test('and says of a defect that it is one, but nothing after its end', async () => {
    await expect(follow([new Error('a defect')])).rejects.toThrow('a defect')
    const abort = new AbortController()
    abort.abort()
    expect((await follow([new Error('aborted')], abort)).told).toEqual([])
  })
})

describe('the permissions in a folder', () => {
  const ann = { name: 'ann', isAdmin: false }
  const answer = (acl: object) => async () => ({ acl })
  const failure = (status: number) => () => Promise.reject(new RequestError('no', status, 'x'))

  test.each<[string, Partial<Session>, string, () => Promise<object>, object | undefined]>([
    ['without a login', {}, '/f/', failure(500), undefined],
    ['without accounts', { isOpen: true }, '/f/', failure(500), { create: true, access: false }],
    ['at the top', { user: ann }, '/', failure(500), { create: false, access: false }],
    [
      'at the top, for administrators',
      { user: { ...ann, isAdmin: true } },
      '/',
      failure(500),
      { create: true, access: false },
    ],
    [
      'of a user',
      { user: ann },
      '/f/',
      answer({ create: true, readACL: false }),
      { create: true, access: false },
    ],
    [
      'of its owner',
      { user: ann },
      '/f/',
      answer({ create: true, readACL: true }),
      { create: true, access: true },
    ],
    ['that is missing', { user: ann }, '/f/', failure(404), { create: false, access: false }],
    ['that is gone', { user: ann }, '/f/', failure(410), { create: false, access: false }],
    ['that is not readable', { user: ann }, '/f/', failure(403), { create: true, access: true }],
  ])('%s', async (_, session, path, request, expected) => {
    const whole = { user: undefined, isOpen: false, client: { request } as unknown as Hyperslab, ...session }
    expect(await folderPermissions(whole, path, signal)).toEqual(expected)
  })

  test('are asked for by the path of the folder', async () => {
    const asked: unknown[] = []
    const client = {
      request: async (...request: unknown[]) => {
        asked.push(request.slice(0, 2))
        return { acl: {} }
      },
    } as unknown as Hyperslab
    await folderPermissions({ client, user: ann, isOpen: false }, '/home/ann/', signal)
    expect(asked).toEqual([['GET /acls/{user}', { user: 'ann', domain: '/home/ann', effective: 1 }]])
  })
})

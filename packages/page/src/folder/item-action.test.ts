import { type Api, type Hyperslab, RequestError } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { pictureOf } from './contents.ts'
import {
  deleteItems,
  deletionText,
  dialogTitle,
  giveAccess,
  type ItemAction,
  moveItems,
} from './item-action.ts'

const item = (name: string, parts: object = {}) =>
  ({ name: `/f/${name}`, class: 'domain', ...parts }) as Api.ListedDomain
const folder = item('sub', { class: 'folder' })
const counted = { num_groups: 1, num_datasets: 2, num_datatypes: 0, num_objects: 90, total_size: 2048 }

/** A service that refuses requests about these paths. */
function newService(refused: Readonly<Record<string, number>> = {}) {
  const requests: string[] = []
  const client = {
    request: async (
      name: string,
      { domain, user }: Record<string, string>,
      { body }: { body?: object } = {},
    ) => {
      requests.push([name, user, domain, body && JSON.stringify(body)].filter(Boolean).join(' '))
      const status = refused[domain ?? '']
      if (status !== undefined) throw new RequestError(`no ${domain}`, status, 'x')
    },
  } as unknown as Hyperslab
  return { client, requests }
}

test.each<[ItemAction, readonly Api.ListedDomain[], string]>([
  ['rename', [item('a.h5')], 'Rename a.h5'],
  ['move', [item('a.h5'), folder], 'Move 2 entries'],
  ['delete', [item('a.h5')], 'Delete a.h5?'],
  ['access', [folder], 'Access to sub'],
])('the dialog to %s has the title of its entries: %#', (action, items, title) => {
  expect(dialogTitle(action, items)).toBe(title)
})

const joined = (name: string) => item(name, { joined: true, num_files: 3, file_size: 4096 })
const LOST = 'There is no way to get it back.'

test.each<[readonly Api.ListedDomain[], string]>([
  [[folder], `The folder /f/sub goes, if it is empty. ${LOST}`],
  [[item('a.h5')], `The domain /f/a.h5 goes. ${LOST}`],
  [[item('a.h5', counted)], `The domain /f/a.h5 goes with 3 objects, 2.0 KiB. ${LOST}`],
  [
    [item('a.h5', { ...counted, num_datasets: 0 })],
    `The domain /f/a.h5 goes with 1 object, 2.0 KiB. ${LOST}`,
  ],
  [[item('a.h5', counted), item('b.h5', counted)], `2 domains, 4.0 KiB, go. ${LOST}`],
  [[item('a.h5', counted), folder], `1 domain, 2.0 KiB, and 1 folder, if empty, go. ${LOST}`],
  [[folder, folder], `2 folders, if empty, go. ${LOST}`],
  [[joined('all.nc')], 'The joined domain /f/all.nc goes. Its files stay.'],
  [[joined('a.nc'), joined('b.nc')], '2 joined domains go. Their files stay.'],
  [
    [item('a.h5', counted), joined('all.nc')],
    `The domain /f/a.h5 goes with 3 objects, 2.0 KiB. ${LOST} The joined domain /f/all.nc goes. Its files stay.`,
  ],
])('a deletion says what goes, and what stays: %#', (items, words) => {
  expect(deletionText(items)).toBe(words)
})

describe('entries', () => {
  const both = [item('a.h5'), folder]

  test.each<[ItemAction, readonly Api.ListedDomain[], string, readonly string[]]>([
    ['rename', [item('a.h5')], 'b.h5', ['/f/b.h5']],
    ['rename', [item('a.h5')], '/g/b.h5', ['/g/b.h5']],
    ['move', both, '/g', ['/g/a.h5', '/g/sub']],
    ['move', both, '/g/', ['/g/a.h5', '/g/sub']],
    ['move', both, '/', ['/a.h5', '/sub']],
  ])('are moved by %s: %# to %s', async (action, items, text, paths) => {
    const { client, requests } = newService()
    await moveItems({ client, kept: undefined }, action, items, text)
    expect(requests).toEqual(paths.map((path, i) => `PUT / ${path} {"moved_from":"${items[i]?.name}"}`))
  })

  test('are deleted one after the other', async () => {
    const { client, requests } = newService()
    await deleteItems(client, both)
    expect(requests).toEqual(['DELETE / /f/a.h5', 'DELETE / /f/sub'])
  })

  test('get the same access, or lose their row, also where there is none', async () => {
    const { client, requests } = newService({ '/f/sub': 404 })
    await giveAccess(client, [item('a.h5')], 'g:lab', 'Read and change')
    await giveAccess(client, both, 'bob', 'No row: those of everybody and of groups')
    const body = { read: true, create: true, update: true, delete: true, readACL: false, updateACL: false }
    expect(requests).toEqual([
      `PUT /acls/{user} g:lab /f/a.h5 ${JSON.stringify(body)}`,
      'DELETE /acls/{user} bob /f/a.h5',
      'DELETE /acls/{user} bob /f/sub',
    ])
  })

  test('that fail are named, and the others are done', async () => {
    const items = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => item(name))
    const { client, requests } = newService({ '/f/b': 403, '/f/d': 409, '/f/e': 403, '/f/f': 403 })
    await expect(deleteItems(client, items)).rejects.toThrow(
      '4 of 6 failed. b: no /f/b; d: no /f/d; e: no /f/e; and 1 more',
    )
    expect(requests).toHaveLength(6)
    await expect(deleteItems(client, [item('b')])).rejects.toThrow(/^no \/f\/b$/)
    await expect(giveAccess(client, [item('b')], 'bob', 'Read')).rejects.toThrow('no /f/b')
  })
})

test('a domain has a picture, or none when it cannot be shown', async () => {
  const { signal } = new AbortController()
  const of = (open: () => Promise<Response>) => pictureOf({ open } as unknown as Hyperslab, '/a', signal)
  expect((await of(async () => new Response('png')))?.size).toBe(3)
  expect(await of(async () => new Response(null, { status: 204 }))).toBeUndefined()
  expect(await of(() => Promise.reject(new RequestError('no', 404, 'x')))).toBeUndefined()
})

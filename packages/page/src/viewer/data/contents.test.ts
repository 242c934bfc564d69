import { type Hyperslab, RequestError } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { Contents } from './contents.ts'

interface Answer {
  readonly resolve: (titles: readonly string[]) => void
  readonly reject: (error: Error) => void
}

/** Contents whose lists of members wait for what the test answers, in the order of `lists`. */
function newContents() {
  const lists: Answer[] = []
  const domain = {
    path: '/a.h5',
    objects: (paths: readonly string[]) =>
      Promise.resolve(new Map(paths.map(path => [path, { id: 'g-1', class: 'group' }]))),
    async *links() {
      const titles = await new Promise<readonly string[]>((resolve, reject) =>
        lists.push({ resolve, reject }),
      )
      for (const title of titles) yield { class: 'H5L_TYPE_HARD', title, id: 'd-1', collection: 'datasets' }
    },
  }
  const client = { domain: () => domain } as unknown as Hyperslab
  const contents = new Contents(client, domain.path)
  const members = () => contents.members('/')
  return { contents, members, lists, titles: () => members().members.map(({ title }) => title) }
}

test('a list that is read again has the former members until all are there', async () => {
  const { contents, members, lists, titles } = newContents()
  const first = members()
  await expect.poll(() => lists.length).toBe(1)
  expect([titles(), first.isComplete]).toEqual([[], false])
  lists[0]?.resolve(['a'])
  await first.done
  contents.forget(undefined)
  contents.forget(new Set(['g-1']))
  const second = members()
  expect(second).not.toBe(first)
  expect([titles(), second.isComplete]).toEqual([['a'], true])
  await expect.poll(() => lists.length).toBe(2)
  contents.forget(undefined)
  // The second one was forgotten before it was there: what is there is shown.
  const third = members()
  expect(titles()).toEqual(['a'])
  await expect.poll(() => lists.length).toBe(3)
  lists[1]?.resolve(['a', 'b'])
  await second.done
  expect(titles()).toEqual(['a', 'b'])
  lists[2]?.resolve(['b', 'c'])
  await third.done
  expect(titles()).toEqual(['b', 'c'])
})

test('a list that failed is requested again when it is forgotten, not when it is drawn', async () => {
  const { contents, members, lists, titles } = newContents()
  const failed = members()
  await expect.poll(() => lists.length).toBe(1)
  lists[0]?.reject(new Error('lost'))
  await expect(failed.done).rejects.toThrow('lost')
  expect([members(), failed.isComplete]).toEqual([failed, false])
  contents.forget(undefined)
  const again = members()
  await expect.poll(() => lists.length).toBe(2)
  lists[1]?.resolve(['a'])
  await again.done
  expect([titles(), again.error]).toEqual([['a'], undefined])
})

test('links say what they lead to, and the object behind one may be in another domain', async () => {
  const far = { id: 'd-1', class: 'dataset', domain: '/b.h5', type: 'H5T_STD_I32LE', shape: [] }
  const links = [
    { class: 'H5L_TYPE_HARD', title: 'own', id: 'g-2', collection: 'groups' },
    { class: 'H5L_TYPE_SOFT', title: 'on', h5path: '/own' },
    { class: 'H5L_TYPE_EXTERNAL', title: 'far', h5domain: '/b.h5', h5path: '/detector' },
    { class: 'H5L_TYPE_EXTERNAL', title: 'lost', h5domain: '/c.h5', h5path: '/' },
  ]
  const answers = new Map<string, object>([
    ['/', { id: 'g-1', class: 'group' }],
    ['/far', { ...far, class: 'group' }],
    ['/lost', new RequestError('there is no domain', 404, 'x')],
  ])
  const domain = {
    path: '/a.h5',
    objects: async (paths: readonly string[]) => new Map(paths.map(path => [path, answers.get(path)])),
    async *links(id: string) {
      if (id === 'g-1') yield* links
      if (id === 'd-1') yield { class: 'H5L_TYPE_HARD', title: 'counts', id: 'd-2', collection: 'datasets' }
    },
  }
  const contents = new Contents({ domain: () => domain } as unknown as Hyperslab, domain.path)
  const membersOf = async (path: string) => {
    const list = contents.members(path)
    await list.done
    return list.members
  }
  expect((await membersOf('/')).map(({ link, kind, target }) => [link, kind, target])).toEqual([
    ['hard', 'group', undefined],
    ['soft', undefined, '/own'],
    ['external', undefined, '/b.h5: /detector'],
    ['external', undefined, '/c.h5: /'],
  ])
  expect((await membersOf('/far')).map(({ path }) => path)).toEqual(['/far/counts'])
  await expect(contents.at('/lost')).rejects.toThrow('there is no domain')
})

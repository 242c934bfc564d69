import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import type { ObjectId } from '@hyperslab/model/names'
import type { Reader } from '@hyperslab/store/store'
import { expect, it } from 'vitest'
import { openTestService } from '../../../../test/fixtures/service.ts'
import { createGroup } from '../creation/groups.ts'
import { putLink } from '../links/links.ts'
import { pathsBelow } from './paths-below.ts'

/** A reader for which an object or its links cannot be read. */
function damaged(reader: Reader, id: ObjectId, part: 'object' | 'links', code: ErrorCode): Reader {
  const error = new HyperslabError(code, 'no such node')
  const failing: Pick<Reader, 'object' | 'links'> = {
    object: async asked => {
      if (asked === id && part === 'object') throw error
      return reader.object(asked)
    },
    async *links(group, page) {
      if (group !== id || part !== 'links') return yield* reader.links(group, page)
      for await (const link of reader.links(group, { ...page, limit: 1 })) yield link
      throw error
    },
  }
  return new Proxy(reader, {
    get: (target, name) => Reflect.get(name in failing ? failing : target, name),
  })
}

async function pathsOfDamaged(part: 'object' | 'links', code: ErrorCode): Promise<readonly string[]> {
  const service = await openTestService()
  const root = await service.readIn(async (_, domain) => domain.root.id)
  const add = async (group: ObjectId, title: string): Promise<ObjectId> => {
    const { id } = await service.writeIn(
      async (context, domain) => (await createGroup(context, domain, {})).object,
    )
    await service.writeIn((context, domain) =>
      putLink(context, domain, group, title, { id }, { same: 'conflict' }),
    )
    return id
  }
  const [a, b] = [await add(root, 'a'), await add(root, 'b')]
  for (const group of [a, b]) for (const title of ['first', 'second']) await add(group, title)
  return service.readIn(async ({ reader, ...context }, domain) => {
    const paths: string[] = []
    const from = { domain, object: domain.root }
    const below = pathsBelow({ ...context, reader: damaged(reader, a, part, code) }, from, '/')
    for await (const { path } of below) paths.push(path)
    return paths
  })
}

it('a group that cannot be read is listed, and nothing below it', async () => {
  expect(await pathsOfDamaged('object', 'domain-unreadable')).toEqual([
    '/',
    '/a',
    '/b',
    '/b/first',
    '/b/second',
  ])
})

it.each<ErrorCode>(['domain-unreadable', 'file-unavailable'])(
  'a group has the links that can be read (%s)',
  async code => {
    expect(await pathsOfDamaged('links', code)).toEqual([
      '/',
      '/a',
      '/b',
      '/a/first',
      '/b/first',
      '/b/second',
    ])
  },
)

it('a request that may succeed later fails', async () => {
  await expect(pathsOfDamaged('links', 'file-changed')).rejects.toThrow('no such node')
})

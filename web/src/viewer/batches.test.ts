import { describe, expect, it } from 'vitest'
import { RequestError } from '../../../client/index.ts'
import { Batches } from './batches.ts'

const NOT_FOUND = new RequestError('the path "/bad" leads nowhere', 404, 'link-not-found')

/** Answers each path with its length, fails as a server does when `/bad` is among them, and knows nothing of `/absent`. */
function batches() {
  const asked: (readonly string[])[] = []
  const all = new Batches(async (paths: readonly string[]) => {
    asked.push(paths)
    if (paths.includes('/bad')) throw NOT_FOUND
    return new Map(paths.filter(path => path !== '/absent').map(path => [path, path.length]))
  })
  return { asked, all }
}

describe('Batches', () => {
  it('asks once for what is wanted at about the same time, and again for what comes later', async () => {
    const { asked, all } = batches()
    expect(await Promise.all(['/a', '/bb', '/ccc'].map(path => all.get(path)))).toEqual([2, 3, 4])
    expect(await all.get('/a')).toBe(2)
    expect(asked).toEqual([['/a', '/bb', '/ccc'], ['/a']])
  })

  it('asks for at most 500 at once, the latest first, and forgets none', async () => {
    const { asked, all } = batches()
    const paths = Array.from({ length: 5001 }, (_, i) => `/${i}`)
    const found = await Promise.all(paths.map(path => all.get(path)))
    expect(found).toEqual(paths.map(({ length }) => length))
    expect(asked.map(({ length }) => length)).toEqual([...Array(10).fill(500), 1])
    expect(asked[0]?.at(-1)).toBe('/5000')
  })

  it('fails only what fails', async () => {
    const { all } = batches()
    const paths = ['/a', '/bad', '/absent', '/b', '/c']
    const results = await Promise.allSettled(paths.map(path => all.get(path)))
    expect(
      results.map(result => (result.status === 'fulfilled' ? result.value : String(result.reason))),
    ).toEqual([2, String(NOT_FOUND), 'Error: There is no object at /absent', 2, 2])
  })

  it('does not repeat what no part of the request is to blame for', async () => {
    let requests = 0
    const all = new Batches(async () => {
      requests++
      throw new RequestError('send credentials', 401)
    })
    const results = await Promise.allSettled(['/a', '/b'].map(path => all.get(path)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(requests).toBe(1)
  })
})

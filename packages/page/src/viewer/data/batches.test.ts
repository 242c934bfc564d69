import { describe, expect, it } from 'vitest'
import { Batches } from './batches.ts'

/** Answers each path with its length, and knows nothing of `/absent`. */
function batches() {
  const asked: (readonly string[])[] = []
  const all = new Batches(async (paths: readonly string[]) => {
    asked.push(paths)
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

  it('fails only what is not there', async () => {
    const { all } = batches()
    const paths = ['/a', '/absent', '/b', '/c']
    const results = await Promise.allSettled(paths.map(path => all.get(path)))
    expect(
      results.map(result => (result.status === 'fulfilled' ? result.value : String(result.reason))),
    ).toEqual([2, 'Error: There is no object at /absent', 2, 2])
  })

  it('fails all that a failed request is about, asks nothing again, and goes on', async () => {
    let requests = 0
    const all = new Batches(async (paths: readonly string[]) => {
      if (++requests === 1) throw new Error('away')
      return new Map(paths.map(path => [path, path.length]))
    })
    const results = await Promise.allSettled(['/a', '/b'].map(path => all.get(path)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(requests).toBe(1)
    expect(await all.get('/a')).toBe(2)
  })
})

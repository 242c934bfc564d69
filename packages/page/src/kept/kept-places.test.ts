import { beforeEach, describe, expect, test, vi } from 'vitest'
import { KeptPlaces } from './kept-places.ts'

/** The storage of a browser. */
function newStorage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => `/${i}.h5`)

describe('kept places', () => {
  let storage: ReturnType<typeof newStorage>
  beforeEach(() => {
    storage = newStorage()
  })
  const ofUser = (user?: string) => new KeptPlaces(() => storage, '/', user)

  test('the last files that were opened come first, each once, and their number is bounded', () => {
    const places = ofUser('ann')
    for (const path of [...numbers(30), '/25.h5']) places.addRecent(path)
    const { recent } = places.lists()
    expect(recent.slice(0, 4)).toEqual(['/25.h5', '/29.h5', '/28.h5', '/27.h5'])
    expect(recent.length).toBe(20)
  })

  test('a mark is set and taken away, and none is lost for a new one', () => {
    const places = ofUser('ann')
    for (const path of ['/a.h5', '/folder/', '/a.h5', ...numbers(300)]) places.toggleFavourite(path)
    const { favourites } = places.lists()
    expect(favourites.slice(0, 2)).toEqual(['/folder/', '/0.h5'])
    expect(favourites.length).toBe(200)
  })

  test('what has another path is there under that one, with all that is in a folder', () => {
    const places = ofUser()
    for (const path of ['/a/x.h5', '/ab.h5', '/a/y.h5']) places.addRecent(path)
    for (const path of ['/a/', '/a/x.h5']) places.toggleFavourite(path)
    places.move('/a/x.h5', '/a/z.h5')
    places.move('/a', '/b')
    expect(places.lists()).toEqual({
      recent: ['/b/y.h5', '/ab.h5', '/b/z.h5'],
      favourites: ['/b/', '/b/z.h5'],
    })
  })

  test('what is removed is in neither list', () => {
    const places = ofUser()
    places.addRecent('/a.h5')
    places.toggleFavourite('/a.h5')
    places.remove('/a.h5')
    expect(places.lists()).toEqual({ recent: [], favourites: [] })
  })

  test('each user, and each service of an origin, has lists of their own, over reloads', () => {
    ofUser('ann').addRecent('/a.h5')
    new KeptPlaces(() => storage, '/other/', 'ann').addRecent('/c.h5')
    expect(ofUser('bob').lists().recent).toEqual([])
    expect(ofUser().lists().recent).toEqual([])
    expect(ofUser('ann').lists().recent).toEqual(['/a.h5'])
  })

  test('the lists are the same object until they change, here or in another tab', () => {
    vi.stubGlobal('addEventListener', () => undefined)
    const [here, there] = [ofUser('ann'), ofUser('ann')]
    const told = vi.fn()
    here.subscribe(told)
    here.addRecent('/a.h5')
    expect(told).toHaveBeenCalledOnce()
    const before = here.lists()
    expect(here.lists()).toBe(before)
    there.addRecent('/b.h5')
    expect(here.lists().recent).toEqual(['/b.h5', '/a.h5'])
    vi.unstubAllGlobals()
  })

  test.each(['{', '[]', '{"recent":{},"favourites":[1,null,"javascript:x"]}'])(
    'what is no list of paths is left out: %s',
    text => {
      storage.items.set('hyperslab-places / ann', text)
      expect(ofUser('ann').lists()).toEqual({ recent: [], favourites: [] })
    },
  )

  test('a browser that stores nothing keeps the lists while the page is open', () => {
    const fail = () => {
      throw new Error('not allowed')
    }
    const places = new KeptPlaces(fail, '/')
    places.addRecent('/a.h5')
    expect(places.lists().recent).toEqual(['/a.h5'])
  })
})

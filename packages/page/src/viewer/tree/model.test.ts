import { type Hyperslab, RequestError } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { Contents } from '../data/contents.ts'
import { picked, placeOf, pressed, ROW_HEIGHT, rowsInSight, rowText, type TreeStep, topFor } from './model.ts'
import { opened, rowsOf } from './rows.ts'

type Links = Readonly<Record<string, object>>

const dataset = (title: string) => ({ class: 'H5L_TYPE_HARD', title, id: 'd-1', collection: 'datasets' })
const group = (title: string) => ({ class: 'H5L_TYPE_HARD', title, id: `g-${title}`, collection: 'groups' })

/** A service with these groups by their ids, of which the root has the id `g-`; all else is not found. */
function newService(groups: Readonly<Record<string, Links>>) {
  const listed: string[] = []
  const asked: (readonly string[])[] = []
  const domain = {
    path: '/home/a.h5',
    objects: (paths: readonly string[]) => {
      asked.push(paths)
      return Promise.resolve(
        new Map(
          paths.map(path => {
            const id = `g-${path.slice(path.lastIndexOf('/') + 1)}`
            const found = { id, class: 'group', linkCount: 0 }
            return [path, id in groups ? found : new RequestError('nothing is there', 404, 'x')]
          }),
        ),
      )
    },
    async *links(id: string) {
      listed.push(id)
      yield* Object.values(groups[id] ?? {})
    },
  }
  const contents = new Contents({ domain: () => domain } as unknown as Hyperslab, domain.path)
  return { contents, listed, asked }
}

/** The tree as its component has it, after each step. */
function newTree(contents: Contents, first = '/', height = 10 * ROW_HEIGHT) {
  let open = opened(new Set(['/']), first)
  let [object, focused] = [first, first]
  const rows = () => rowsOf(contents, open)
  const isGroup = (path: string) => path === '/' || rows()[placeOf(rows(), path)]?.member?.kind === 'group'
  const state = () => ({ rows: rows(), open, object, height })
  const take = (step: TreeStep | undefined) => {
    open = step?.open ?? open
    object = step?.chosen ?? object
    focused = step?.focused?.path ?? focused
    return step
  }
  return {
    rows,
    shown: () => rows().map(({ path, note }) => note ?? path),
    /** Waits until the members of all open groups are there. */
    listed: () => Promise.all([...open].map(path => contents.members(path).done)),
    click: (path: string) => take(picked(state(), path, isGroup(path))),
    press: (key: string) => take(pressed(key, state(), focused, isGroup(focused))),
    at: () => ({ object, focused }),
  }
}

const FOUR = {
  'g-': { a: group('a'), b: group('b'), c: group('c'), d: group('d') },
  'g-a': { x: dataset('x') },
  'g-b': { x: dataset('x') },
  'g-d': { x: dataset('x') },
}

describe('the members of a group are requested', () => {
  test('when it is opened by mouse, keyboard or address, and not before', async () => {
    const { contents, listed } = newService(FOUR)
    const tree = newTree(contents)
    expect(tree.shown()).toEqual(['/', 'loading'])
    await tree.listed()
    expect(tree.shown()).toEqual(['/', '/a', '/b', '/c', '/d'])
    tree.click('/a')
    await tree.listed()
    expect(tree.shown()).toEqual(['/', '/a', '/a/x', '/b', '/c', '/d'])
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) tree.press(key)
    expect(tree.at()).toEqual({ object: '/a', focused: '/b' })
    await tree.listed()
    expect(tree.shown()).toEqual(['/', '/a', '/a/x', '/b', '/b/x', '/c', '/d'])
    expect(listed).toEqual(['g-', 'g-a', 'g-b'])
    const address = newService(FOUR)
    const other = newTree(address.contents, '/d/x')
    other.rows()
    await other.listed()
    expect(other.shown()).toEqual(['/', '/a', '/b', '/c', '/d', '/d/x'])
    expect(address.listed.sort()).toEqual(['g-', 'g-d'])
  })

  test('and a group without members, and one that cannot be read, say so', async () => {
    const { contents } = newService({ 'g-': { a: group('a'), lost: group('lost') }, 'g-a': {} })
    const tree = newTree(contents)
    tree.rows()
    await tree.listed()
    tree.click('/a')
    tree.click('/lost')
    tree.rows()
    await expect(tree.listed()).rejects.toThrow('nothing is there')
    expect(tree.shown()).toEqual(['/', '/a', 'empty', '/lost', 'failed'])
  })
})

describe('a click and a key', () => {
  const ready = async () => {
    const tree = newTree(newService(FOUR).contents, '/', 4 * ROW_HEIGHT)
    tree.rows()
    await tree.listed()
    return tree
  }

  test.each<[readonly string[], string]>([
    [['ArrowDown'], '/a'],
    [['ArrowUp'], '/'],
    [['End'], '/d'],
    [['End', 'ArrowDown'], '/d'],
    [['PageDown'], '/c'],
    [['PageDown', 'PageUp'], '/'],
    [['End', 'Home'], '/'],
    // To the group above.
    [['End', 'ArrowLeft'], '/'],
  ])('the keys %j lead to %s', async (keys, path) => {
    const tree = await ready()
    for (const key of keys) tree.press(key)
    expect(tree.at()).toEqual({ object: '/', focused: path })
  })

  test('open and close a group, and choose an object', async () => {
    const tree = await ready()
    for (const key of ['ArrowDown', 'Enter']) tree.press(key)
    await tree.listed()
    expect(tree.at()).toEqual({ object: '/a', focused: '/a' })
    // Open already: the next row.
    for (const key of ['ArrowRight', ' ']) tree.press(key)
    expect(tree.at()).toEqual({ object: '/a/x', focused: '/a/x' })
    // One that was not chosen stays open, and closes with the second click.
    tree.click('/a')
    expect(tree.shown()).toContain('/a/x')
    tree.click('/a')
    expect(tree.shown()).not.toContain('/a/x')
    tree.click('/a')
    for (const key of ['ArrowUp', 'ArrowLeft']) tree.press(key)
    expect(tree.shown()).not.toContain('/a/x')
    expect(tree.press('x')).toBeUndefined()
  })
})

describe('a group of thousands', () => {
  const titles = Array.from({ length: 5000 }, (_, i) => `m${String(i).padStart(4, '0')}`)
  const soft = (title: string) => ({ class: 'H5L_TYPE_SOFT', title, h5path: '/nowhere' })
  const service = () => newService({ 'g-': Object.fromEntries(titles.map(title => [title, soft(title)])) })

  test('has all of its rows, of which those in sight are drawn', async () => {
    const tree = newTree(service().contents)
    tree.rows()
    await tree.listed()
    expect(tree.rows()[1]).toMatchObject({ title: 'm0000', position: 1, siblings: 5000 })
    tree.press('End')
    expect(tree.at().focused).toBe('/m4999')
    const sight = { top: 0, height: 800 }
    const place = placeOf(tree.rows(), '/m4999')
    const top = topFor(place, sight)
    expect(top).toBe(5001 * ROW_HEIGHT - 800)
    const { first, last } = rowsInSight({ ...sight, top })
    expect(first <= place && place < last && last - first < 100).toBe(true)
    expect([topFor(place, { ...sight, top }), topFor(3, { ...sight, top }), topFor(-1, sight)]).toEqual([
      top,
      3 * ROW_HEIGHT,
      0,
    ])
    expect(rowsInSight(sight).first).toBe(0)
  })

  test('asks once for the ends of the links in sight, and says that they are not found', async () => {
    const { contents, asked } = service()
    const tree = newTree(contents)
    tree.rows()
    await tree.listed()
    asked.length = 0
    const rows = tree.rows().slice(1, 60)
    const found = await Promise.all(
      rows.map(row =>
        contents.at(row.path).then(
          entity => rowText(row, { entity, error: undefined }),
          (error: Error) => rowText(row, { entity: undefined, error: error.message }),
        ),
      ),
    )
    expect(asked).toEqual([rows.map(({ path }) => path)])
    expect(found[0]).toEqual({
      kind: undefined,
      word: 'not found',
      isLost: true,
      link: 'soft link',
      nxClass: undefined,
      shape: undefined,
      hint: '/m0000\n→ /nowhere\nnothing is there',
    })
  })
})

// What reads select in the hsds dialect: ranges and lists of coordinates (contract 30, section 9), members of compounds
// (section 10).

import { beforeAll, describe, expect, test } from 'vitest'
import { USER1 } from '../client.ts'
import { type Domain, makeHome, newDomain, OCTETS } from './domain.ts'

const BINARY = { user: USER1, headers: { accept: OCTETS } }

beforeAll(makeHome)

/** Ten rows (i, 2i + 0.5, "r<i>"), named x, y:z and s. */
async function rows(domain: Domain): Promise<string> {
  const type = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'x', type: 'H5T_STD_I16LE' },
      { name: 'y:z', type: 'H5T_IEEE_F32BE' },
      { name: 's', type: { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', length: 3 } },
    ],
  }
  const id = await domain.dataset({ type, shape: [10] })
  const value = Array.from({ length: 10 }, (_, i) => [i, 2 * i + 0.5, `r${i}`])
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
  return id
}

describe('contract 30, 10: fields', () => {
  test('the members asked for, in that order; a list also for one', async () => {
    const domain = await newDomain()
    const id = await rows(domain)
    expect(await domain.value(id, '?fields=s:x&select=[2:4]')).toEqual([
      ['r2', 2],
      ['r3', 3],
    ])
    expect(await domain.value(id, '?fields=x&select=[::4]')).toEqual([[0], [4], [8]])
    expect(await domain.value(id, '?fields=&select=[1]')).toEqual([[1, 2.5, 'r1']])
  })

  test('binary: the packed members, with their length', async () => {
    const domain = await newDomain()
    const id = await rows(domain)
    const reply = await domain.send('GET', `/datasets/${id}/value?fields=s:x&select=[2:4]`, undefined, BINARY)
    expect(reply.headers['content-length'], reply.story).toBe('10')
    expect(reply.bytes.toString('hex')).toBe('723200020072330003' + '00')
    const body = { points: [9, 1], fields: ['y:z', 'x'] }
    const points = await domain.send('POST', `/datasets/${id}/value`, body, BINARY)
    expect(points.headers['content-length'], points.story).toBe('12')
    expect(points.bytes.toString('hex')).toBe('4194000009004020000001' + '00')
  })

  test('of points: as text or list, in the body or in the query', async () => {
    const domain = await newDomain()
    const id = await rows(domain)
    const read = async (query: string, body: object) =>
      (await domain.want(200, 'POST', `/datasets/${id}/value${query}`, body)).value
    expect(await read('', { points: [3, 1], fields: 'x' })).toEqual([[3], [1]])
    expect(await read('', { points: [3, 1], fields: ['y:z'] })).toEqual([[6.5], [2.5]])
    expect(await read('?fields=s', { points: [3, 1] })).toEqual([['r3'], ['r1']])
  })

  test('elements never written have the fill value of the members', async () => {
    const domain = await newDomain()
    const fields = ['a', 'b', 'c'].map(name => ({ name, type: 'H5T_STD_I32LE' }))
    const creationProperties = { fillValue: [1, 2, 3] }
    const id = await domain.dataset({
      type: { class: 'H5T_COMPOUND', fields },
      shape: [2, 1],
      creationProperties,
    })
    expect(await domain.value(id, '?fields=c:a')).toEqual([[[3, 1]], [[3, 1]]])
  })

  test('unknown, repeated and empty names, and types without members are 400', async () => {
    const domain = await newDomain()
    const id = await rows(domain)
    for (const fields of ['q', 'x:x', 'x:', ':', 'X', 'x,s', 'x:y:z']) {
      await domain.refuse(400, 'GET', `/datasets/${id}/value?fields=${fields}`)
      await domain.refuse(400, 'GET', `/datasets/${id}/value?fields=${fields}`, undefined, BINARY)
    }
    for (const fields of [5, [], ['x', 1], { x: 1 }]) {
      await domain.refuse(400, 'POST', `/datasets/${id}/value`, { points: [1], fields })
    }
    const plain = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [3] })
    await domain.refuse(400, 'GET', `/datasets/${plain}/value?fields=x`)
  })
})

/** 10 x 10 elements, i * j each. */
async function table(domain: Domain): Promise<string> {
  const layout = { class: 'H5D_CHUNKED', dims: [3, 4] }
  const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [10, 10], creationProperties: { layout } })
  const value = Array.from({ length: 10 }, (_, i) => Array.from({ length: 10 }, (_, j) => i * j))
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
  return id
}

/** Numbered elements. */
async function numbered(domain: Domain, ...shape: number[]): Promise<string> {
  const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape })
  const value = Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => i)
  await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
  return id
}

describe('contract 30, 9: select', () => {
  test.each<[string, unknown]>([
    [
      '[1:3,[2,4,7]]',
      [
        [2, 4, 7],
        [4, 8, 14],
      ],
    ],
    [
      '[0:4,[7,4,2]]',
      [
        [0, 0, 0],
        [7, 4, 2],
        [14, 8, 4],
        [21, 12, 6],
      ],
    ],
    ['[[0,3,7],[6,4,2]]', [0, 12, 14]],
    ['[[0,1,3],[7,4,2]]', [0, 4, 6]],
    ['[3:4,[0,2,5]]', [[0, 6, 15]]],
    ['[ [9, 9,0] , 3 ]', [[27], [27], [0]]],
    ['[8:10:5,::9]', [[0, 72]]],
  ])('%s, raw and URL-encoded, in JSON and binary', async (select, value) => {
    const domain = await newDomain()
    const id = await table(domain)
    expect(await domain.value(id, `?select=${select.replaceAll(' ', '%20')}`)).toEqual(value)
    expect(await domain.value(id, `?select=${encodeURIComponent(select)}`)).toEqual(value)
    const bytes = await domain.send(
      'GET',
      `/datasets/${id}/value?select=${encodeURIComponent(select)}`,
      undefined,
      BINARY,
    )
    expect(numbersIn(bytes.bytes)).toEqual([value].flat(2))
  })

  test('a range between two lists: the lists are one dimension, at the place of the first', async () => {
    const domain = await newDomain()
    const id = await numbered(domain, 10, 4, 10)
    expect(await domain.value(id, '?select=[[1,2],0:4,[3,4]]')).toEqual([
      [43, 53, 63, 73],
      [84, 94, 104, 114],
    ])
    expect(await domain.value(id, '?select=[0:2,[3,0],[9,0]]')).toEqual([
      [39, 0],
      [79, 40],
    ])
  })

  test('writes: of a repeated coordinate the last value stays', async () => {
    const domain = await newDomain()
    const id = await numbered(domain, 2, 3)
    await domain.want(200, 'PUT', `/datasets/${id}/value?select=[0:2,[2,0,2]]`, {
      value: [-1, -2, -3, -4, -5, -6],
    })
    expect(await domain.value(id)).toEqual([
      [-2, 1, -3],
      [-5, 4, -6],
    ])
  })

  test('empty select and zero extents', async () => {
    const domain = await newDomain()
    const id = await numbered(domain, 2, 2)
    expect(await domain.value(id, '?select=')).toEqual([
      [0, 1],
      [2, 3],
    ])
    const empty = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [2, 0], maxdims: [2, 0] })
    expect(await domain.value(empty)).toEqual([[], []])
    expect(await domain.value(empty, '?select=[:,:]')).toEqual([[], []])
    await domain.refuse(400, 'GET', `/datasets/${empty}/value?select=[:,0:0]`)
  })

  test('a scalar is the bare value, as if of dims [1]', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I32LE' })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: 7 })
    for (const select of ['[0]', '[0:1]', '[:]']) expect(await domain.value(id, `?select=${select}`)).toBe(7)
    for (const select of ['[1]', '[0:2]', '[0,0]']) {
      await domain.refuse(400, 'GET', `/datasets/${id}/value?select=${select}`)
    }
  })

  test.each([
    '2:8',
    'x0:2x',
    '[0:4',
    '[[0,1],[0,1,2]]',
    '[[0,10],0]',
    '[[],0]',
    '[[0,1]]',
    '[0:4,[1,2],3]',
    '[0:12,0:12]',
    '[0:4,]',
    '[..., 0]',
    '[-1,0]',
    '[+1,0]',
    '[1_0,0]',
    '[5:5,0]',
    '[0:5:0,0]',
    'ALL',
    '[:,:]]',
  ])('%s is 400 in JSON and binary', async select => {
    const domain = await newDomain()
    const id = await table(domain)
    const path = `/datasets/${id}/value?select=${encodeURIComponent(select)}`
    await domain.refuse(400, 'GET', path)
    await domain.refuse(400, 'GET', path, undefined, BINARY)
  })
})

function numbersIn(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readInt32LE(4 * i))
}

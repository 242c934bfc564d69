// What reads select in the hsds dialect: members of compounds (contract 30, section 10).

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

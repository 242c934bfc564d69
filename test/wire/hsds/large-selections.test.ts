// Selections of more elements than 32 bits count, and of more bytes than fit into memory (hsds-values 6.3).

import http from 'node:http'
import { beforeAll, expect, inject, test } from 'vitest'
import { basic, send, USER1 } from '../client.ts'
import { makeHome, newDomain, OCTETS } from './domain.ts'

beforeAll(makeHome)

/** The announced length and the first bytes of an answer, which is then broken off. */
function beginningOf(target: string, count: number): Promise<{ length: string | undefined; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { accept: OCTETS, authorization: basic(USER1) }
    const request = http.get(`${inject('address')}${target}`, { headers, agent: false }, response => {
      const pieces: Buffer[] = []
      let taken = 0
      response.on('data', (piece: Buffer) => {
        pieces.push(piece)
        taken += piece.length
        if (taken < count) return
        resolve({
          length: response.headers['content-length'],
          bytes: Buffer.concat(pieces).subarray(0, count),
        })
        request.destroy()
      })
      response.on('end', () => reject(new Error('the answer ended too early')))
    })
    request.on('error', reject)
  })
}

test('5 * 10^9 elements: their exact length is announced, and a client that leaves is no burden', async () => {
  const domain = await newDomain()
  const id = await domain.dataset({
    type: 'H5T_STD_I8LE',
    shape: [5_000_000_000],
    creationProperties: { fillValue: 7 },
  })
  const path = `/datasets/${id}/value`
  await domain.want(200, 'PUT', `${path}?select=[4999999999]`, { value: [1] })
  const target = `${path}?domain=${encodeURIComponent(domain.path)}`
  for (let i = 0; i < 5; i++) {
    const { length, bytes } = await beginningOf(target, 10_000_000)
    expect(length).toBe('5000000000')
    expect(bytes.every(byte => byte === 7)).toBe(true)
  }
  expect(await domain.value(id, '?select=[4999999997:5000000000]')).toEqual([7, 7, 1])
  expect(await domain.value(id, '?select=[999999999::1000000000]')).toEqual([7, 7, 7, 7, 1])
  expect(await domain.value(id, '?select=[[4999999999,0,4294967296]]')).toEqual([1, 7, 7])
  const { value } = await domain.want(200, 'POST', path, { points: [4294967296, 4999999999] })
  expect(value).toEqual([7, 1])
})

test.each([
  ['variable strings', { class: 'H5T_STRING', charSet: 'H5T_CSET_UTF8', length: 'H5T_VARIABLE' }, 1e12],
  ['long strings', { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', length: 1_000_000 }, 1e6],
])('10^6 and more %s that were never written are read beside other requests', async (_, type, extent) => {
  const domain = await newDomain()
  const id = await domain.dataset({ type, shape: [extent] })
  const target = `/datasets/${id}/value?domain=${encodeURIComponent(domain.path)}`
  const request = http.get(`${inject('address')}${target}`, {
    headers: { authorization: basic(USER1) },
    agent: false,
  })
  request.on('error', () => {})
  request.on('response', response => response.resume())
  // The answer may take forever: the others are served meanwhile, and the work ends when the client leaves.
  for (let i = 0; i < 20; i++) expect((await send('GET', '/health')).status).toBe(200)
  request.destroy()
  expect((await send('GET', '/health')).status).toBe(200)
})

// Values in the formats of other programs, in both dialects (common 14). What is in the files is tested in
// packages/views/formats and, with NumPy, in test/h5py.

import { tableFromIPC } from '@uwdata/flechette'
import { beforeAll, describe, expect, test } from 'vitest'
import { newDomain as newClassicDomain } from './classic/domain.ts'
import type { Fields, Method, Options, Reply } from './client.ts'
import { type Domain, makeHome, newDomain as newHsdsDomain, OCTETS } from './hsds/domain.ts'
import { pixelsOf } from './png.ts'

const I32 = 'H5T_STD_I32LE'
const TABLE = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'n', type: I32 },
    { name: 'x', type: 'H5T_IEEE_F64LE' },
  ],
}

interface AnyDomain {
  readonly root: string
  send(method: Method, target: string, body?: unknown, options?: Options): Promise<Reply>
  want(status: number, method: Method, target: string, body?: unknown, options?: Options): Promise<Fields>
  refuse(status: number, method: Method, target: string, body?: unknown, options?: Options): Promise<void>
  dataset(body: Fields): Promise<string>
}

beforeAll(makeHome)

async function ask(domain: AnyDomain, target: string, options?: Options): Promise<Reply> {
  const reply = await domain.send('GET', target, undefined, options)
  expect(reply.status, reply.story).toBe(200)
  return reply
}

/** The header of a file of NumPy, and the bytes behind it. */
function parseNpy({ bytes }: Reply): { readonly header: string; readonly data: Buffer } {
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x93NUMPY\x01\x00')
  const end = 10 + bytes.readUInt16LE(8)
  return { header: bytes.subarray(10, end).toString().trimEnd(), data: bytes.subarray(end) }
}

describe.each<[string, () => Promise<AnyDomain>]>([
  ['classic', newClassicDomain],
  ['hsds', newHsdsDomain],
])('in the %s dialect', (_, newDomain) => {
  async function newMatrix(): Promise<{ domain: AnyDomain; value: string }> {
    const domain = await newDomain()
    const link = { id: domain.root, name: 'träger, 1' }
    const id = await domain.dataset({ type: I32, shape: [2, 3], link })
    const value = `/datasets/${id}/value`
    await domain.want(200, 'PUT', value, {
      value: [
        [1, 2, 3],
        [4, 5, -6],
      ],
    })
    return { domain, value }
  }

  async function newTable(rows: number): Promise<{ domain: AnyDomain; value: string }> {
    const domain = await newDomain()
    const value = `/datasets/${await domain.dataset({ type: TABLE, shape: [rows] })}/value`
    const all = Array.from({ length: rows }, (_, i) => [i, i / 2])
    await domain.want(200, 'PUT', value, { value: all })
    return { domain, value }
  }

  test('CSV comes by format and by Accept, of a selection too', async () => {
    const { domain, value } = await newMatrix()
    const reply = await ask(domain, `${value}?format=csv`)
    expect(reply.text).toBe('1,2,3\r\n4,5,-6\r\n')
    expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8; header=absent')
    const headers = { Accept: 'application/json;q=0.5, text/csv' }
    expect((await ask(domain, value, { headers })).text).toBe(reply.text)
    expect((await ask(domain, `${value}?format=csv&select=[1,0:2]`)).text).toBe('4,5\r\n')
  })

  test('NPY comes with its length', async () => {
    const { domain, value } = await newMatrix()
    const reply = await ask(domain, `${value}?format=npy&select=[0:2,1:3]`)
    const { header, data } = parseNpy(reply)
    expect(header).toBe("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }")
    expect([0, 4, 8, 12].map(at => data.readInt32LE(at))).toEqual([2, 3, 5, -6])
    expect(reply.headers['content-type']).toBe('application/x-npy')
    expect(reply.headers['content-length']).toBe(String(reply.bytes.length))
    const accepted = await ask(domain, value, { headers: { Accept: 'application/x-npy' } })
    expect(parseNpy(accepted).header).toContain("'shape': (2, 3)")
  })

  test('PNG shows a matrix in colours', async () => {
    const { domain, value } = await newMatrix()
    const png = (query: string) => ask(domain, `${value}?format=png${query}`)
    const all = await png('')
    expect(all.headers['content-type']).toBe('image/png')
    expect(all.bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    expect([all.bytes.readUInt32BE(16), all.bytes.readUInt32BE(20)]).toEqual([3, 2])
    expect(pixelsOf(all)).toEqual([
      [162, 185, 208],
      [231, 254, 0],
    ])
    expect(pixelsOf(await png('&range=0,5'))).toEqual([
      [51, 102, 153],
      [204, 254, 0],
    ])
    expect(pixelsOf(await png('&select=[1,0:3]&reduce=mean:1,2'))).toEqual([[254, 0]])
    expect((await png('&colormap=gray')).bytes.equals(all.bytes)).toBe(false)
    await domain.refuse(400, 'GET', `${value}?format=png&colormap=jet`)
    for (const range of ['1', '2,1', '1,2,3', 'a,b', 'NaN,1', ',1'])
      await domain.refuse(400, 'GET', `${value}?format=png&range=${range}`)
  })

  test('TIFF has the numbers of a matrix', async () => {
    const { domain, value } = await newMatrix()
    const { bytes, headers } = await ask(domain, value, { headers: { Accept: 'image/tiff' } })
    expect(headers['content-type']).toBe('image/tiff')
    expect(Number(headers['content-length'])).toBe(bytes.length)
    expect([...new Int32Array(new Uint8Array(bytes.subarray(-24)).buffer)]).toEqual([1, 2, 3, 4, 5, -6])
  })

  test('Arrow is a stream of one dimension, in columns', async () => {
    const { domain, value } = await newTable(200_000)
    const reply = await ask(domain, `${value}?format=arrow`)
    expect(reply.headers['content-type']).toBe('application/vnd.apache.arrow.stream')
    expect(reply.headers['content-disposition']).toMatch(/^attachment;filename="[\w-]+\.arrows"/)
    const table = tableFromIPC(reply.bytes)
    expect([table.numRows, table.names]).toEqual([200_000, ['n', 'x']])
    expect(table.get(199_999)).toEqual({ n: 199_999, x: 99_999.5 })
    const headers = { Accept: 'application/vnd.apache.arrow.stream' }
    const reduced = await domain.send('GET', `${value}?select=[1:3]`, undefined, { headers })
    expect(tableFromIPC(reduced.bytes).toArray()).toEqual([
      { n: 1, x: 0.5 },
      { n: 2, x: 1 },
    ])
    const matrix = await newMatrix()
    const means = await ask(matrix.domain, `${matrix.value}?format=arrow&reduce=mean:2,1`)
    expect(tableFromIPC(means.bytes).getChild('value').toArray()).toEqual(Float64Array.of(2.5, 3.5, -1.5))
    await matrix.domain.refuse(406, 'GET', `${matrix.value}?format=arrow`)
    const scalar = await domain.dataset({ type: I32 })
    const one = await ask(domain, `/datasets/${scalar}/value?format=arrow`)
    expect(tableFromIPC(one.bytes).toArray()).toEqual([{ value: 0 }])
  })

  test('Arrow has text as UTF-8, and other text is refused before anything is sent', async () => {
    const domain = await newDomain()
    const type = { class: 'H5T_STRING', length: 4, charSet: 'H5T_CSET_UTF8', strPad: 'H5T_STR_NULLPAD' }
    const value = `/datasets/${await domain.dataset({ type, shape: [2] })}/value`
    await domain.want(200, 'PUT', value, { value: ['é', 'abcd'] })
    const reply = await ask(domain, `${value}?format=arrow`)
    expect(tableFromIPC(reply.bytes).toArray()).toEqual([{ value: 'é' }, { value: 'abcd' }])
    const octets = { headers: { 'Content-Type': OCTETS } }
    await domain.want(200, 'PUT', value, Buffer.from([0x61, 0, 0, 0, 0xff, 0xfe, 0, 0]), octets)
    await domain.refuse(400, 'GET', `${value}?format=arrow`)
  })

  test('points come in each form, and brought down', async () => {
    const { domain, value } = await newMatrix()
    const body = {
      points: [
        [1, 2],
        [0, 0],
        [1, 1],
        [0, 0],
      ],
    }
    const post = async (query: string) => {
      const reply = await domain.send('POST', `${value}?${query}`, body)
      expect(reply.status, reply.story).toBe(200)
      return reply
    }
    expect((await post('format=csv')).text).toBe('-6\r\n1\r\n5\r\n1\r\n')
    const { header, data } = parseNpy(await post('format=npy'))
    expect([header.includes("'shape': (4,)"), data.readInt32LE(0)]).toEqual([true, -6])
    const { bytes } = await post('format=arrow')
    expect(tableFromIPC(bytes).getChild('value').toArray()).toEqual(Int32Array.of(-6, 1, 5, 1))
    expect((await post('format=csv&reduce=sum:2')).text).toBe('-5\r\n6\r\n')
    const statistics = JSON.parse((await post('statistics=1&bins=2')).text)
    expect(statistics).toMatchObject({ count: 4, min: -6, max: 5, histogram: { counts: [1, 3] } })
    for (const query of ['format=png', 'format=tiff', 'format=csv&statistics=1'])
      await domain.refuse(406, 'POST', `${value}?${query}`, body)
    await domain.refuse(400, 'POST', `${value}?format=csv`, { points: [[2, 0]] })
  })

  test('the file is named after the domain and the dataset', async () => {
    const { domain, value } = await newMatrix()
    const { headers } = await ask(domain, `${value}?format=csv`)
    const [, plain, encoded] =
      /^attachment;filename="([^"]*)";filename\*=UTF-8''(.*)$/.exec(headers['content-disposition'] ?? '') ??
      []
    expect(plain).toMatch(/^[\w-]+-tr_ger_1\.csv$/)
    expect(decodeURIComponent(encoded)).toMatch(/^[\w-]+-träger, 1\.csv$/)
    const unlinked = await domain.dataset({ type: I32, shape: [1] })
    const other = await ask(domain, `/datasets/${unlinked}/value?format=npy`)
    expect(other.headers['content-disposition']).toMatch(/^attachment;filename="[\w-]+\.npy"/)
  })

  test('an answer that the client has is not sent again, and each format has its own tag', async () => {
    const { domain, value } = await newTable(3)
    const tags = new Set<string>()
    for (const form of ['csv', 'npy', 'arrow', 'json']) {
      const tag = (await ask(domain, `${value}?format=${form}`)).headers.etag ?? ''
      tags.add(tag)
      const headers = { 'If-None-Match': tag }
      const again = await domain.send('GET', `${value}?format=${form}`, undefined, { headers })
      expect(again.status, again.story).toBe(304)
    }
    expect(tags.size).toBe(4)
  })

  test('format=json is JSON, whatever the request accepts', async () => {
    const { domain, value } = await newMatrix()
    for (const Accept of [OCTETS, 'text/csv', 'application/x-npy']) {
      await domain.want(200, 'GET', `${value}?format=json`, undefined, { headers: { Accept } })
    }
    await domain.want(200, 'GET', `${value}?format=`)
  })

  test('a browser that follows a link gets JSON, although it also accepts images', async () => {
    const { domain, value } = await newMatrix()
    const Accept =
      'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/png,image/svg+xml,*/*;q=0.8'
    const followed = await ask(domain, value, { headers: { Accept } })
    expect(followed.headers['content-type']).toMatch(/^application\/json/)
    const image = { Accept: 'image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5' }
    const drawn = await ask(domain, value, { headers: image })
    expect(drawn.headers['content-type']).toBe('image/png')
  })

  test('what a query finds comes with its coordinates', async () => {
    const { domain, value } = await newTable(5)
    const query = `query=${encodeURIComponent('x >= 1')}&Limit=2`
    const csv = await ask(domain, `${value}?format=csv&${query}`)
    expect(csv.text).toBe('coordinate 0,n,x\r\n2,2,1\r\n3,3,1.5\r\n')
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    const { header, data } = parseNpy(await ask(domain, `${value}?format=npy&${query}`))
    expect(header).toContain("[('coordinate 0', '<u8'), ('n', '<i4'), ('x', '<f8')]")
    expect(header).toContain("'shape': (2,)")
    expect([data.length, data.readBigUInt64LE(20), data.readInt32LE(28), data.readDoubleLE(32)]).toEqual([
      40,
      3n,
      3,
      1.5,
    ])
    const arrow = await ask(domain, `${value}?format=arrow&${query}`)
    expect(tableFromIPC(arrow.bytes).toArray()).toEqual([
      { 'coordinate 0': 2, n: 2, x: 1 },
      { 'coordinate 0': 3, n: 3, x: 1.5 },
    ])
    const none = await ask(domain, `${value}?format=csv&query=${encodeURIComponent('n > 10')}`)
    expect(none.text).toBe('coordinate 0,n,x\r\n')
    for (const form of ['png', 'tiff'])
      await domain.refuse(406, 'GET', `${value}?format=${form}&query=${encodeURIComponent('n > 10')}`)
    const noRows = parseNpy(await ask(domain, `${value}?format=npy&query=${encodeURIComponent('n > 10')}`))
    expect([noRows.header.includes("'shape': (0,)"), noRows.data.length]).toEqual([true, 0])
  })

  test('many rows are sent as they are read', async () => {
    const { domain, value } = await newTable(20_000)
    const lines = (await ask(domain, `${value}?format=csv`)).text.split('\r\n')
    expect(lines.slice(1, -1)).toEqual(Array.from({ length: 20_000 }, (_, i) => `${i},${i / 2}`))
    const { data } = parseNpy(await ask(domain, `${value}?format=npy`))
    expect(data.length).toBe(20_000 * 12)
    expect(data.readDoubleLE(19_999 * 12 + 4)).toBe(9999.5)
  })

  test('bad input and values that a format cannot hold are refused', async () => {
    const { domain, value } = await newMatrix()
    await domain.refuse(400, 'GET', `${value}?format=xml`)
    await domain.refuse(400, 'GET', `${value}?format=CSV`)
    await domain.refuse(400, 'GET', `${value}?format=csv&select=[0:9,0:9]`)
    await domain.refuse(404, 'GET', `${value.replaceAll(/[0-9](?=[^/]*\/value)/g, '0')}?format=csv`)
    const stack = await domain.dataset({ type: I32, shape: [2, 2, 2] })
    for (const form of ['csv', 'arrow', 'png', 'tiff'])
      await domain.refuse(406, 'GET', `/datasets/${stack}/value?format=${form}`)
    await domain.refuse(406, 'GET', `/datasets/${stack}/value`, undefined, {
      headers: { Accept: 'text/csv' },
    })
    expect((await ask(domain, `/datasets/${stack}/value?format=csv&select=[1,0:2,0:2]`)).text).toBe(
      '0,0\r\n0,0\r\n',
    )
    const type = {
      class: 'H5T_STRING',
      length: 'H5T_VARIABLE',
      charSet: 'H5T_CSET_ASCII',
      strPad: 'H5T_STR_NULLTERM',
    }
    const texts = await domain.dataset({ type, shape: [2] })
    await domain.refuse(406, 'GET', `/datasets/${texts}/value?format=npy`)
    expect((await ask(domain, `/datasets/${texts}/value?format=csv`)).text).toBe('""\r\n""\r\n')
    const none = await domain.dataset({ type: I32, shape: 'H5S_NULL' })
    for (const form of ['csv', 'npy', 'arrow', 'png', 'tiff'])
      await domain.refuse(400, 'GET', `/datasets/${none}/value?format=${form}`)
  })
})

test('members of a compound are chosen by name', async () => {
  const domain: Domain = await newHsdsDomain()
  const id = await domain.dataset({ type: TABLE, shape: [1] })
  const { text } = await ask(domain, `/datasets/${id}/value?format=csv&fields=x`)
  expect(text).toBe('x\r\n0\r\n')
})

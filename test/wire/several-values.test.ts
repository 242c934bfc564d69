// Values of several datasets in one request, in both dialects (common 21).

import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { newDomain as newClassicDomain } from './classic/domain.ts'
import {
  ADMIN,
  basic,
  type Fields,
  type Method,
  type Options,
  type Reply,
  USER1,
  USER2,
  uniqueName,
} from './client.ts'
import { type Domain, makeHome, newDomain as newHsdsDomain, newPath } from './hsds/domain.ts'
import { entriesOf, multipart, npyFile, npyOf, partsOf } from './several-values.ts'

beforeAll(makeHome)

const I32 = 'H5T_STD_I32LE'
const TEXT = {
  class: 'H5T_STRING',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
  length: 'H5T_VARIABLE',
}
const POINT = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'x', type: I32 },
    { name: 'y', type: 'H5T_IEEE_F64LE' },
  ],
}
const AS_BYTES = { headers: { accept: 'application/octet-stream' } }
const NOTHING = Object.fromEntries(
  ['create', 'read', 'update', 'delete', 'readACL', 'updateACL'].map(flag => [flag, false]),
)
const NPZ = { headers: { accept: 'application/zip' } }
const MULTIPART = { headers: { accept: 'multipart/mixed' } }

interface Values {
  readonly values: readonly { readonly id: string; readonly h5path?: string; readonly value: unknown }[]
}

interface TestDomain {
  readonly send: (method: Method, target: string, body?: unknown, options?: Options) => Promise<Reply>
  readonly root: string
  /** Creates a dataset, with a link of that title in the root group. */
  readonly dataset: (title: string, body: Fields, value?: unknown) => Promise<string>
}

/** Sends a list of values, and gives the answer of that status. */
async function sendValues(
  { send }: Pick<TestDomain, 'send'>,
  method: 'POST' | 'PUT',
  values: unknown,
  options: Options = {},
  status = 200,
): Promise<Reply> {
  const reply = await send(method, '/values', { values }, options)
  expect(reply.status, reply.story).toBe(status)
  return reply
}

async function read(domain: Pick<TestDomain, 'send'>, values: readonly Fields[]): Promise<unknown[]> {
  return (await sendValues(domain, 'POST', values)).json<Values>().values.map(({ value }) => value)
}

/** Expects a refusal whose message names the item. */
async function refuse(
  domain: Pick<TestDomain, 'send'>,
  method: 'POST' | 'PUT',
  values: readonly Fields[],
  status: number,
  item: string,
  options: Options = {},
): Promise<void> {
  const reply = await sendValues(domain, method, values, options, status)
  expect(reply.json<{ message: string }>().message).toContain(item)
}

describe.each([
  ['classic', newClassicDomain],
  ['hsds', newHsdsDomain],
] as const)('several values in the %s dialect', (dialect, create) => {
  async function newDomain(): Promise<TestDomain> {
    const domain = await create()
    return {
      send: domain.send,
      root: domain.root,
      async dataset(title, body, value) {
        const id = await domain.dataset({ ...body, link: { id: domain.root, name: title } })
        if (value !== undefined) await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
        return id
      },
    }
  }

  async function furnished() {
    const domain = await newDomain()
    const ids = {
      line: await domain.dataset('line', { type: I32, shape: [6] }, [0, 1, 2, 3, 4, 5]),
      matrix: await domain.dataset('matrix', { type: 'H5T_IEEE_F64BE', shape: [2, 3] }, [
        [0.5, 1, 2],
        [3, 4, 1e300],
      ]),
      scalar: await domain.dataset('scalar', { type: 'H5T_STD_U8LE' }, 7),
      texts: await domain.dataset('texts', { type: TEXT, shape: [3] }, ['one', '', 'größe ☃']),
      table: await domain.dataset('table', { type: POINT, shape: [2] }, [
        [1, 2.5],
        [3, 4.5],
      ]),
      empty: await domain.dataset('empty', { type: I32, shape: [0, 4] }),
      unwritten: await domain.dataset('unwritten', {
        type: I32,
        shape: [9],
        creationProperties: { fillValue: 11, layout: { class: 'H5D_CHUNKED', dims: [2] } },
      }),
    }
    return { ...domain, ids }
  }

  test('come in the order of the request, each as its own GET gives it', async () => {
    const { send, ids } = await furnished()
    const items = [
      ['line', ''],
      ['texts', ''],
      ['table', ''],
      ['empty', ''],
      ['unwritten', ''],
      ['scalar', ''],
      ['matrix', '[0:2:1,1:3]'],
      ['line', '[1:6:2]'],
      ['line', ''],
    ] as const
    const requests = items.map(([title, select], i) => ({
      ...(i % 2 === 0 ? { h5path: `/${title}` } : { id: ids[title] }),
      ...(select !== '' && { select }),
    }))
    const answer = (await sendValues({ send }, 'POST', requests)).json<
      Values & { hrefs: { rel: string }[] }
    >()
    expect(answer.hrefs.map(({ rel }) => rel)).toEqual(['self', 'root', 'home'])
    expect(answer.values.map(({ id, h5path }) => [id, h5path])).toEqual(
      items.map(([title], i) => [ids[title], i % 2 === 0 ? `/${title}` : undefined]),
    )
    for (const [i, [title, select]] of items.entries()) {
      const query = select === '' ? '' : `?select=${select}`
      const single = (await send('GET', `/datasets/${ids[title]}/value${query}`)).json<{ value: unknown }>()
      expect([title, select, answer.values[i]?.value]).toEqual([title, select, single.value])
    }
  })

  test('as an archive are files of NumPy, as GET gives them, named by paths or ids', async () => {
    const { send, ids } = await furnished()
    const titles = ['line', 'matrix', 'scalar', 'table', 'empty', 'unwritten'] as const
    const requests = [
      ...titles.map(title => ({ h5path: `/${title}` })),
      { id: ids.line },
      { h5path: '/line', select: '[2:4]' },
      { h5path: 'line', select: '[1]' },
    ]
    const reply = await sendValues({ send }, 'POST', requests, NPZ)
    expect(reply.headers['content-type']).toBe('application/zip')
    expect(reply.headers['content-length']).toBe(String(reply.bytes.length))
    expect(reply.headers['content-disposition']).toMatch(/^attachment;filename=".*\.npz"/)
    const entries = entriesOf(reply.bytes)
    expect([...entries.keys()]).toEqual([...titles, ids.line, 'line#2', 'line#3'].map(name => `${name}.npy`))
    for (const title of titles) {
      const single = await send('GET', `/datasets/${ids[title]}/value?format=npy`)
      expect(entries.get(`${title}.npy`), title).toEqual(single.bytes)
    }
    expect(npyOf(entries.get('line#2.npy'))).toEqual({ shape: '(2,)', numbers: [2, 3] })
    const named = await send('POST', '/values?format=npz', { values: requests })
    expect(named.bytes).toEqual(reply.bytes)
  })

  test('as a multipart body are bytes, or JSON where the dialect has none for the type', async () => {
    const { send, ids } = await furnished()
    const titles = ['line', 'matrix', 'scalar', 'table', 'empty'] as const
    const reply = await sendValues(
      { send },
      'POST',
      titles.map(title => ({ h5path: title })),
      MULTIPART,
    )
    expect(reply.headers['content-length']).toBe(String(reply.bytes.length))
    const parts = partsOf(reply)
    for (const [i, title] of titles.entries()) {
      const single = await send('GET', `/datasets/${ids[title]}/value`, undefined, AS_BYTES)
      const isBytes = single.headers['content-type'] === 'application/octet-stream'
      const { headers, body } = parts[i] ?? {}
      expect(headers).toMatchObject({ 'content-type': 'application/octet-stream' })
      expect(headers?.['content-length']).toBe(String(body?.length))
      if (isBytes) expect(body, title).toEqual(single.bytes)
    }
    const mixed = await sendValues(
      { send },
      'POST',
      [{ id: ids.line }, { id: ids.texts }, { id: ids.line }],
      MULTIPART,
    )
    const [line, texts, again, ...others] = partsOf(mixed)
    expect(others).toEqual([])
    expect(line?.body).toEqual(again?.body)
    const type = dialect === 'hsds' ? 'application/octet-stream' : 'application/json'
    expect(texts?.headers['content-type']).toContain(type)
    if (dialect === 'hsds') {
      const single = await send('GET', `/datasets/${ids.texts}/value`, undefined, AS_BYTES)
      expect(texts?.body).toEqual(single.bytes)
    } else expect(JSON.parse(String(texts?.body))).toEqual(['one', '', 'größe ☃'])
  })

  test('are found through soft and external links', async () => {
    const { send, root, ids } = await furnished()
    const other = await newHsdsDomain()
    const far = await other.dataset({ type: I32, shape: [1], link: { id: other.root, name: 'far' } })
    await other.want(200, 'PUT', `/datasets/${far}/value`, { value: [42] })
    for (const [title, link] of [
      ['soft', { h5path: '/line' }],
      ['external', { h5path: '/far', h5domain: other.path }],
      ['broken', { h5path: '/nowhere' }],
    ] as const) {
      expect((await send('PUT', `/groups/${root}/links/${title}`, link)).status).toBe(201)
    }
    const everybody = { read: true, update: true }
    await other.want(201, 'PUT', '/acls/default', everybody)
    const { values } = (
      await sendValues({ send }, 'POST', [{ h5path: '/soft' }, { h5path: '/external' }])
    ).json<Values>()
    expect(values[0]).toMatchObject({ id: ids.line, h5path: '/soft', value: [0, 1, 2, 3, 4, 5] })
    expect(values[1]).toMatchObject({ h5path: '/external', domain: other.path, value: [42] })
    await refuse(
      { send },
      'POST',
      [{ h5path: '/soft' }, { h5path: '/broken' }],
      404,
      'body.values[1], "/broken"',
    )
    await sendValues({ send }, 'PUT', [{ h5path: '/soft', value: [9, 9, 9, 9, 9, 9] }])
    expect(await read({ send }, [{ h5path: '/line' }])).toEqual([[9, 9, 9, 9, 9, 9]])
    const writes = [
      { h5path: '/line', value: [1, 1, 1, 1, 1, 1] },
      { h5path: '/external', value: [1] },
    ]
    const status = dialect === 'hsds' ? 400 : 404
    await refuse({ send }, 'PUT', writes, status, 'body.values[1], "/external"')
    expect(await read({ send }, [{ h5path: '/line' }, { h5path: '/external' }])).toEqual([
      [9, 9, 9, 9, 9, 9],
      [42],
    ])
  })

  test('are refused whole for one item that is wrong, which the message names', async () => {
    const { send, root, ids } = await furnished()
    const { state } = (await send('GET', '/')).json<{ state: string }>()
    const good = { h5path: '/line' }
    for (const [item, status, named] of [
      [{ h5path: '/nowhere' }, 404, ', "/nowhere"'],
      [{ h5path: '/' }, 404, ', "/"'],
      [{ h5path: '/line', select: '[0:7]' }, 400, ', "/line"'],
      [{ h5path: '/line', select: '[0:1,0:1]' }, 400, ', "/line"'],
      [{ id: ids.line, points: [8] }, 400, `, ${ids.line}`],
      [{ id: root }, dialect === 'hsds' ? 400 : 404, ''],
      [{ id: 'x' }, dialect === 'hsds' ? 400 : 404, ''],
      [{ id: ids.scalar, h5path: '/line' }, 404, ', "/line"'],
      [{}, 400, ''],
      [{ h5path: 7 }, 400, ''],
    ] as const) {
      await refuse({ send }, 'POST', [good, item], status, `body.values[1]${named}`)
      const write = { ...good, value: [1, 2, 3, 4, 5, 6] }
      await refuse({ send }, 'PUT', [write, { ...item, value: [1] }], status, `body.values[1]${named}`)
    }
    for (const [item, named] of [
      [{ h5path: '/line', value: [1, 2] }, ', "/line"'],
      [{ h5path: '/line' }, ', "/line"'],
      [{ h5path: '/line', value: null }, ', "/line"'],
      [{ h5path: '/line', value: 'x' }, ', "/line"'],
      [{ h5path: '/line', value_base64: 'AAAA' }, ', "/line"'],
    ] as const) {
      const write = { ...good, value: [1, 2, 3, 4, 5, 6] }
      await refuse({ send }, 'PUT', [write, item], 400, `body.values[1]${named}`)
    }
    for (const values of [[], 'x', null, [7], ['/line'], [[]]] as const) {
      const reply = await sendValues({ send }, 'POST', values, {}, 400)
      expect(reply.json()).toMatchObject({ message: expect.stringContaining('body.values') })
      await sendValues({ send }, 'PUT', values, {}, 400)
    }
    expect((await send('POST', '/values', '{"values":[{"h5path":"/line"}')).status).toBe(400)
    expect((await send('POST', '/values')).status).toBe(400)
    expect((await send('GET', '/')).json<{ state: string }>().state).toBe(state)
  })

  test('are refused in a form that a dataset does not have, before the first byte', async () => {
    const { send } = await furnished()
    const items = [{ h5path: '/line' }, { h5path: '/texts' }]
    await refuse({ send }, 'POST', items, 406, 'body.values[1], "/texts"', NPZ)
    expect((await send('POST', '/values?format=csv', { values: items })).status).toBe(400)
  })

  test('are written in their order, all or none', async () => {
    const domain = await furnished()
    const { ids } = domain
    await sendValues(domain, 'PUT', [
      { h5path: '/line', value: [1, 1, 1, 1, 1, 1] },
      { id: ids.scalar, value: 8 },
      { id: ids.line, select: '[1:3]', value: [2, 3] },
      { h5path: '/line', points: [5, 0], value: [50, 10] },
      {
        h5path: '/line',
        select: '[2:3]',
        value_base64: Buffer.from(Int32Array.of(4).buffer).toString('base64'),
      },
      { h5path: '/texts', select: '[0:1]', value: ['new'] },
      { id: ids.table, select: '[1:2]', value: [[5, 6.5]] },
      { id: ids.unwritten, select: '[3:5]', value: [1, 2] },
    ])
    expect(
      await read(
        domain,
        ['line', 'scalar', 'texts', 'table', 'unwritten'].map(title => ({ h5path: `/${title}` })),
      ),
    ).toEqual([
      [10, 2, 4, 1, 1, 50],
      8,
      ['new', '', 'größe ☃'],
      [
        [1, 2.5],
        [5, 6.5],
      ],
      [11, 11, 11, 1, 2, 11, 11, 11, 11],
    ])
  })

  test('may overlap, small ones in a large chunk too', async () => {
    const domain = await newDomain()
    const id = await domain.dataset('large', {
      type: I32,
      shape: [60_000],
      creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [40_000] } },
    })
    const expected = new Int32Array(60_000)
    for (let round = 0; round < 2; round++) {
      const items = Array.from({ length: 20 }, (_, i) => {
        const start = (i * 7919 + round * 1013) % 59_000
        const length = i % 10 === 0 ? 900 : 1 + (i % 7)
        const value = Array.from({ length }, (_, j) => round * 100_000 + i * 1000 + j)
        expected.set(value, start)
        expected[start] = -i
        // Each second item overlaps the one before it.
        return [
          { id, select: `[${start}:${start + length}]`, value },
          { id, select: `[${start}:${start + 1}]`, value: [-i] },
        ]
      })
      await sendValues(domain, 'PUT', items.flat())
      const [all] = (await read(domain, [{ id }])) as number[][] // one list of numbers
      expect(Int32Array.from(all ?? [])).toEqual(expected)
    }
  })

  const TITLES = ['line', 'matrix', 'scalar', 'table', 'empty', 'unwritten'] as const
  const FORM_PARTS = [
    ['JSON', {}],
    ['a multipart body', MULTIPART],
    ['an archive', NPZ],
  ] as const

  test.each(FORM_PARTS)('are put back as they were answered: %s', async (form, options) => {
    const domain = await furnished()
    const { send, ids } = domain
    // The classic dialect has no bytes for text, so that its part is JSON; an empty selection is refused by hsds.
    const titles: string[] = TITLES.filter(title => title !== 'empty' || dialect === 'classic')
    if (form !== 'an archive') titles.push('texts')
    const items = titles.map(title => ({ h5path: `/${title}` }))
    const answer = await sendValues({ send }, 'POST', [...items, { id: ids.line }], options)
    const before = await read(domain, items)
    await sendValues(domain, 'PUT', [
      { h5path: '/line', value: [6, 6, 6, 6, 6, 6] },
      { h5path: '/matrix', select: '[0:1,0:3]', value: [[9, 9, 9]] },
      { h5path: '/scalar', value: 1 },
      { h5path: '/table', select: '[0:1]', value: [[8, 8]] },
      { h5path: '/texts', select: '[1:2]', value: ['other'] },
      { h5path: '/unwritten', select: '[0:1]', value: [0] },
    ])
    expect(await read(domain, items)).not.toEqual(before)
    const headers = { 'content-type': answer.headers['content-type'] ?? '' }
    const put = await send('PUT', '/values', answer.bytes, { headers })
    expect(put.status, put.story).toBe(200)
    expect(await read(domain, items)).toEqual(before)
  })

  test.each(FORM_PARTS.slice(1))('are put back to the selections of a list: %s', async (form, options) => {
    const domain = await furnished()
    const items = [
      { h5path: '/line', select: '[1:6:2]' },
      { id: domain.ids.matrix, select: '[0:2,1:3]' },
      { h5path: '/line', points: [0, 4] },
      { h5path: '/scalar' },
    ]
    const answer = await sendValues(domain, 'POST', items, options)
    await sendValues(domain, 'PUT', [
      { h5path: '/line', value: [9, 9, 9, 9, 9, 9] },
      {
        h5path: '/matrix',
        value: [
          [9, 9, 9],
          [9, 9, 9],
        ],
      },
      { h5path: '/scalar', value: 9 },
    ])
    const list = [
      { 'Content-Disposition': 'form-data; name="values"' },
      JSON.stringify({ values: items }),
    ] as const
    const parts =
      form === 'an archive'
        ? [[{ 'Content-Type': 'application/zip' }, answer.bytes] as const]
        : partsOf(answer).map(
            ({ headers, body }) => [{ 'Content-Type': headers['content-type'] ?? '' }, body] as const,
          )
    const { body, headers } = multipart([list, ...parts], 'multipart/form-data')
    const put = await domain.send('PUT', '/values', body, { headers })
    expect(put.status, put.story).toBe(200)
    expect(await read(domain, [{ h5path: '/line' }, { h5path: '/matrix' }, { h5path: '/scalar' }])).toEqual([
      [0, 1, 9, 3, 4, 5],
      [
        [9, 1, 2],
        [9, 4, 1e300],
      ],
      7,
    ])
  })

  test('of one request may come in many forms', async () => {
    const domain = await furnished()
    const line = Buffer.from(Int32Array.from([1, 2, 3, 4, 5, 6]).buffer)
    const octets = { 'Content-Type': 'application/octet-stream' }
    const named = multipart([
      [{ ...octets, 'Content-Disposition': 'form-data; name="/line"; filename="frame.bin"' }, line],
      [{ 'Content-Disposition': 'form-data; name="scalar"' }, ' 3\n'],
      [
        {
          'Content-Type': 'application/x-npy',
          'Content-Disposition': `attachment; filename="${domain.ids.unwritten}"`,
        },
        npyFile('(1, 9)', [1, 2, 3, 4, 5, 6, 7, 8, 9]),
      ],
    ])
    expect((await domain.send('PUT', '/values', named.body, { headers: named.headers })).status).toBe(200)
    const shown = [{ h5path: '/line' }, { h5path: '/scalar' }, { h5path: '/unwritten' }]
    expect(await read(domain, shown)).toEqual([[1, 2, 3, 4, 5, 6], 3, [1, 2, 3, 4, 5, 6, 7, 8, 9]])
    const values = [
      { h5path: '/scalar', value: 5 },
      { h5path: '/line', select: '[0:2]' },
      { h5path: '/line', select: '[5:6]', value: [66] },
      { h5path: '/texts', select: '[0:1]' },
    ]
    const mixed = multipart([
      [{ 'Content-Type': 'application/json' }, JSON.stringify({ values })],
      [octets, Buffer.from(Int32Array.from([11, 22]).buffer)],
      [{ 'Content-Type': 'application/json' }, '["größe"]'],
    ])
    expect((await domain.send('PUT', '/values', mixed.body, { headers: mixed.headers })).status).toBe(200)
    expect(await read(domain, [...shown.slice(0, 2), { h5path: '/texts' }])).toEqual([
      [11, 22, 3, 4, 5, 66],
      5,
      ['größe', '', 'größe ☃'],
    ])
  })

  test('in parts are refused whole for one that is wrong, which the message names', async () => {
    const domain = await furnished()
    const { state } = (await domain.send('GET', '/')).json<{ state: string }>()
    const octets = { 'Content-Type': 'application/octet-stream' }
    const npy = { 'Content-Type': 'application/x-npy' }
    const named = (name: string) => ({ 'Content-Disposition': `form-data; name="${name}"` })
    const good = [{ ...octets, ...named('line') }, Buffer.alloc(24)] as const
    const refuseParts = async (parts: Parameters<typeof multipart>[0], status: number, message: string) => {
      const { body, headers } = multipart(parts)
      const reply = await domain.send('PUT', '/values', body, { headers })
      expect(reply.status, reply.story).toBe(status)
      expect(reply.json<{ message: string }>().message).toContain(message)
    }
    await refuseParts([good, [{ ...octets, ...named('nowhere') }, '1']], 404, 'part 2, "nowhere"')
    await refuseParts([good, [{ ...octets, ...named('/') }, '1']], 404, 'part 2, "/"')
    await refuseParts([good, [octets, '1']], 400, 'part 2 has no name')
    await refuseParts([good, [{ ...octets, ...named('matrix') }, '12']], 400, 'part 2, "matrix": 6 elements')
    await refuseParts([good, [named('matrix'), '[1, 2]']], 400, 'part 2, "matrix"')
    await refuseParts(
      [good, [{ ...npy, ...named('matrix') }, npyFile('(2, 3)', [1, 2, 3, 4, 5, 6])]],
      400,
      'the array has the dtype "<i4", the dataset ">f8"',
    )
    await refuseParts(
      [good, [{ ...npy, ...named('line') }, npyFile('(2, 3)', [1, 2, 3, 4, 5, 6])]],
      400,
      'part 2, "line": the array has the shape [2,3]',
    )
    await refuseParts(
      [good, [{ ...npy, ...named('line') }, npyFile('(6,)', [1, 2, 3])]],
      400,
      'part 2, "line": 6 elements',
    )
    await refuseParts(
      [good, [{ ...npy, ...named('texts') }, npyFile('(3,)', [1, 2, 3])]],
      400,
      'values of this type cannot be sent as a file of NumPy',
    )
    await refuseParts(
      [good, [{ 'Content-Type': 'application/zip' }, 'PK']],
      400,
      'part 2: the archive must be',
    )
    await refuseParts([], 400, 'at least one value')
    const list = (values: unknown) => [named('values'), JSON.stringify({ values })] as const
    const line = { h5path: '/line' }
    await refuseParts([list([line]), [octets, '12']], 400, 'body.values[0], "/line": 6 elements')
    await refuseParts([list([line, line]), good], 400, 'body.values[1], "/line": it has no value')
    await refuseParts([list([line]), good, good], 400, '1 items without a value')
    await refuseParts([list([{ ...line, select: '[0:7]' }]), good], 400, 'body.values[0], "/line"')
    await refuseParts([list([])], 400, 'body.values')
    const archive = (await sendValues(domain, 'POST', [line, { h5path: '/line', select: '[0:1]' }], NPZ))
      .bytes
    for (const [bytes, status, message] of [
      [archive, 404, 'the file "line#2.npy", "line#2"'],
      [archive.subarray(1), 400, 'must be a ZIP archive'],
    ] as const) {
      const reply = await domain.send('PUT', '/values', bytes, {
        headers: { 'content-type': 'application/zip' },
      })
      expect(reply.status, reply.story).toBe(status)
      expect(reply.json<{ message: string }>().message).toContain(message)
    }
    const damaged = Buffer.from(archive)
    damaged[archive.indexOf(Buffer.from(Int32Array.from([3, 4]).buffer))] = 77
    const one = multipart([
      list([line, { ...line, select: '[0:1]' }]),
      [{ 'Content-Type': 'application/zip' }, damaged],
    ])
    const reply = await domain.send('PUT', '/values', one.body, { headers: one.headers })
    expect(reply.status, reply.story).toBe(400)
    expect(reply.json<{ message: string }>().message).toContain('"line.npy" has another checksum')
    expect((await domain.send('GET', '/')).json<{ state: string }>().state).toBe(state)
  })

  test('of a null dataspace are what GET says', async () => {
    const domain = await newDomain()
    const none = await domain.dataset('none', { type: I32, shape: 'H5S_NULL' })
    await domain.dataset('one', { type: I32 }, 1)
    const items = [{ h5path: '/one' }, { h5path: '/none' }]
    const single = await domain.send('GET', `/datasets/${none}/value`)
    const reply = await sendValues(domain, 'POST', items, {}, single.status)
    if (single.status === 200) expect(reply.json<Values>().values[1]?.value).toBe(null)
    else expect(reply.json<{ message: string }>().message).toContain('body.values[1], "/none"')
    await refuse(domain, 'POST', items, 400, 'body.values[1], "/none"', NPZ)
    await refuse(domain, 'POST', items, 400, 'body.values[1], "/none"', MULTIPART)
  })

  test('need the state that a request requires', async () => {
    const domain = await furnished()
    const stateOf = async () => (await domain.send('GET', '/')).json<{ state: string }>().state
    const state = await stateOf()
    const item = { h5path: '/scalar' }
    const requiring = { headers: { 'if-state': state } }
    await sendValues(domain, 'POST', [item], requiring)
    const writes = Array.from({ length: 6 }, (_, value) =>
      domain.send('PUT', `/values?state=${state}`, {
        values: [
          { ...item, value },
          { ...item, value },
        ],
      }),
    )
    const statuses = (await Promise.all(writes)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 412, 412, 412, 412, 412])
    const refused = await sendValues(domain, 'POST', [item], requiring, 412)
    expect(refused.json()).toMatchObject({ code: 'state-changed' })
    await sendValues(domain, 'POST', [item], { headers: { 'if-state': await stateOf() } })
  })

  test('may be thousands in one request, and not more than 10,000', async () => {
    const domain = await newDomain()
    const id = await domain.dataset('line', { type: I32, shape: [1500] })
    const items = Array.from({ length: 1500 }, (_, i) => ({ id, select: `[${i}:${i + 1}]` }))
    await sendValues(
      domain,
      'PUT',
      items.map((item, i) => ({ ...item, value: [i] })),
    )
    expect(await read(domain, items)).toEqual(items.map((_, i) => [i]))
    const entries = entriesOf((await sendValues(domain, 'POST', items, NPZ)).bytes)
    expect(entries.size).toBe(1500)
    expect(npyOf(entries.get(`${id}#1500.npy`))).toEqual({ shape: '(1,)', numbers: [1499] })
    const many = Array.from({ length: 10_001 }, () => ({ id }))
    const reply = await sendValues(domain, 'POST', many, {}, 413)
    expect(reply.json<{ message: string }>().message).toContain('10000')
  })

  test('beside writers are of one moment', async () => {
    const domain = await newDomain()
    const titles = ['a', 'b', 'c', 'd', 'e']
    for (const title of titles) {
      const layout = { class: 'H5D_CHUNKED', dims: [100] }
      await domain.dataset(title, { type: I32, shape: [1000], creationProperties: { layout } })
    }
    const items = titles.map(title => ({ h5path: `/${title}` }))
    let isOver = false
    const write = async (writer: number) => {
      for (let i = 0; i < 15; i++) {
        const value = new Array(1000).fill(writer * 1000 + i)
        await sendValues(
          domain,
          'PUT',
          items.map(item => ({ ...item, value })),
        )
      }
    }
    const seen = new Set<number>()
    const readAll = async (form: 'json' | 'npz') => {
      while (!isOver) {
        const numbers =
          form === 'json'
            ? ((await read(domain, items)) as number[][]).flat() // five lists of numbers
            : [...entriesOf((await sendValues(domain, 'POST', items, NPZ)).bytes).values()].flatMap(
                file => npyOf(file).numbers,
              )
        expect(numbers).toHaveLength(5000)
        expect(new Set(numbers).size).toBe(1)
        seen.add(numbers[0] ?? -1)
      }
    }
    const readers = Promise.all([readAll('json'), readAll('npz')])
    await Promise.all([write(1), write(2)]).finally(() => {
      isOver = true
    })
    await readers
    expect(seen.size).toBeGreaterThan(1)
  })
})

describe('several values, and options that only the hsds dialect has', () => {
  test('fields, appends, repeated elements, lists of coordinates', async () => {
    const domain = await newHsdsDomain()
    const link = (name: string) => ({ link: { id: domain.root, name } })
    await domain.dataset({ type: POINT, shape: [2], ...link('table') })
    await domain.dataset({ type: I32, shape: [0], maxdims: [0], ...link('line') })
    await sendValues(domain, 'PUT', [
      { h5path: '/table', fields: ['y'], value: [1.5, 2.5] },
      { h5path: '/table', fields: 'x', select: '[1:2]', value: [7] },
      { h5path: '/line', append: 2, value: [1, 2] },
      { h5path: '/line', append: 3, element_count: 1, value: [3] },
      { h5path: '/line', select: '[[0,4]]', value: [10, 50] },
    ])
    expect(
      await read(domain, [
        { h5path: '/table' },
        { h5path: '/table', fields: 'x' },
        { h5path: '/line' },
        { h5path: '/line', select: [[4, 0, 4]] },
        { h5path: '/line', start: 1, stop: 4 },
      ]),
    ).toEqual([
      [
        [0, 1.5],
        [7, 2.5],
      ],
      [[0], [7]],
      [10, 2, 3, 3, 50],
      [50, 10, 50],
      [2, 3, 3],
    ])
    await refuse(
      domain,
      'PUT',
      [
        { h5path: '/line', append: 1, value: [1] },
        { h5path: '/table', append: 1, value: [[1, 2]] },
      ],
      400,
      'body.values[1], "/table"',
    )
    expect(await read(domain, [{ h5path: '/line' }])).toEqual([[10, 2, 3, 3, 50]])
  })

  /** Sends a body in chunks, without a length: the first, which arrives before `midway` begins, and the rest. */
  async function putArriving(
    domain: Domain,
    { body, headers }: ReturnType<typeof multipart>,
    first = body.length,
    midway = async () => {},
  ): Promise<{ readonly status: number | undefined; readonly text: string }> {
    const address = new URL(`/values?domain=${domain.path}`, inject('address'))
    const sending = request(address, { method: 'PUT', headers: { ...headers, authorization: basic(USER1) } })
    const answered = once(sending, 'response')
    await new Promise(resolve => sending.write(body.subarray(0, first), resolve))
    await midway()
    sending.end(body.subarray(first))
    const [answer] = (await answered) as [IncomingMessage]
    let text = ''
    for await (const piece of answer.setEncoding('utf8')) text += piece
    return { status: answer.statusCode, text }
  }

  const OCTET_PART = { 'Content-Type': 'application/octet-stream' }
  const JSON_PART = { 'Content-Type': 'application/json' }
  const bytesOf = (numbers: ArrayLike<number>) => Buffer.from(Int32Array.from(numbers).buffer)

  async function growing() {
    const domain = await newHsdsDomain()
    const ids: Record<string, string> = {}
    for (const name of ['frames', 'times', 'boxes']) {
      const space = name === 'boxes' ? { shape: [4] } : { shape: [0], maxdims: [0] }
      ids[name] = await domain.dataset({ type: I32, ...space, link: { id: domain.root, name } })
    }
    const table = { type: POINT, shape: [0], maxdims: [0], link: { id: domain.root, name: 'table' } }
    ids.table = await domain.dataset(table)
    return { domain, ids }
  }

  test('in parts that arrive while another request appends come after it', async () => {
    const { domain, ids } = await growing()
    const count = 6 * 2 ** 20
    const values = [
      { h5path: '/frames', append: count },
      { id: ids.times, append: 1 },
      { h5path: '/table', append: 2, fields: 'x' },
      { h5path: '/times', append: 2, element_count: 1 },
      { h5path: '/times', append: 2 },
      { h5path: '/boxes', select: '[1:3]' },
      { h5path: '/times', select: '[0:1]' },
      { h5path: '/boxes', select: '[0:1]', value: [8] },
      { h5path: '/boxes', select: '[2:4]' },
    ]
    const sent = multipart([
      [JSON_PART, JSON.stringify({ values })],
      [OCTET_PART, bytesOf(Array.from({ length: count }, (_, i) => i % 1000))],
      [OCTET_PART, bytesOf([1])],
      [OCTET_PART, bytesOf([5, 6])],
      [OCTET_PART, bytesOf([2])],
      [JSON_PART, '[3, 4]'],
      [OCTET_PART, bytesOf([7, 7])],
      [JSON_PART, '[-1]'],
      [{ 'Content-Type': 'application/x-npy' }, npyFile('(2,)', [9, 10])],
    ])
    // Sockets do not hold that much: when it has left, the service is storing the elements.
    const { status, text } = await putArriving(domain, sent, 20 * 2 ** 20, async () => {
      await sendValues(domain, 'PUT', [
        { h5path: '/frames', append: 1, value: [-5] },
        { h5path: '/times', append: 1, value: [-6] },
      ])
    })
    expect(status, text).toBe(200)
    expect(
      await read(domain, [
        { h5path: '/frames', select: '[0:3]' },
        { h5path: '/frames', select: `[${count - 1}:${count + 1}]` },
        { h5path: '/times' },
        { h5path: '/table' },
        { h5path: '/boxes' },
      ]),
    ).toEqual([
      [-5, 0, 1],
      [(count - 2) % 1000, (count - 1) % 1000],
      // The first one was written after the appends, over that of the other request.
      [-1, 1, 2, 2, 3, 4],
      [
        [5, 0],
        [6, 0],
      ],
      [8, 7, 9, 10],
    ])
  })

  test('in named parts of unknown length are whole datasets', async () => {
    const { domain } = await growing()
    const named = (name: string) => ({ ...OCTET_PART, 'Content-Disposition': `form-data; name="${name}"` })
    const sent = multipart([
      [named('boxes'), bytesOf([1, 2, 3, 4])],
      [{ ...JSON_PART, 'Content-Disposition': 'form-data; name="/boxes"' }, '[5, 6, 7, 8]'],
    ])
    expect(await putArriving(domain, sent)).toMatchObject({ status: 200 })
    expect(await read(domain, [{ h5path: '/boxes' }])).toEqual([[5, 6, 7, 8]])
  })

  test('in parts of unknown length are refused whole for one that is wrong', async () => {
    const { domain } = await growing()
    const list = (...values: Fields[]) => [JSON_PART, JSON.stringify({ values })] as const
    const boxes = { h5path: '/boxes' }
    const good = [OCTET_PART, bytesOf([1, 2, 3, 4])] as const
    const cut = multipart([list(boxes), good])
    for (const [sent, message] of [
      [multipart([list(boxes, boxes), good]), 'body.values[1], "/boxes": it has no value'],
      [multipart([list(boxes), good, good]), 'the list has 1 items without a value, and the body 2 parts'],
      [multipart([list(boxes), [OCTET_PART, bytesOf([1])]]), 'body.values[0], "/boxes": the selection has 4'],
      [multipart([list(boxes), [OCTET_PART, bytesOf([1, 2, 3, 4, 5])]]), 'has 4 elements, but at least 5'],
      [multipart([list(boxes), [JSON_PART, '[1, 2, 3']]), 'body.values[0], "/boxes"'],
      [multipart([list(), good]), 'body.values'],
      [multipart([]), 'at least one value'],
      [{ ...cut, body: cut.body.subarray(0, -2) }, 'no last boundary'],
    ] as const) {
      const { status, text } = await putArriving(domain, sent)
      expect(status, text).toBe(400)
      expect(JSON.parse(text).message).toContain(message)
    }
    expect(await read(domain, [boxes])).toEqual([[0, 0, 0, 0]])
  })

  test('an unknown member is refused, with the one that was meant', async () => {
    const domain = await newHsdsDomain()
    await domain.dataset({ type: I32, shape: [2], link: { id: domain.root, name: 'line' } })
    for (const [method, item, meant] of [
      ['POST', { h5path: '/line', selct: '[0:1]' }, '"select"'],
      ['PUT', { h5path: '/line', apend: 1, value: [1] }, '"append"'],
      ['PUT', { h5path: '/line', query: '_ > 1', value: [1] }, '"query"'],
      ['POST', { path: '/line' }, '"path"'],
    ] as const) {
      const reply = await sendValues(
        domain,
        method,
        [{ h5path: '/line', value: [1, 2] }, item].slice(method === 'PUT' ? 0 : 1),
        {},
        400,
      )
      expect(reply.json<{ message: string }>().message).toContain(meant)
    }
    expect(await read(domain, [{ h5path: '/line' }])).toEqual([[0, 0]])
  })

  test('strings that are not UTF-8 are refused as JSON, and sent as bytes', async () => {
    const domain = await newHsdsDomain()
    const type = { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD', length: 2 }
    await domain.dataset({ type: I32, shape: [2], link: { id: domain.root, name: 'line' } })
    await domain.dataset({ type, shape: [1], link: { id: domain.root, name: 'latin' } })
    await sendValues(domain, 'PUT', [
      { h5path: '/latin', value_base64: Buffer.from([0xe9, 0x41]).toString('base64') },
    ])
    const items = [{ h5path: '/line' }, { h5path: '/latin' }]
    await refuse(domain, 'POST', items, 400, 'body.values[1], "/latin"')
    await refuse(domain, 'POST', items, 400, 'read them with Accept: multipart/mixed')
    const parts = partsOf(await sendValues(domain, 'POST', items, MULTIPART))
    expect(parts[1]?.body).toEqual(Buffer.from([0xe9, 0x41]))
  })
})

describe('permissions of several values', () => {
  test('are those of each dataset: one that may not be read refuses all, as GET of it does', async () => {
    const domain = await newClassicDomain()
    const open = await domain.dataset({ type: I32, shape: [1] })
    const closed = await domain.dataset({ type: I32, shape: [1] })
    const put = (id: string, name: string, flags: Fields) =>
      domain.want(201, 'PUT', `/datasets/${id}/acls/${name}`, { ...NOTHING, ...flags }, { user: ADMIN })
    await put(open, USER2, { read: true, update: true })
    await put(closed, USER2, { readACL: true })
    for (const id of [open, closed]) await put(id, 'default', {})
    for (const user of [USER2, undefined]) {
      const as = { user }
      const get = await domain.send('GET', `/datasets/${closed}/value`, undefined, as)
      expect(get.status).toBe(user === undefined ? 401 : 403)
      await refuse(domain, 'POST', [{ id: closed }], get.status, `body.values[0], ${closed}`, as)
      await refuse(domain, 'PUT', [{ id: closed, value: [1] }], get.status, `body.values[0], ${closed}`, as)
    }
    const as = { user: USER2 }
    await sendValues(domain, 'POST', [{ id: open }], as)
    await sendValues(domain, 'PUT', [{ id: open, value: [5] }], as)
    await refuse(domain, 'POST', [{ id: open }, { id: closed }], 403, `body.values[1], ${closed}`, as)
    const writes = [open, closed].map(id => ({ id, value: [6] }))
    await refuse(domain, 'PUT', writes, 403, `body.values[1], ${closed}`, as)
    const values = [{ id: open }, { id: closed }]
    const shown = await sendValues(domain, 'POST', values, { user: ADMIN })
    expect(shown.json<Values>().values.map(({ value }) => value)).toEqual([[5], [0]])
  })

  test('in another domain, behind an external link, are asked for there', async () => {
    const domain = await newHsdsDomain()
    const other = await newHsdsDomain(newPath())
    await other.dataset({ type: I32, shape: [1], link: { id: other.root, name: 'far' } })
    const link = { h5path: '/far', h5domain: other.path }
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/${uniqueName()}`, { h5path: '/' })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/external`, link)
    await domain.want(201, 'PUT', `/acls/${USER2}`, { read: true })
    await sendValues(domain, 'POST', [{ h5path: '/external' }], { user: USER1 })
    await refuse(domain, 'POST', [{ h5path: '/external' }], 404, '"/external"', { user: USER2 })
  })
})

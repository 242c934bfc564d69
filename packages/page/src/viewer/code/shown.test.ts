// What programs read, through the client, against answers of a service.

import { Hyperslab } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { findShown, type ShownObject } from './shown.ts'

const F64 = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
const STRING = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }

function attributesOf(values: Readonly<Record<string, string>>) {
  const items = Object.entries(values).map(([name, value]) => {
    return { name, type: STRING, shape: { class: 'H5S_SCALAR' }, value, created: 0 }
  })
  return Object.fromEntries(items.map(item => [item.name, item]))
}

const group = (id: string, linkCount: number, attributes: Readonly<Record<string, string>> = {}) => ({
  class: 'group',
  id,
  domain: '/a',
  linkCount,
  attributeCount: 0,
  attributes: attributesOf(attributes),
})
const dataset = (id: string, domain: string) => ({
  class: 'dataset',
  id,
  domain,
  type: F64,
  shape: { class: 'H5S_SIMPLE', dims: [3] },
  creationProperties: {},
  attributeCount: 0,
})

/** NeXus without the attribute default, and a link to another domain. */
const OBJECTS: Readonly<Record<string, object>> = {
  '/': group('g-', 2),
  '/plain': group('g-plain', 1),
  '/entry': group('g-entry', 1, { NX_class: 'NXentry' }),
  '/entry/data': group('g-data', 1, { NX_class: 'NXdata', signal: 'counts' }),
  '/entry/data/counts': dataset('d-counts', '/a'),
  '/far': dataset('d-far', '/b'),
}
const LINKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'g-': { entry: 'g-entry', plain: 'g-plain' },
  'g-entry': { data: 'g-data' },
}

function answer(url: URL, body: string): unknown {
  const [, , id = '', part] = url.pathname.split('/')
  const at = (path: string) => OBJECTS[path] ?? { status: 404, code: 'not-found', message: 'nothing there' }
  if (part === 'links') {
    const links = Object.entries(LINKS[id] ?? {})
    return {
      links: links.map(([title, id]) => {
        return { class: 'H5L_TYPE_HARD', title, id, collection: 'groups', created: 0 }
      }),
    }
  }
  if (part === 'attributes') return { attributes: [] }
  if (id !== '') return { ...dataset(id, '/b'), alias: ['/detector/counts', '/other'] }
  const path = url.searchParams.get('h5path')
  if (path !== null) return at(path)
  const { h5paths } = JSON.parse(body) as { readonly h5paths: readonly string[] }
  return { h5paths: Object.fromEntries(h5paths.map(path => [path, at(path)])) }
}

const client = new Hyperslab('http://test', {
  fetch: async (input, init) =>
    new Response(JSON.stringify(answer(new URL(String(input)), String(init?.body)))),
})

test.each<[string, Omit<ShownObject, 'domain'>, object]>([
  [
    'the signal of the plot of a group',
    { object: '/', attributes: false },
    { shownPath: '/entry/data/counts', path: '/entry/data/counts', found: { id: 'd-counts' } },
  ],
  ['the attributes of the group', { object: '/', attributes: true }, { shownPath: '/', found: { id: 'g-' } }],
  [
    'a group without a plot',
    { object: '/plain', attributes: false },
    { shownPath: '/plain', path: '/plain', found: { class: 'group' } },
  ],
  [
    'a dataset of another domain by its own path',
    { object: '/far', attributes: false },
    { shownPath: '/far', path: '/detector/counts', found: { id: 'd-far', domain: '/b' } },
  ],
  [
    'attributes in another domain',
    { object: '/far', attributes: true },
    { path: '/detector/counts', found: { domain: '/b' } },
  ],
])('a program reads %s', async (_, shown, expected) => {
  const signal = new AbortController().signal
  expect(await findShown(client, { domain: '/a', ...shown }, signal)).toMatchObject(expected)
})

// Contents for tests: a client against a table of objects with their attributes.

import { Hyperslab } from '@hyperslab/client'
import { Contents, childPath } from './contents.ts'

export type Attributes = Readonly<Record<string, string | number | readonly string[]>>

export interface FakeObject {
  /** Absent: it is a group. */
  readonly shape?: readonly number[]
  readonly attributes?: Attributes
}

const F64 = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
const STRING = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }

const idOf = (path: string) => (path === '/' ? 'root' : path.replaceAll('/', '.'))
export const pathOf = (id: string) => (id === 'root' ? '/' : id.replaceAll('.', '/'))

/** A domain whose objects have their paths for ids. `asked` gets those whose attributes were read one by one. */
export function contentsOf(objects: Readonly<Record<string, FakeObject>>, asked: string[] = []): Contents {
  const attributesOf = ({ attributes = {} }: FakeObject) =>
    Object.entries(attributes).map(([name, value]) => ({
      name,
      type: typeof value === 'number' ? F64 : STRING,
      shape:
        typeof value === 'object' ? { class: 'H5S_SIMPLE', dims: [value.length] } : { class: 'H5S_SCALAR' },
      value,
      created: 0,
    }))
  const found = (path: string) => {
    const object = objects[path]
    if (object === undefined) return { status: 404, code: 'not-found', message: 'nothing there' }
    const { shape: dims } = object
    const attributes = Object.fromEntries(attributesOf(object).map(item => [item.name, item]))
    const linkCount = titlesIn(path).length
    const known = { id: idOf(path), domain: '/a', attributes, linkCount }
    if (dims === undefined) return { ...known, class: 'group' }
    return {
      ...known,
      class: 'dataset',
      type: F64,
      shape: { class: 'H5S_SIMPLE', dims },
      creationProperties: {},
    }
  }
  /** In the order of their names. */
  const titlesIn = (group: string) => {
    const start = group === '/' ? '/' : `${group}/`
    const titles = Object.keys(objects).flatMap(path =>
      path.startsWith(start) && path !== '/' ? [path.slice(start.length)] : [],
    )
    return titles.filter(title => !title.includes('/')).toSorted()
  }
  const linksIn = (group: string, query: URLSearchParams) => {
    const marker = query.get('Marker') ?? ''
    const limit = Number(query.get('Limit') ?? Number.POSITIVE_INFINITY)
    const titles = titlesIn(group).filter(title => title > marker)
    return titles.slice(0, limit).map(title => {
      const id = idOf(childPath(group, title))
      return { class: 'H5L_TYPE_HARD', title, id, collection: 'groups', created: 0 }
    })
  }
  const answer = (url: URL, body: string): unknown => {
    const [, , id = '', part] = url.pathname.split('/').map(decodeURIComponent)
    if (part === 'attributes') asked.push(id)
    if (part === 'attributes') return { attributes: attributesOf(objects[pathOf(id)] ?? {}) }
    if (part === 'links') return { links: linksIn(pathOf(id), url.searchParams) }
    const path = url.searchParams.get('h5path')
    if (path !== null) return found(path)
    const { h5paths } = JSON.parse(body) as { readonly h5paths: readonly string[] }
    return { h5paths: Object.fromEntries(h5paths.map(path => [path, found(path)])) }
  }
  const client = new Hyperslab('http://test', {
    fetch: async (input, init) =>
      new Response(JSON.stringify(answer(new URL(String(input)), String(init?.body)))),
  })
  return new Contents(client, '/a')
}

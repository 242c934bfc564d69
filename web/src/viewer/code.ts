// Programs that read an object, the slice of it that is shown, or its attributes, for users to copy.

import type { Api, Selection } from '../../../client/index.ts'
import { formatSelection } from '../../../client/selection.ts'

/** The data that a program reads, and the user for which it reads them. */
export interface CodeTarget {
  /** The address of the service, without a slash at its end. */
  readonly endpoint: string
  readonly domain: string
  readonly object: string
  /** True: its domain is another one, after an external link. */
  readonly found: Api.FoundObject
  /** The slice of a dataset that is shown; undefined: all of it. */
  readonly select: Selection | undefined
  /** Whether the program reads the attributes of the object, not its elements or members. */
  readonly attributes: boolean
  readonly userName: string | undefined
}

export const LANGUAGES: readonly {
  readonly name: string
  readonly codeOf: (target: CodeTarget) => string
}[] = [
  { name: 'Python', codeOf: python },
  { name: 'curl', codeOf: curl },
  { name: 'JavaScript', codeOf: javaScript },
  { name: 'h5py', codeOf: h5py },
  { name: 'xarray', codeOf: xarray },
]

function python(target: CodeTarget): string {
  const { endpoint, domain, userName } = target
  const login = userName === undefined ? '' : `, username=${quoted(userName)}, password="..."`
  const file = `h5pyd.File(${quoted(domain)}, "r", endpoint=${quoted(endpoint)}${login})`
  return `import h5pyd\nfile = ${file}\nprint(${contentsInPython(target)})`
}

/** What is shown, of the variable `file`: h5pyd and h5py say it alike. */
function contentsInPython({ object, found, select, attributes }: CodeTarget): string {
  const expression = `file[${quoted(object)}]`
  if (attributes) return `dict(${expression}.attrs)`
  if (found.class === 'dataset') return `${expression}${select ? inPython(select) : '[()]'}`
  return found.class === 'group' ? `list(${expression})` : expression
}

/** Reads ranges of the domain as a file, without a client of the service. */
function h5py(target: CodeTarget): string {
  const file = `h5py.File(fsspec.open(${quoted(openAddress(target, 'h5'))}).open())`
  return `import fsspec, h5py\nfile = ${file}\nprint(${contentsInPython(target)})`
}

/** Opens the group, or the group of the dataset, as Zarr. */
function xarray(target: CodeTarget): string {
  const { found, object, attributes } = target
  const names = object.split('/').filter(name => name !== '')
  const name = found.class === 'dataset' ? names.pop() : undefined
  const address = [openAddress(target, 'zarr/v3'), ...names.map(encodeURIComponent)].join('/')
  const shown = name === undefined ? 'data' : `data[${quoted(name)}]`
  return `import xarray\ndata = xarray.open_zarr(${quoted(address)})\nprint(${shown}${attributes ? '.attrs' : ''})`
}

/** The address of the domain for programs that know nothing of the service. */
function openAddress({ endpoint, domain, userName }: CodeTarget, form: 'h5' | 'zarr/v3'): string {
  const login = userName === undefined ? '' : `${encodeURIComponent(userName)}:...@`
  const host = endpoint.replace('//', `//${login}`)
  return `${host}/${form}${domain.split('/').map(encodeURIComponent).join('/')}`
}

function curl({ endpoint, found, select, attributes, userName }: CodeTarget): string {
  const object = `/${found.class}s/${found.id}`
  const contents = found.class === 'dataset' ? '/value' : found.class === 'group' ? '/links' : ''
  const path = `${object}${attributes ? '/attributes' : contents}`
  const login = userName === undefined ? '' : `-u ${inShell(userName)} `
  const query = new URLSearchParams({ domain: found.domain })
  if (attributes) query.set('IncludeData', '1')
  else if (found.class === 'dataset' && select) query.set('select', formatSelection(select))
  return `curl ${login}${inShell(`${endpoint}${path}?${query}`)}`
}

function javaScript({ endpoint, domain, object, found, select, attributes, userName }: CodeTarget): string {
  const login = userName === undefined ? '' : `, { authorization: basic(${quoted(userName)}, "...") }`
  const names = userName === undefined ? 'Hyperslab' : 'basic, Hyperslab'
  const lines = [
    `import { ${names} } from 'hyperslab/client'`,
    `const domain = new Hyperslab(${quoted(endpoint)}${login}).domain(${quoted(domain)})`,
  ]
  lines.push(`const object = await domain.object(${quoted(object)})`)
  if (attributes) {
    const list = `domain.attributes(${quoted(`${found.class}s`)}, object.id)`
    lines.push(`for await (const { name, data } of ${list}) console.log(name, data)`)
  } else if (found.class === 'dataset') {
    const options = select ? `, { select: ${inJavaScript(select)} }` : ''
    lines.push(`console.log(await domain.read(await domain.dataset(object.id)${options}))`)
  } else lines.push('console.log(object)')
  return lines.join('\n')
}

/** The selection in h5pyd and NumPy: `[3, :, 0:10]`. */
function inPython(select: Selection): string {
  return `[${select.map(part => formatSelection([part]).slice(1, -1)).join(', ')}]`
}

/** A list for `select` of the client. */
function inJavaScript(select: Selection): string {
  const parts = select.map(part => {
    if (part === undefined || typeof part === 'number') return String(part)
    const members = Object.entries(part).map(([name, value]) => `${name}: ${value}`)
    return `{ ${members.join(', ')} }`
  })
  return `[${parts.join(', ')}]`
}

/** A string literal of JSON is one of Python and JavaScript too. */
function quoted(text: string): string {
  return JSON.stringify(text)
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

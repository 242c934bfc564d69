// Programs that read an object, the part of it that is shown, or its attributes, for users to copy. Each finds the
// object by its path in its own domain, so that none has to follow a link to another one.

import type { Api, Selection } from '@hyperslab/client'
import {
  type Datatype,
  extentsOf,
  formatSelection,
  isComplex,
  parseDatatype,
} from '@hyperslab/client/elements'
import { numpyDates } from '@hyperslab/meaning/meaning'

/** The data that a program reads, and the user for which it reads them. */
export interface CodeTarget {
  /** The address of the service, without a slash at its end. */
  readonly endpoint: string
  /** Its domain is another one than that of the page, after an external link. */
  readonly found: Api.FoundObject
  /** The path of the object in its own domain. */
  readonly path: string
  /** The slice of a dataset that is shown; undefined: all of it. */
  readonly select: Selection | undefined
  /** The condition for the rows of a table that are shown; undefined: all of them. */
  readonly filter: string | undefined
  /** Whether the program reads the attributes of the object, not its elements or members. */
  readonly attributes: boolean
  readonly userName: string | undefined
}

export interface Language {
  readonly name: string
  /** The packages that the program needs, if they do not come with the language. */
  readonly needs?: string
  /** Undefined: the language does not read this object, or not in this form. */
  readonly codeOf: (target: CodeTarget) => string | undefined
}

export const LANGUAGES: readonly Language[] = [
  { name: 'NumPy', needs: 'pip install numpy requests', codeOf: numpy },
  { name: 'h5pyd', needs: 'pip install h5pyd', codeOf: h5pyd },
  { name: 'h5py', needs: 'pip install h5py fsspec aiohttp', codeOf: h5py },
  { name: 'xarray', needs: 'pip install xarray zarr fsspec aiohttp', codeOf: xarray },
  { name: 'pandas', needs: 'pip install pandas requests', codeOf: pandas },
  { name: 'R', codeOf: r },
  { name: 'Julia', needs: 'using Pkg; Pkg.add("JSON")', codeOf: julia },
  { name: 'MATLAB', codeOf: matlab },
  { name: 'curl', codeOf: curl },
  { name: 'JavaScript', needs: 'npm install ./hyperslab-0.1.0.tgz', codeOf: javaScript },
]

type Query = Readonly<Record<string, string | number>>

/** The parameters that find the object by its path, with what is shown of it if it has no elements. */
function findingQuery({ found, path, attributes }: CodeTarget): Query {
  return {
    domain: found.domain,
    h5path: path,
    follow_soft_links: 1,
    ...(attributes && { include_attrs: 1 }),
    ...(found.class === 'group' && !attributes && { include_links: 1 }),
  }
}

function valueQuery({ found, select, filter }: CodeTarget, form: Query): Query {
  return {
    domain: found.domain,
    ...(select && { select: formatSelection(select) }),
    ...(filter !== undefined && { query: filter }),
    ...form,
  }
}

/** Whether the program reads elements. */
function readsElements(target: CodeTarget): boolean {
  return hasElements(target) && !target.attributes
}

function hasElements({ found }: CodeTarget): boolean {
  return found.class === 'dataset' && found.shape.class !== 'H5S_NULL'
}

/** The type of the elements; undefined: the object has none. */
function typeOf({ found }: CodeTarget): Datatype | undefined {
  return found.class === 'dataset' ? parseDatatype(found.type) : undefined
}

/** Whether NPY has elements of this type. It has texts as bytes, so that JSON is better for them. */
function isInNpy(type: Datatype): boolean {
  switch (type.class) {
    case 'H5T_COMPOUND':
      return type.fields.every(({ type }) => isInNpy(type) || isFixedString(type))
    case 'H5T_ARRAY':
      return isInNpy(type.base)
    default:
      return /^H5T_(INTEGER|FLOAT|BITFIELD|ENUM|OPAQUE)$/.test(type.class)
  }
}

function isFixedString(type: Datatype): boolean {
  return type.class === 'H5T_STRING' && type.length !== 'H5T_VARIABLE'
}

/** Whether Zarr has elements of this type in an array. */
function isInZarr(type: Datatype): boolean {
  if (type.class === 'H5T_COMPOUND') return isComplex(type)
  if (type.class === 'H5T_OPAQUE') return numpyDates(type.tag, type.size) !== undefined
  if (type.class === 'H5T_ARRAY') return isInZarr(type.base)
  return /^H5T_(INTEGER|FLOAT|BITFIELD|ENUM|STRING)$/.test(type.class)
}

/** Whether the elements are rows and columns, as CSV has them. */
function readsTable(target: CodeTarget): boolean {
  const { found, select } = target
  if (found.class !== 'dataset' || found.shape.class !== 'H5S_SIMPLE' || !readsElements(target)) return false
  if (typeOf(target)?.class === 'H5T_ARRAY') return false
  const shown = (extentsOf(found.shape) ?? []).filter((_, d) => typeof select?.[d] !== 'number')
  // Without elements CSV has no columns, except those that have names.
  return shown.length <= 2 && (hasColumns(target) || !shown.includes(0))
}

// Python

function numpy(target: CodeTarget): string {
  const type = typeOf(target)
  const isArray = type !== undefined && readsElements(target) && isInNpy(type)
  const form: Query = isArray ? { format: 'npy' } : {}
  return [
    isArray ? 'import io, numpy, requests' : 'import requests',
    ...(readsElements(target)
      ? [
          ...pythonValue(target, form),
          `print(${isArray ? 'numpy.load(io.BytesIO(value.content))' : 'value.json()["value"]'})`,
        ]
      : [
          ...pythonFound(target),
          `print(found["${target.attributes ? 'attributes' : shownMember(target)}"])`,
        ]),
  ].join('\n')
}

function pandas(target: CodeTarget): string | undefined {
  if (!readsTable(target)) return undefined
  const csv = `io.StringIO(value.text)${hasColumns(target) ? '' : ', header=None'}`
  return [
    'import io, pandas, requests',
    ...pythonValue(target, { format: 'csv' }),
    `print(pandas.read_csv(${csv}))`,
  ].join('\n')
}

function pythonFound(target: CodeTarget): readonly string[] {
  const { endpoint, userName } = target
  return [
    'session = requests.Session()',
    ...(userName === undefined ? [] : [`session.auth = (${quoted(userName)}, "...")`]),
    `found = session.get(${quoted(endpoint)}, params=${pythonDict(findingQuery(target))}).json()`,
  ]
}

function pythonValue(target: CodeTarget, form: Query): readonly string[] {
  const address = `f"${target.endpoint}/datasets/{found['id']}/value"`
  return [
    ...pythonFound(target),
    `value = session.get(${address}, params=${pythonDict(valueQuery(target, form))})`,
    'value.raise_for_status()',
  ]
}

function pythonDict(query: Query): string {
  return `{${Object.entries(query)
    .map(([name, value]) => `${quoted(name)}: ${JSON.stringify(value)}`)
    .join(', ')}}`
}

/** The member of a description that says what a group holds, or the type. */
function shownMember({ found }: CodeTarget): string {
  return found.class === 'group' ? 'links' : found.class === 'dataset' ? 'shape' : 'type'
}

function hasColumns({ found }: CodeTarget): boolean {
  return found.class === 'dataset' && found.type.class === 'H5T_COMPOUND'
}

function h5pyd(target: CodeTarget): string {
  const { endpoint, found, path, filter, userName } = target
  const login = userName === undefined ? '' : `, username=${quoted(userName)}, password="..."`
  const file = `h5pyd.File(${quoted(found.domain)}, "r", endpoint=${quoted(endpoint)}${login})`
  const shown =
    filter === undefined ? contentsInPython(target) : `file[${quoted(path)}].read_where(${quoted(filter)})`
  return `import h5pyd\nfile = ${file}\nprint(${shown})`
}

/** What is shown, of the variable `file`: h5pyd and h5py say it alike. */
function contentsInPython({ found, path, select, attributes }: CodeTarget): string {
  const expression = `file[${quoted(path)}]`
  if (attributes) return `dict(${expression}.attrs)`
  if (found.class === 'dataset') return `${expression}${select ? inPython(select) : '[()]'}`
  return found.class === 'group' ? `list(${expression})` : expression
}

/** Reads ranges of the domain as a file, without a client of the service. */
function h5py(target: CodeTarget): string | undefined {
  if (target.filter !== undefined) return undefined
  const file = `h5py.File(fsspec.open(${quoted(openAddress(target, 'h5'))}).open())`
  return `import fsspec, h5py\nfile = ${file}\nprint(${contentsInPython(target)})`
}

/** Opens the group, or the group of the dataset, as Zarr. */
function xarray(target: CodeTarget): string | undefined {
  const { found, path, select, filter, attributes } = target
  const type = typeOf(target)
  const isShown = found.class === 'group' || (type && isInZarr(type) && hasElements(target))
  // Readers of Zarr append names to addresses as they are: names with these marks are not in it.
  if (!isShown || filter !== undefined || /[?#\\\t\n\r]|%[0-9a-f]{2}/i.test(path)) return undefined
  const names = path.split('/').filter(name => name !== '')
  const name = type === undefined ? undefined : names.pop()
  const address = [openAddress(target, 'zarr/v3'), ...names.map(encodeURIComponent)].join('/')
  const slice = select && !attributes ? inPython(select) : ''
  const shown = name === undefined ? 'data' : `data[${quoted(name)}]${slice}`
  return `import xarray\ndata = xarray.open_zarr(${quoted(address)})\nprint(${shown}${attributes ? '.attrs' : ''})`
}

/** The address of a domain for programs that know nothing of the service. */
function openAddress({ endpoint, found, userName }: CodeTarget, form: 'h5' | 'zarr/v3'): string {
  const login = userName === undefined ? '' : `${encodeURIComponent(userName)}:...@`
  const host = endpoint.replace('//', `//${login}`)
  return `${host}/${form}${found.domain.split('/').map(encodeURIComponent).join('/')}`
}

// Other languages. Where a name and a password take more than a word, the program has a token.

function r(target: CodeTarget): string {
  const { endpoint, userName } = target
  const open = (address: string) =>
    `url(${address}${userName === undefined ? '' : ', headers = c(Authorization = "Bearer TOKEN")'})`
  const found = open(quoted(`${endpoint}/?${queryText(findingQuery(target))}`))
  const lines = [`found <- paste(readLines(${found}, warn = FALSE), collapse = "")`]
  if (!readsTable(target)) return [...lines, 'cat(found)'].join('\n')
  const rest = quoted(`/value?${queryText(valueQuery(target, { format: 'csv' }))}`)
  const value = open(`paste0(${quoted(`${endpoint}/datasets/`)}, id, ${rest})`)
  const form = `${hasColumns(target) ? '' : ', header = FALSE'}, blank.lines.skip = FALSE`
  return [
    ...lines,
    `id <- sub('^.*?"id":"([^"]+)".*$', "\\\\1", found, perl = TRUE)`,
    `print(read.csv(${value}${form}))`,
  ].join('\n')
}

function julia(target: CodeTarget): string {
  const { endpoint, userName } = target
  const login = userName === undefined ? '' : '; headers = ["Authorization" => "Bearer TOKEN"]'
  return [
    'using Downloads, JSON',
    `get(path) = JSON.parse(read(Downloads.download(${quoted(endpoint)} * path${login}), String))`,
    `found = get(${quoted(`/?${queryText(findingQuery(target))}`)})`,
    readsElements(target)
      ? `println(get("/datasets/$(found["id"])/value?${queryText(valueQuery(target, JSON_NUMBERS))}")["value"])`
      : 'println(found)',
  ].join('\n')
}

/** Also for Octave. */
function matlab(target: CodeTarget): string {
  const { endpoint, userName } = target
  const login = userName === undefined ? '' : `, 'Username', ${inMatlab(userName)}, 'Password', '...'`
  const read = (address: string) => `jsondecode(webread(${address}, options))`
  const finding = inMatlab(`${endpoint}/?${queryText(findingQuery(target))}`)
  const rest = inMatlab(`/value?${queryText(valueQuery(target, JSON_NUMBERS))}`)
  return [
    `options = weboptions('ContentType', 'text'${login});`,
    `found = ${read(finding)};`,
    ...(readsElements(target)
      ? [
          `answer = ${read(`[${inMatlab(`${endpoint}/datasets/`)} found.id ${rest}]`)};`,
          'disp(squeeze(answer.value))',
        ]
      : ['disp(found)']),
  ].join('\n')
}

/** JSON in the form that all languages read: without NaN, which is null. */
const JSON_NUMBERS: Query = { ignore_nan: 1 }

function curl(target: CodeTarget): string {
  const { endpoint, found, path, select, filter, userName } = target
  const login = userName === undefined ? '' : `-u ${inShell(userName)} `
  const get = (address: string) => `curl ${login}${inShell(address)}`
  const finding = get(`${endpoint}/?${queryText(findingQuery(target))}`)
  if (!readsElements(target)) return finding
  if (filter !== undefined) {
    const id = `id=$(${finding} | sed -E 's/.*"id":"([^"]+)","root".*/\\1/')`
    return `${id}\n${get(`${endpoint}/datasets/`)}$id${inShell(`/value?${queryText(valueQuery(target, {}))}`)}`
  }
  const body = { values: [{ h5path: path, ...(select && { select: formatSelection(select) }) }] }
  const address = inShell(`${endpoint}/values?${queryText({ domain: found.domain })}`)
  return `curl ${login}${address} \\\n  -H 'Content-Type: application/json' -d ${inShell(JSON.stringify(body))}`
}

function javaScript(target: CodeTarget): string {
  const { endpoint, found, path, select, attributes, filter, userName } = target
  const login = userName === undefined ? '' : `, { authorization: basic(${quoted(userName)}, "...") }`
  const names = userName === undefined ? 'Hyperslab' : 'basic, Hyperslab'
  const options = select ? `, { select: ${quoted(formatSelection(select))} }` : ''
  const object = quoted(path)
  const contents = () => {
    if (attributes)
      return `for await (const { name, data } of domain.attributes("${found.class}s", ${object})) console.log(name, data)`
    if (found.class === 'group')
      return `for await (const { title } of domain.links(${object})) console.log(title)`
    return `console.log(await domain.${found.class === 'dataset' ? 'read' : 'object'}(${object}${options}))`
  }
  return [
    `import { ${names} } from 'hyperslab/client'`,
    `const client = new Hyperslab(${quoted(endpoint)}${login})`,
    `const domain = client.domain(${quoted(found.domain)})`,
    ...(filter === undefined
      ? [contents()]
      : [
          `const { id } = await domain.object(${object})`,
          `const parameters = { id, ...${JSON.stringify(valueQuery(target, {}))} }`,
          'console.log((await client.request("GET /datasets/{id}/value", parameters)).value)',
        ]),
  ].join('\n')
}

/** The selection in h5pyd and NumPy: `[3, :, 0:10]`. */
function inPython(select: Selection): string {
  return `[${select.map(part => formatSelection([part]).slice(1, -1)).join(', ')}]`
}

function queryText(query: Query): string {
  return String(new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])))
}

/** A string literal of JSON is one of Python, R, Julia and JavaScript too; addresses have no `$` for Julia. */
function quoted(text: string): string {
  return JSON.stringify(text)
}

function inMatlab(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

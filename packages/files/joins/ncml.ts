// NcML aggregations: documents that say which files are read as one (NcML 2.2 of Unidata, "Aggregation"). Taken are
// aggregations of the types `joinExisting`, `joinNew` and `union`, by lists and by scans. Everything else of NcML would
// give other values than its author means, so it is refused by name.

import { HyperslabError } from '@hyperslab/base/errors'
import { type SaxesAttributeNS, SaxesParser } from 'saxes'
import type { JoinDefinition, JoinSource } from './definition.ts'
import { parseNamePattern } from './name-pattern.ts'

const NAMESPACE = 'http://www.unidata.ucar.edu/namespaces/netcdf/ncml-2.2'

/** Whether a file of this name is read as a document that joins others. */
export function isJoinDocument(name: string): boolean {
  return name.endsWith('.ncml')
}

type Attributes = Readonly<Record<string, string>>

/** The aggregation of a document. Throws `file-unreadable` with the line and the part that is not understood. */
export function parseNcml(text: string): JoinDefinition {
  const parser = new SaxesParser({ xmlns: true })
  const reading = new AggregationReader(reason => {
    throw notUnderstood(reason, parser.line)
  })
  const path: string[] = []
  parser.on('error', error => {
    throw notUnderstood(error.message.replace(/^\d+:\d+: /, ''), parser.line)
  })
  parser.on('doctype', () => reading.refuse('a document type (<!DOCTYPE>)'))
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (uri !== NAMESPACE) reading.refuse(`the element <${local}> outside of the namespace ${NAMESPACE}`)
    path.push(local)
    reading.open(path.join('/'), plainAttributes(attributes))
  })
  parser.on('closetag', () => path.pop())
  parser.on('text', text => {
    if (text.trim() !== '') reading.refuse(`the text "${text.trim().slice(0, 40)}"`)
  })
  parser.write(text).close()
  return reading.finish()
}

/** The attributes without those that declare namespaces and schemas. */
function plainAttributes(attributes: Record<string, SaxesAttributeNS>): Attributes {
  const plain: Record<string, string> = {}
  for (const { prefix, local, name, value } of Object.values(attributes)) {
    if (prefix === 'xmlns' || name === 'xmlns' || prefix === 'xsi') continue
    plain[local] = value
  }
  return plain
}

const TYPES = ['joinExisting', 'joinNew', 'union'] as const
type AggregationType = (typeof TYPES)[number]

function isAggregationType(type: string): type is AggregationType {
  return TYPES.some(one => one === type)
}

class AggregationReader {
  readonly #fail: (reason: string) => never
  readonly #sources: JoinSource[] = []
  readonly #datasets: string[] = []
  #type: AggregationType | undefined
  #dimension = ''

  constructor(fail: (reason: string) => never) {
    this.#fail = fail
  }

  refuse(part: string): never {
    return this.#fail(`${part} is not supported`)
  }

  open(path: string, attributes: Attributes): void {
    if (path === 'netcdf') this.#requireOnly('netcdf', attributes, [])
    else if (path === 'netcdf/aggregation') this.#openAggregation(attributes)
    else if (path === 'netcdf/aggregation/netcdf') this.#addFile(attributes)
    else if (path === 'netcdf/aggregation/scan') this.#addScan(attributes)
    else if (path === 'netcdf/aggregation/variableAgg' && this.#type === 'joinNew')
      this.#addDataset(attributes)
    else this.refuse(`<${path.split('/').toReversed().join('> in <')}>`)
  }

  finish(): JoinDefinition {
    if (this.#type === undefined) this.#fail('it has no <aggregation>')
    if (this.#sources.length === 0) this.#fail('its <aggregation> has no <netcdf> and no <scan>')
    const name = this.#dimension
    const sources = this.#sources
    if (this.#type === 'union') return { along: { kind: 'union' }, sources }
    if (this.#type === 'joinExisting') return { along: { kind: 'named', name }, sources }
    const datasets = this.#datasets.length > 0 && { datasets: this.#datasets }
    return { along: { kind: 'new', name, coordinate: FILE_NAME, ...datasets }, sources }
  }

  #openAggregation(attributes: Attributes): void {
    const { type = '', dimName, timeUnitsChange = 'true' } = attributes
    const ofDimension = type === 'union' ? [] : ['dimName', 'timeUnitsChange']
    // Files are looked for while they are used, so its time of looking again has no meaning.
    this.#requireOnly('aggregation', attributes, ['type', 'recheckEvery', ...ofDimension])
    if (this.#type !== undefined) this.refuse('a second <aggregation>')
    // Times are converted in any case: without it, equal numbers would be different times.
    if (timeUnitsChange !== 'true') this.#fail(`timeUnitsChange must be true, not "${timeUnitsChange}"`)
    if (!isAggregationType(type)) this.refuse(`an <aggregation> of the type "${type}"`)
    if (type !== 'union') this.#dimension = dimName || this.#fail('its <aggregation> has no dimName')
    this.#type = type
  }

  #addDataset(attributes: Attributes): void {
    this.#requireOnly('variableAgg', attributes, ['name'])
    if (!attributes.name) this.#fail('a <variableAgg> has no name')
    this.#datasets.push(`/${attributes.name}`)
  }

  #addFile(attributes: Attributes): void {
    const ofType = { union: [], joinExisting: ['ncoords'], joinNew: ['ncoords', 'coordValue'] }
    this.#requireOnly('netcdf', attributes, ['location', ...ofType[this.#type ?? 'union']])
    const { location, ncoords, coordValue } = attributes
    const count = Number(ncoords)
    if (ncoords !== undefined && !(/^\d+$/.test(ncoords) && Number.isSafeInteger(count)))
      this.#fail(`ncoords must be a whole number, not "${ncoords}"`)
    this.#sources.push({
      kind: 'file',
      location: this.#requireLocation('netcdf', location),
      ...(ncoords !== undefined && { count }),
      ...(coordValue !== undefined && { coordinate: numberOrText(coordValue) }),
    })
  }

  #addScan(attributes: Attributes): void {
    const ofNew = this.#type === 'joinNew' ? ['dateFormatMark'] : []
    this.#requireOnly('scan', attributes, ['location', 'suffix', 'subdirs', ...ofNew])
    const { location, suffix = '', subdirs = 'true', dateFormatMark: mark } = attributes
    if (subdirs !== 'true' && subdirs !== 'false')
      this.#fail(`subdirs must be true or false, not "${subdirs}"`)
    const folder = this.#requireLocation('scan', location)
    const isDeep = subdirs === 'true'
    const dated = mark !== undefined && { pattern: this.#patternOf(mark) }
    this.#sources.push({ kind: 'scan', location: folder, suffix, isDeep, ...dated })
  }

  /** The pattern of a mark: a date behind as many characters as it has before the `#`. */
  #patternOf(mark: string): string {
    const [before, format, ...more] = mark.split('#')
    const parts = format?.match(/([A-Za-z])\1*|[^A-Za-z]/g) ?? []
    const pieces = parts.map(part => (/[A-Za-z]/.test(part) ? DATE_PARTS.get(part) : part))
    const isKnown = pieces.length > 0 && more.length === 0 && pieces.every(one => one && !/['{}]/.test(one))
    if (!isKnown) this.refuse(`the dateFormatMark "${mark}"`)
    const pattern = `${'?'.repeat(before.length)}{date:${pieces.join('')}}*`
    const parsed = parseNamePattern(pattern)
    return typeof parsed === 'string' ? this.refuse(`the dateFormatMark "${mark}"`) : pattern
  }

  #requireLocation(element: string, location: string | undefined): string {
    if (!location)
      this.#fail(`a <${element}> has no location, and an <aggregation> in another one is not supported`)
    return location
  }

  #requireOnly(element: string, attributes: Attributes, known: readonly string[]): void {
    const other = Object.keys(attributes).find(name => !known.includes(name))
    if (other !== undefined) this.refuse(`the attribute ${other} of <${element}>`)
  }
}

/** Coordinates of a new dimension that a document does not give. */
const FILE_NAME = { kind: 'name', pattern: '{name}' } as const

/** Parts of dates of Java (SimpleDateFormat) that files are named by. */
const DATE_PARTS: ReadonlyMap<string, string> = new Map([
  ['yyyy', '%Y'],
  ['MM', '%m'],
  ['dd', '%d'],
  ['DDD', '%j'],
  ['HH', '%H'],
  ['mm', '%M'],
  ['ss', '%S'],
])

function numberOrText(text: string): number | string {
  return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function notUnderstood(reason: string, line: number): HyperslabError {
  return new HyperslabError('file-unreadable', `line ${line} of the NcML: ${reason}`)
}

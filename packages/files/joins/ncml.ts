// NcML aggregations: documents that say which files are read as one (NcML 2.2 of Unidata, "Aggregation"). Taken are
// aggregations of the type `joinExisting`, by lists and by scans. Everything else of NcML would give other values than
// its author means, so it is refused by name.

import { HyperslabError } from '@hyperslab/base/errors'
import { type SaxesAttributeNS, SaxesParser } from 'saxes'
import type { JoinDefinition, JoinSource } from './definition.ts'

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

class AggregationReader {
  readonly #fail: (reason: string) => never
  readonly #sources: JoinSource[] = []
  #dimension: string | undefined

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
    else this.refuse(`<${path.split('/').toReversed().join('> in <')}>`)
  }

  finish(): JoinDefinition {
    if (this.#dimension === undefined) this.#fail('it has no <aggregation>')
    if (this.#sources.length === 0) this.#fail('its <aggregation> has no <netcdf> and no <scan>')
    return { along: { kind: 'named', name: this.#dimension }, sources: this.#sources }
  }

  #openAggregation(attributes: Attributes): void {
    // Files are looked for while they are used, so its time of looking again has no meaning.
    this.#requireOnly('aggregation', attributes, ['dimName', 'type', 'recheckEvery'])
    if (this.#dimension !== undefined) this.refuse('a second <aggregation>')
    const { type, dimName } = attributes
    if (type !== 'joinExisting') this.refuse(`an <aggregation> of the type "${type ?? ''}"`)
    if (!dimName) this.#fail('its <aggregation> has no dimName')
    this.#dimension = dimName
  }

  #addFile(attributes: Attributes): void {
    this.#requireOnly('netcdf', attributes, ['location', 'ncoords'])
    const { location, ncoords } = attributes
    const count = Number(ncoords)
    if (ncoords !== undefined && !(/^\d+$/.test(ncoords) && Number.isSafeInteger(count)))
      this.#fail(`ncoords must be a whole number, not "${ncoords}"`)
    this.#sources.push({
      kind: 'file',
      location: this.#requireLocation('netcdf', location),
      ...(ncoords !== undefined && { count }),
    })
  }

  #addScan(attributes: Attributes): void {
    this.#requireOnly('scan', attributes, ['location', 'suffix', 'subdirs'])
    const { location, suffix = '', subdirs = 'true' } = attributes
    if (subdirs !== 'true' && subdirs !== 'false')
      this.#fail(`subdirs must be true or false, not "${subdirs}"`)
    const folder = this.#requireLocation('scan', location)
    this.#sources.push({ kind: 'scan', location: folder, suffix, isDeep: subdirs === 'true' })
  }

  #requireLocation(element: string, location: string | undefined): string {
    if (!location) this.#fail(`a <${element}> has no location`)
    return location
  }

  #requireOnly(element: string, attributes: Attributes, known: readonly string[]): void {
    const other = Object.keys(attributes).find(name => !known.includes(name))
    if (other !== undefined) this.refuse(`the attribute ${other} of <${element}>`)
  }
}

function notUnderstood(reason: string, line: number): HyperslabError {
  return new HyperslabError('file-unreadable', `line ${line} of the NcML: ${reason}`)
}

// `hyperslab info` and `hyperslab cat`: a domain, a folder or an object, and values.

import { type Api, RequestError } from '@hyperslab/client'
import { extentsOf, formatDatatype, formatShape, parseDatatype } from '@hyperslab/client/elements'
import { formatBytes } from '../import/import-report.ts'
import { UsageError } from '../usage-error.ts'
import { describeObject, isFolderPath, objectPath, withoutAddresses } from './entries.ts'
import { formatFiles, shownName, shownTime } from './output.ts'
import { type Service, type ServiceOptions, withService } from './service.ts'

export interface InfoOptions extends ServiceOptions {
  readonly json: boolean
}

export async function runInfo(path: string, object: string | undefined, options: InfoOptions): Promise<void> {
  await withService(options, false, service =>
    object === undefined
      ? showDomain(service, path, options.json)
      : showObject(service, path, objectPath(object), options.json),
  )
}

async function showDomain({ client, signal, print }: Service, path: string, json: boolean): Promise<void> {
  const domain = isFolderPath(path) && path.length > 1 ? path.slice(0, -1) : path
  const answer = await client.request('GET /', { domain, verbose: 1 }, { signal }).catch(error => {
    // The definition of a joined domain, and the reason, are known without the counts.
    if (!(error instanceof RequestError) || error.code !== 'domain-unreadable') throw error
    return client.request('GET /', { domain }, { signal })
  })
  if (!('owner' in answer)) throw new UsageError(`${path} is the top level: it has no owner and no times`, 1)
  if (json) return print(JSON.stringify(withoutAddresses(answer)))
  await printFacts(print, {
    path,
    kind: answer.class,
    owner: answer.owner || 'nobody',
    created: shownTime(answer.created),
    'last change': shownTime(answer.lastModified),
    ...('mounted' in answer && { mounted: 'yes: no request changes it' }),
    ...('join' in answer && answer.join && joinFacts(answer.join, answer)),
    ...('damage' in answer && answer.damage && { 'not readable': answer.damage }),
    ...('num_objects' in answer && {
      groups: answer.num_groups,
      datasets: answer.num_datasets,
      datatypes: answer.num_datatypes,
      size: formatBytes(answer.total_size),
      'size of values': formatBytes(answer.allocated_bytes),
    }),
  })
  const unwell = 'unwell' in answer ? (answer.unwell ?? []) : []
  for (const { file, reason } of unwell)
    await print(shownName(reason.includes(file) ? `unwell: ${reason}` : `unwell: ${file}: ${reason}`))
}

/** The files of a joined domain. */
function joinFacts(
  { sources, along, keep, unpack, missing, check }: Api.JoinDefinition,
  domain: Parameters<typeof formatFiles>[0],
) {
  const rules = [
    keep && `keep ${keep}`,
    unpack && 'unpack',
    missing && `missing ${missing}`,
    check && `check ${check}`,
  ].filter(Boolean)
  return {
    joined: `${formatFiles(domain)} ${dimensionOf(along)}`,
    sources: [sources].flat().join(', '),
    ...(rules.length > 0 && { differences: rules.join(', ') }),
  }
}

function dimensionOf(along: Api.JoinDefinition['along']): string {
  if (along === undefined) return 'beside each other'
  if (typeof along === 'object' && 'new' in along) return `along the new dimension ${along.new}`
  return `along ${[along].flat().join(', ')}`
}

async function showObject(
  { client, signal, print }: Service,
  path: string,
  h5path: string,
  json: boolean,
): Promise<void> {
  const object = await client.domain(path).object(h5path, { attributes: true, signal })
  if (json) return print(JSON.stringify(withoutAddresses(object)))
  await printFacts(print, {
    path: `${path} ${h5path}`,
    kind: object.class,
    id: object.id,
    holds: describeObject(object),
    created: shownTime(object.created),
    'last change': shownTime(object.lastModified),
    ...(object.class === 'dataset' && storageOf(object)),
  })
  for (const [name, attribute] of Object.entries(object.attributes ?? {}))
    await print(shownName(`attribute ${name}: ${describeAttribute(attribute)}`))
}

/** The layout and the filters of a dataset. */
function storageOf({ layout, creationProperties }: Extract<Api.FoundObject, { readonly class: 'dataset' }>) {
  const dims = layout && 'dims' in layout ? layout.dims : undefined
  const filters = creationProperties?.filters
  return {
    ...(dims && { chunks: formatShape(dims) }),
    ...(Array.isArray(filters) && filters.length > 0 && { filters: filters.map(nameOfFilter).join(', ') }),
  }
}

function nameOfFilter(filter: {
  readonly name?: unknown
  readonly class?: unknown
  readonly id?: unknown
}): string {
  return String(filter.name ?? filter.class ?? filter.id)
}

/** Characters of a value that a line of an attribute has. */
const SHOWN_VALUE = 200

function describeAttribute(attribute: Api.AttributeItem): string {
  if ('unreadable' in attribute) return `unreadable: ${attribute.unreadable}`
  const kind = `${formatDatatype(parseDatatype(attribute.type))}, ${formatShape(extentsOf(attribute.shape))}`
  const value = JSON.stringify(attribute.value) ?? 'null'
  return `${kind}: ${value.length > SHOWN_VALUE ? `${value.slice(0, SHOWN_VALUE)}…` : value}`
}

async function printFacts(
  print: Service['print'],
  facts: Readonly<Record<string, string | number>>,
): Promise<void> {
  for (const [name, fact] of Object.entries(facts))
    await print(`${`${name}:`.padEnd(16)}${shownName(`${fact}`)}`)
}

export interface CatOptions extends ServiceOptions {
  readonly attribute?: string
  readonly select?: string
  readonly json: boolean
}

/** Prints the values as the service sends them. */
export async function runCat(path: string, object: string, options: CatOptions): Promise<void> {
  const { attribute, select, json } = options
  if (attribute !== undefined && select !== undefined)
    throw new UsageError('--select is for datasets: a value of an attribute comes as a whole')
  await withService(options, false, async service => {
    const domain = service.client.domain(path)
    const h5path = objectPath(object)
    const { id, class: kind } = await domain.object(h5path, { signal: service.signal })
    const parameters = { id, domain: domain.pathOf(id) }
    if (attribute !== undefined) return showAttribute(service, kind, { ...parameters, name: attribute }, json)
    if (kind !== 'dataset')
      throw new UsageError(
        `${path} ${h5path} is a ${kind}: only datasets have values, and with --attribute all objects`,
        1,
      )
    const selection = select === undefined ? {} : { select: bracketed(select) }
    const format = json ? {} : { format: 'csv' as const }
    const headers = { accept: json ? 'application/json' : 'text/csv' }
    const answer = await service.client.open(
      'GET /datasets/{id}/value',
      { ...parameters, ...selection, ...format },
      { signal: service.signal, headers },
    )
    for await (const piece of answer.body ?? []) await service.write(piece)
    if (json) await service.write('\n')
  })
}

/** The selection `3, 0:10` of NumPy as the service takes it, `[3,0:10]`. */
function bracketed(select: string): string {
  const text = select.replaceAll(/\s/g, '')
  return text.startsWith('[') ? text : `[${text}]`
}

async function showAttribute(
  { client, signal, print }: Service,
  kind: Api.FoundObject['class'],
  parameters: { readonly id: string; readonly domain: string; readonly name: string },
  json: boolean,
): Promise<void> {
  const name = `GET /${`${kind}s` as const}/{id}/attributes/{name}` as const
  const { hrefs: _, ...attribute } = await client.request(name, parameters, { signal })
  if (json) return print(JSON.stringify(attribute))
  const { value } = attribute
  for (const item of Array.isArray(value) ? value : [value])
    await print(typeof item === 'string' ? shownName(item) : JSON.stringify(item))
}

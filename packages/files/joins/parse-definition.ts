// Definitions as JSON: the member `join` of a new domain, and the form in which the store keeps them (common 34).

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, isJsonList, isJsonObject, type JsonObject, type JsonValue } from '@hyperslab/model/json'
import { childOf, type DomainPath, parentOf, parseDomainPath, parseGlob } from '@hyperslab/model/names'
import type { JoinAxis, JoinDefinition, JoinSource, NewCoordinate } from './definition.ts'
import { DEEP } from './find-files.ts'
import { parseNamePattern } from './name-pattern.ts'

/** Sources of one definition. @limit safety, sources */
const MAX_SOURCES = 1000

/** Throws `malformed-body` with the member that breaks a rule. */
export function parseDefinition(json: JsonValue | undefined): JoinDefinition {
  if (json === undefined || !isJsonObject(json)) throw malformed('join must be an object')
  requireOnly(json, 'join', MEMBERS)
  const sources = listOf(json.get('sources'), 'sources')
  if (sources.length > MAX_SOURCES)
    throw malformed(`join.sources has ${sources.length} items, at most ${MAX_SOURCES} are allowed`)
  return {
    along: alongOf(json),
    sources: sources.map(sourceOf),
    areOneSource: true,
    ...choiceIn(json, 'keep', ['first', 'last'] as const),
    ...choiceIn(json, 'missing', ['fill'] as const),
    ...choiceIn(json, 'unpack', [true] as const),
    ...choiceIn(json, 'check', ['types', 'values'] as const),
  }
}

const MEMBERS: readonly string[] = ['sources', 'along', 'union', 'keep', 'unpack', 'missing', 'check']
/** Members that say how datasets are joined, which those of a union are not. */
const MEMBERS_OF_JOINS = ['along', 'keep', 'unpack', 'missing', 'check']

function alongOf(json: JsonObject): JoinAxis {
  const along = json.get('along')
  const { union } = choiceIn(json, 'union', [true] as const)
  if (!union && along === undefined)
    throw malformed('join.along must be a dimension, PATH#AXIS, or {"new": NAME}; or join.union is true')
  if (!union)
    return along !== undefined && isJsonObject(along) ? newAxisOf(along) : axisOf(listOf(along, 'along'))
  const other = MEMBERS_OF_JOINS.find(name => json.has(name))
  if (other === undefined) return { kind: 'union' }
  throw malformed(`join.${other} must be absent where join.union is true: no dataset is joined`)
}

function requireOnly(json: JsonObject, name: string, members: readonly string[]): void {
  const other = [...json.keys()].find(member => !members.includes(member))
  if (other !== undefined)
    throw malformed(`${name} has no member ${excerpt(other)}: its members are ${members.join(', ')}`)
}

/** The member of this name, which must be one of the values; absent: no member. */
function choiceIn<Name extends string, Value extends JsonValue>(
  json: JsonObject,
  name: Name,
  values: readonly Value[],
): { readonly [name in Name]?: Value } {
  const given = json.get(name)
  if (given === undefined) return {}
  const value = values.find(one => one === given)
  if (value === undefined)
    throw malformed(`join.${name} must be ${values.map(one => JSON.stringify(one)).join(' or ')}, or absent`)
  return { [name]: value } as { readonly [name in Name]?: Value }
}

/** One string, or a list of them. */
function listOf(value: JsonValue | undefined, name: string): readonly string[] {
  const items = value !== undefined && isJsonList(value) ? [...value] : [value]
  const strings = items.filter(item => typeof item === 'string' && item !== '')
  if (strings.length === 0 || strings.length < items.length)
    throw malformed(`join.${name} must be a string, or a list of strings, none of them empty`)
  return strings as readonly string[]
}

/** The name of a dimension, or `PATH#AXIS` of one dataset or several. */
function axisOf(names: readonly string[]): JoinAxis {
  const [name] = names
  if (names.length === 1 && !/^\/|\/.*#\d+$/u.test(name)) return { kind: 'named', name }
  const axes = new Map<string, number>()
  for (const name of names) {
    const [, path, axis] = /^(\/.+)#(\d{1,2})$/su.exec(name) ?? []
    if (path === undefined)
      throw malformed(
        `join.along ${excerpt(name)} must be the name of a dimension, or PATH#AXIS of a dataset`,
      )
    axes.set(path, Number(axis))
  }
  return { kind: 'axes', axes }
}

const NEW_MEMBERS: readonly string[] = ['new', 'coordinate', 'datasets']

/** A dimension that the files do not have. */
function newAxisOf(json: JsonObject): JoinAxis {
  requireOnly(json, 'join.along', NEW_MEMBERS)
  const name = json.get('new')
  if (typeof name !== 'string' || name === '' || name.includes('/'))
    throw malformed('join.along.new must be the name of the new dimension, without a slash')
  const coordinate = json.get('coordinate')
  const datasets = json.get('datasets')
  return {
    kind: 'new',
    name,
    ...(coordinate !== undefined && { coordinate: coordinateOf(coordinate) }),
    ...(datasets !== undefined && { datasets: listOf(datasets, 'along.datasets') }),
  }
}

/** `PATH@NAME` of an attribute, or a pattern of the names of files. */
function coordinateOf(text: JsonValue): NewCoordinate {
  if (typeof text !== 'string') throw malformed('join.along.coordinate must be a string')
  const [, object, name] = /^(\/.*)@([^@]+)$/su.exec(text) ?? []
  if (object !== undefined) return { kind: 'attribute', object, name }
  const parsed = parseNamePattern(text)
  if (typeof parsed === 'string') throw malformed(`join.along.coordinate ${excerpt(text)}: ${parsed}`)
  return { kind: 'name', pattern: text }
}

/** The path of a file, or a pattern of paths. */
function sourceOf(source: string): JoinSource {
  if (!source.startsWith('/'))
    throw malformed(`join.sources ${excerpt(source)} must be a path that begins with a slash`)
  const names = source.slice(1).split('/')
  const first = names.findIndex(name => /[*?[\]]/.test(name))
  if (first < 0) return { kind: 'file', location: parseDomainPath(source) }
  const pattern = names.slice(first)
  const isEndDeep = pattern.at(-1) === DEEP
  if (isEndDeep || pattern.filter(name => name === DEEP).length > 1)
    throw malformed(`join.sources ${excerpt(source)} may have one ${DEEP}, and a name after it`)
  for (const name of pattern) if (name !== DEEP) parseGlob(name)
  const folder = names.slice(0, first).reduce(childOf, parentOf('/a' as DomainPath))
  return { kind: 'pattern', folder, names: pattern }
}

function malformed(rule: string): HyperslabError {
  return new HyperslabError('malformed-body', rule)
}

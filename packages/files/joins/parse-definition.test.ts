import { parseJson } from '@hyperslab/model/json'
import { describe, expect, it } from 'vitest'
import { parseDefinition } from './parse-definition.ts'

const parse = (json: unknown) => parseDefinition(parseJson(JSON.stringify(json)))

describe('a definition as JSON', () => {
  it.each([
    ['/lab/a.nc', { kind: 'file', location: '/lab/a.nc' }],
    ['/lab/*.nc', { kind: 'pattern', folder: '/lab', names: ['*.nc'] }],
    ['/*/day_?.nc', { kind: 'pattern', folder: '/', names: ['*', 'day_?.nc'] }],
    ['/lab/2026/**/[a-c]*', { kind: 'pattern', folder: '/lab/2026', names: ['**', '[a-c]*'] }],
    ['/測定/結果_*.h5', { kind: 'pattern', folder: '/測定', names: ['結果_*.h5'] }],
  ])('has the source %s', (source, expected) => {
    expect(parse({ sources: source, along: 'time' }).sources).toEqual([expected])
    expect(parse({ sources: [source, source], along: 'time' }).sources).toEqual([expected, expected])
  })

  it.each([
    ['time', { kind: 'named', name: 'time' }],
    ['/entry/data#2', { kind: 'axes', axes: new Map([['/entry/data', 2]]) }],
    [
      ['/a#0', '/b#c#1'],
      {
        kind: 'axes',
        axes: new Map([
          ['/a', 0],
          ['/b#c', 1],
        ]),
      },
    ],
    [{ new: 'run' }, { kind: 'new', name: 'run' }],
    [
      { new: 'run', coordinate: 'run_{n:d}.h5', datasets: '/image' },
      {
        kind: 'new',
        name: 'run',
        coordinate: { kind: 'name', pattern: 'run_{n:d}.h5' },
        datasets: ['/image'],
      },
    ],
    [
      { new: 'start', coordinate: '/entry@start@time' },
      { kind: 'new', name: 'start', coordinate: { kind: 'attribute', object: '/entry@start', name: 'time' } },
    ],
  ])('joins along %j', (along, expected) => {
    expect(parse({ sources: '/lab/*', along }).along).toEqual(expected)
  })

  it('can be a union, which has no dimension', () => {
    const { along, sources } = parse({ sources: ['/a', '/b/*'], union: true })
    expect(along).toEqual({ kind: 'union' })
    expect(sources).toHaveLength(2)
  })

  it('says what is done with files that differ, or are gone', () => {
    const rules = { keep: 'last', unpack: true, missing: 'fill', check: 'values' }
    expect(parse({ sources: '/a', along: 't', ...rules })).toMatchObject(rules)
    expect(Object.keys(parse({ sources: '/a', along: 't' }))).toEqual(['along', 'sources', 'areOneSource'])
  })

  it.each([
    [undefined, 'join must be an object'],
    [{ sources: '/a', along: 't', keep: 'all' }, 'join.keep must be "first" or "last", or absent'],
    [{ sources: '/a', along: 't', unpack: false }, 'join.unpack must be true, or absent'],
    [{ sources: '/a', along: 't', missing: 'nan' }, 'join.missing must be "fill", or absent'],
    [{ sources: '/a', union: false, along: 't' }, 'join.union must be true, or absent'],
    [{ sources: '/a', union: true, along: 't' }, 'join.along must be absent where join.union is true'],
    [{ sources: '/a', union: true, missing: 'fill' }, 'join.missing must be absent where join.union is true'],
    [{ sources: '/a' }, 'join.along must be a dimension'],
    [{ sources: ['/a', 1], along: 't' }, 'join.sources must be a string, or a list of strings'],
    [
      { sources: Array(1001).fill('/a'), along: 't' },
      'join.sources has 1001 items, at most 1000 are allowed',
    ],
    [{ sources: 'a', along: 't' }, 'join.sources "a" must be a path that begins with a slash'],
    [{ sources: '/a//b', along: 't' }, 'no component of it may be empty'],
    [{ sources: '/a/**', along: 't' }, 'may have one **, and a name after it'],
    [{ sources: '/a/*b*', along: 't' }, 'a pattern must have at most one "*"'],
    [{ sources: '/a', along: ['t', 'u'] }, 'join.along "t" must be the name of a dimension, or PATH#AXIS'],
    [
      { sources: '/a', along: 'data/t#0' },
      'join.along "data/t#0" must be the name of a dimension, or PATH#AXIS',
    ],
    [{ sources: '/a', along: '/t#100' }, 'join.along "/t#100" must be the name of a dimension, or PATH#AXIS'],
    [{ sources: '/a', along: {} }, 'join.along.new must be the name of the new dimension'],
    [{ sources: '/a', along: { new: 'a/b' } }, 'join.along.new must be the name of the new dimension'],
    [{ sources: '/a', along: { new: 'a', unit: 1 } }, 'join.along has no member "unit"'],
    [{ sources: '/a', along: { new: 'a', coordinate: 1 } }, 'join.along.coordinate must be a string'],
    [{ sources: '/a', along: { new: 'a', coordinate: '{n:x}' } }, 'join.along.coordinate "{n:x}": '],
    [
      { sources: '/a', along: 't', more: 1 },
      'join has no member "more": its members are sources, along, union, keep, unpack, missing',
    ],
  ])('is refused: %j', (json, reason) => {
    const parseIt = () => (json === undefined ? parseDefinition(undefined) : parse(json))
    expect(parseIt).toThrow(reason)
  })
})

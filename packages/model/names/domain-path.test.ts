// Domain paths.

import { describe, expect, test } from 'vitest'
import { parseLinkedDomain, pathInBucket } from '../../server/service/domains/path-names.ts'
import {
  type Bucket,
  bucketOf,
  childOf,
  DEFAULT_BUCKET,
  type DomainPath,
  isTopLevel,
  isWithin,
  nameOf,
  namesBelow,
  parentOf,
  parseDomainPath,
  ROOT_FOLDER,
  topLevelOf,
} from './domain-path.ts'

describe('parseDomainPath', () => {
  test.each([
    ['/', '/'],
    ['/a', '/a'],
    ['/home/ann/run7.h5', '/home/ann/run7.h5'],
    ['hdf5://home/ann/run7.h5', '/home/ann/run7.h5'],
    ['/Home/.hidden/...', '/Home/.hidden/...'],
    ['/a b/50%/é/測試/😀', '/a b/50%/é/測試/😀'],
    ['/%2E', '/%2E'],
  ])('%s', (text, path) => {
    expect(parseDomainPath(text)).toBe(path)
  })

  test.each([
    ['', 'must start with "/"'],
    ['bad_domain.h5', 'must start with "/"'],
    ['home/ann/x.h5', 'must start with "/"'],
    ['hdf5:/home', 'must start with "/"'],
    ['hdf5:/', 'must start with "/"'],
    ['/home/', 'must not end with "/"'],
    ['//', 'must not end with "/"'],
    ['//home', 'no component of it may be empty'],
    ['/home//x', 'no component of it may be empty'],
    ['/home/./x', 'no component of it may be "."'],
    ['/..', 'no component of it may be ".."'],
    ['/home/../etc', 'no component of it may be ".."'],
    ['/a\0b', 'hold "/", "\\" or NUL'],
    ['/a\\b', 'hold "/", "\\" or NUL'],
    ['/a\ud800', 'half of a surrogate pair'],
    [`/${'x'.repeat(256)}`, 'a component of it must take at most 255 bytes'],
    [`/${'é'.repeat(128)}`, 'a component of it must take at most 255 bytes'],
    [`${'/x'.repeat(2048)}/y`, 'must take at most 4096 bytes'],
  ])('refused: %.30s', (text, rule) => {
    expect(() => parseDomainPath(text)).toThrow(expect.objectContaining({ code: 'malformed-domain' }))
    expect(() => parseDomainPath(text)).toThrow(rule)
  })

  test('the longest component and the longest path are accepted', () => {
    expect(parseDomainPath(`/${'é'.repeat(127)}x`)).toHaveLength(129)
    expect(parseDomainPath('/x'.repeat(2048))).toHaveLength(4096)
  })
})

describe('buckets', () => {
  const archive = 'archive' as Bucket
  test('have paths of their own, which begin with their names', () => {
    expect(parseDomainPath('/home/x', archive)).toBe('archive/home/x')
    expect(parseDomainPath('hdf5://home/x', archive)).toBe('archive/home/x')
    expect(parseDomainPath('/', archive)).toBe('archive/')
    expect(topLevelOf(archive)).toBe('archive/')
    expect(topLevelOf(DEFAULT_BUCKET)).toBe(ROOT_FOLDER)
  })

  test.each([
    ['/home/x', '/home', 'x', '', '/home/x', false],
    ['/home', '/', 'home', '', '/home', false],
    ['/', '/', '', '', '/', true],
    ['archive/home/x', 'archive/home', 'x', 'archive', '/home/x', false],
    ['archive/home', 'archive/', 'home', 'archive', '/home', false],
    ['archive/', 'archive/', '', 'archive', '/', true],
  ])('%s', (path, parent, name, bucket, inBucket, isTop) => {
    const domain = path as DomainPath
    expect(parentOf(domain)).toBe(parent)
    expect(nameOf(domain)).toBe(name)
    expect(bucketOf(domain)).toBe(bucket)
    expect(pathInBucket(domain)).toBe(inBucket)
    expect(isTopLevel(domain)).toBe(isTop)
    expect(childOf(domain, 'c')).toBe(isTop ? `${path}c` : `${path}/c`)
  })

  test.each([
    ['/home/y', '/home/ann/x', '/home/y'],
    ['hdf5://home/y', '/home/ann/x', '/home/y'],
    ['/home/y', 'archive/home/ann/x', 'archive/home/y'],
    ['y.h5', '/home/ann/x', '/home/ann/y.h5'],
    ['y', '/x', '/y'],
    ['sub/y', 'archive/home/x', 'archive/home/sub/y'],
    ['./y', '/home/x', '/home/y'],
    ['../y', '/home/ann/x', '/home/y'],
    ['../../../y', 'archive/home/x', 'archive/y'],
    ['/home/../y', '/home/ann/x', '/y'],
  ])('an external link to %s in %s means %s', (text, holder, path) => {
    expect(parseLinkedDomain(text, holder as DomainPath)).toBe(path)
  })

  test.each(['/', '..', 'hdf5://', 'a\\b', 'a\0'])('an external link to %j means nothing', text => {
    expect(() => parseLinkedDomain(text, '/home/x' as DomainPath)).toThrow(
      expect.objectContaining({ code: 'malformed-domain' }),
    )
  })
})

describe('folders', () => {
  test.each([
    ['/home/ann/x', '/home/ann', 'x'],
    ['/a', '/', 'a'],
    ['/', '/', ''],
  ])('of %s the parent is %s and the name is "%s"', (path, parent, name) => {
    expect(parentOf(parseDomainPath(path))).toBe(parent)
    expect(nameOf(parseDomainPath(path))).toBe(name)
  })

  test.each<[string, string, string[] | undefined]>([
    ['/', '/', []],
    ['/', '/a/b', ['a', 'b']],
    ['/a', '/a', []],
    ['/a', '/a/b/c', ['b', 'c']],
    ['/a', '/ab', undefined],
    ['/a/b', '/a', undefined],
    ['/', 'archive/a', undefined],
    ['archive/', 'archive/a', ['a']],
    ['archive/', '/archive/a', undefined],
    ['archive/a', 'archive/a/b', ['b']],
  ])('from %s to %s lead %j', (folder, path, names) => {
    expect(namesBelow(folder as DomainPath, path as DomainPath)).toEqual(names)
    expect(isWithin(folder as DomainPath, path as DomainPath)).toBe(names !== undefined)
  })

  test('a child is checked like a component', () => {
    expect(childOf(ROOT_FOLDER, 'a')).toBe('/a')
    expect(childOf(parseDomainPath('/a'), 'b c')).toBe('/a/b c')
    for (const name of ['', '..', 'b/c']) {
      expect(() => childOf(ROOT_FOLDER, name)).toThrow(expect.objectContaining({ code: 'malformed-domain' }))
    }
  })
})

// DNS names of domains, and of files that external links name.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { unicodeString } from '../../../../../test/wire/unicode.ts'
import { parseDomainPath, ROOT_FOLDER } from '../../../../model/names/domain-path.ts'
import { dnsNameOfExternalFile, formatDnsName, parseDnsName } from './dns-names.ts'

const D = 'hdfgroup.org'

describe('parseDnsName', () => {
  test.each([
    ['demo.test.hdfgroup.org', '/test/demo'],
    ['demo.sub.test.hdfgroup.org', '/test/sub/demo'],
    ['demo.test.hdfgroup.org:5101', '/test/demo'],
    ['a%2Eb.test.hdfgroup.org', '/test/a.b'],
    ['a%2eb.test.hdfgroup.org', '/test/a.b'],
    ['my file.test.hdfgroup.org', '/test/my file'],
    ['my%20file.test.hdfgroup.org', '/test/my file'],
    ['a+b.test.hdfgroup.org', '/test/a+b'],
    ['Demo.Test.HDFGroup.ORG', '/Test/Demo'],
    ['ann.home.hdfgroup.org', '/home/ann'],
    ['home.hdfgroup.org', '/home'],
    ['f.ann.home.hdfgroup.org', '/home/ann/f'],
    ['測試.hdfgroup.org', '/測試'],
    ['%E6%B8%AC.hdfgroup.org', '/測'],
    ['1.2.3.4.hdfgroup.org', '/4/3/2/1'],
    ['hdfgroup.org.hdfgroup.org', '/org/hdfgroup'],
  ])('%s', (name, path) => {
    expect(parseDnsName(name, D)).toBe(path)
  })

  test.each([
    'hdfgroup.org',
    'HDFGroup.org:80',
    'localhost',
    'localhost:5101',
    'xyz',
    '',
    '127.0.0.1',
    '127.0.0.1:5000',
    '255.255.255.255',
    '[::1]',
    '[::1]:5101',
    '[::ffff:127.0.0.1]:5101',
    '[2001:db8::1]',
  ])('the base domain itself, single labels and addresses denote the top-level folder: %s', name => {
    expect(parseDnsName(name, D)).toBe(ROOT_FOLDER)
  })

  test.each([
    ['foreign-domain', 'www.example.com'],
    ['foreign-domain', 'group.org'],
    ['foreign-domain', 'demo.test.hdfgroup.org.'],
    ['foreign-domain', '256.0.0.1'],
    ['foreign-domain', '1.2.3'],
    ['malformed-domain', 'missingdothdfgroup.org'],
    ['malformed-domain', '.hdfgroup.org'],
    ['malformed-domain', '.a.b.hdfgroup.org'],
    ['malformed-domain', 'a..b.hdfgroup.org'],
    ['malformed-domain', 'a..hdfgroup.org'],
    ['malformed-domain', '%2E%2E.hdfgroup.org'],
    ['malformed-domain', 'a.%2e.hdfgroup.org'],
    ['malformed-domain', 'a%2Fb.hdfgroup.org'],
    ['malformed-domain', 'a/b.hdfgroup.org'],
    ['malformed-domain', 'a%5Cb.hdfgroup.org'],
    ['malformed-domain', 'a%00.hdfgroup.org'],
    ['malformed-domain', 'a%.hdfgroup.org'],
    ['malformed-domain', 'a%zz.hdfgroup.org'],
    ['malformed-domain', 'a%ff.hdfgroup.org'],
    ['malformed-domain', 'a%ED%A0%80.hdfgroup.org'],
    ['malformed-domain', `${'x'.repeat(256)}.hdfgroup.org`],
  ])('%s: %.40s', (code, name) => {
    expect(() => parseDnsName(name, D)).toThrow(expect.objectContaining({ code }))
  })
})

describe('formatDnsName', () => {
  test.each([
    ['/', 'hdfgroup.org'],
    ['/x', 'x.hdfgroup.org'],
    ['/sub/x', 'x.sub.hdfgroup.org'],
    ['/home/ann/run-7_b', 'run-7_b.ann.home.hdfgroup.org'],
    ['/test/a.b.h5', 'a%2Eb%2Eh5.test.hdfgroup.org'],
    ['/test/my file', 'my%20file.test.hdfgroup.org'],
    ["/50%/a:b/!~*'()", '%21%7E%2A%27%28%29.a%3Ab.50%25.hdfgroup.org'],
    ['/測', '%E6%B8%AC.hdfgroup.org'],
  ])('%s', (path, name) => {
    expect(formatDnsName(parseDomainPath(path), D)).toBe(name)
  })

  const component = unicodeString({ minLength: 1, maxLength: 60 }).filter(
    text => !/^\.\.?$|[/\\\0]/.test(text),
  )
  const path = fc
    .array(
      fc.oneof(
        component,
        fc.stringMatching(/^[A-Za-z0-9. %:+-]{1,20}$/).filter(text => !/^\.\.?$/.test(text)),
      ),
      {
        maxLength: 6,
      },
    )
    .map(components => parseDomainPath(`/${components.join('/')}`))

  test('every path comes back from its DNS name, also behind a port', () => {
    fc.assert(
      fc.property(path, fc.constantFrom(D, 'data.example.co.uk', 'local'), (path, base) => {
        const name = formatDnsName(path, base)
        expect(name).toMatch(/^[\w.%-]+$/)
        expect(parseDnsName(name, base)).toBe(path)
        expect(parseDnsName(`${name}:5101`, base)).toBe(path)
      }),
      { numRuns: 500 },
    )
  })

  test('garbage in a Host header gives a path or an error of ours', () => {
    fc.assert(
      fc.property(unicodeString(), fc.constantFrom('', `.${D}`, `${D}:1`), (text, end) => {
        try {
          expect(parseDomainPath(parseDnsName(text + end, D))).toMatch(/^\//)
        } catch (error) {
          expect(error).toHaveProperty('code', expect.stringMatching(/^(malformed|foreign)-domain$/))
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('dnsNameOfExternalFile', () => {
  test.each([
    ['rule 1: a bare name is beside the domain', 'tall', 'tall.test.hdfgroup.org'],
    ['rule 1', 'somefile', 'somefile.test.hdfgroup.org'],
    ['rule 2: a file is beside the domain', 'tall.h5', 'tall.test.hdfgroup.org'],
    ['rule 2, dots of a file name', 'run.7.h5', 'run%2E7.test.hdfgroup.org'],
    ['rule 3: a complete name', 'tall.test.hdfgroup.org', 'tall.test.hdfgroup.org'],
    ['rule 3', 'tall.test.HDFGroup.org', 'tall.test.HDFGroup.org'],
    ['rule 3', 'data.example.com', 'data.example.com'],
    ['rule 3', 'tall.subdir.test.hdfgroup.org', 'tall.subdir.test.hdfgroup.org'],
    ['rule 4: the beginning of a name', 'tall.subdir', 'tall.subdir.test.hdfgroup.org'],
    ['rule 5: an absolute path', '/test/tall.h5', 'tall.test.hdfgroup.org'],
    ['rule 5', '/home/ann/x', 'x.ann.home.hdfgroup.org'],
    ['rule 5', 'hdf5://home/ann/x.h5', 'x.ann.home.hdfgroup.org'],
    ['rule 5', '/a/../b//./c.h5', 'c.b.hdfgroup.org'],
    ['rule 5', '/', 'hdfgroup.org'],
    ['rule 6: a relative path', 'subdir/tall.h5', 'tall.subdir.test.hdfgroup.org'],
    ['rule 6', './tall.h5', 'tall.test.hdfgroup.org'],
    ['rule 6', '../other/tall.h5', 'tall.other.hdfgroup.org'],
    ['rule 6, not above the top', '../../../tall.h5', 'tall.hdfgroup.org'],
    ['a space is +', 'my file.h5', 'my+file.test.hdfgroup.org'],
    ['a percent sign is kept', 'a%2Eb.h5', 'a%2Eb.test.hdfgroup.org'],
    ['other characters are %XX', 'é&x', '%C3%A9%26x.test.hdfgroup.org'],
    ['half of a surrogate pair cannot be', 'a\ud800', 'a%EF%BF%BD.test.hdfgroup.org'],
  ])('%s: %s', (_, text, name) => {
    expect(dnsNameOfExternalFile(text, 'x.test.hdfgroup.org', D)).toBe(name)
  })

  test.each([
    ['x.sub%2Edir.hdfgroup.org', 'tall.sub%2Edir.hdfgroup.org'],
    ['x.two words.é.hdfgroup.org', 'tall.two+words.%C3%A9.hdfgroup.org'],
  ])('seen from %s', (current, name) => {
    for (const text of ['tall', './tall.h5']) expect(dnsNameOfExternalFile(text, current, D)).toBe(name)
  })

  test('of the base domain, or of one without a dot, a name is below the whole of it', () => {
    expect(dnsNameOfExternalFile('tall.h5', 'localhost', D)).toBe('tall.localhost')
    expect(dnsNameOfExternalFile('tall.h5', D, D)).toBe('tall.hdfgroup.org')
  })

  test('a file named by its path is the domain of that path', () => {
    expect(parseDnsName(dnsNameOfExternalFile('/a.b/c.d.h5', 'x.hdfgroup.org', D), D)).toBe('/a.b/c.d')
  })
})

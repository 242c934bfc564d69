import { describe, expect, it } from 'vitest'
import { decodeSegment, encodeName, parseTarget, rawParameter } from './target.ts'

describe('parseTarget keeps the path as it came', () => {
  it.each([
    ['/', ['']],
    ['/groups/x', ['groups', 'x']],
    ['/groups//links', ['groups', '', 'links']],
    ['/groups/x/links/..', ['groups', 'x', 'links', '..']],
    ['/groups/x/links/a%2Fb?Limit=1', ['groups', 'x', 'links', 'a%2Fb']],
    ['//', ['', '']],
  ])('%s', (url, segments) => expect(parseTarget(url).segments).toEqual(segments))

  it('finds a parameter as it was spelled', () => {
    const target = parseTarget('/?host=a%2Eb.test.hdfgroup.org&x=1')
    expect(rawParameter(target, 'host')).toBe('a%2Eb.test.hdfgroup.org')
    expect(target.query.get('host')).toBe('a.b.test.hdfgroup.org')
    expect(rawParameter(target, 'y')).toBeUndefined()
  })
})

describe('names in paths', () => {
  it('a plus is a space where forms rule, and a plus elsewhere', () => {
    expect(decodeSegment('a+b%20c%2B', true)).toBe('a b c+')
    expect(decodeSegment('a+b%20c%2B', false)).toBe('a+b c+')
  })
  it.each(['%', '%zz', '%ff'])('refuses %s', raw => {
    expect(() => decodeSegment(raw, true)).toThrow(expect.objectContaining({ code: 'malformed-url' }))
  })
  it.each([
    ['filename with space', 'filename+with+space'],
    ['a.b.c', 'a.b.c'],
    ['a/b', 'a%2Fb'],
    ['1+1', '1%2B1'],
    ["it's (x)*!", 'it%27s+%28x%29%2A%21'],
    ['été', '%C3%A9t%C3%A9'],
    ['-_.~', '-_.~'],
  ])('writes %s as %s', (name, encoded) => expect(encodeName(name)).toBe(encoded))
})

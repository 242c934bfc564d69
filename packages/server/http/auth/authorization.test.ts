import { describe, expect, it } from 'vitest'
import { parseAuthorization } from './authorization.ts'

const encode = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('parseAuthorization', () => {
  it.each([
    [encode('ann:secret'), { name: 'ann', password: 'secret' }],
    [encode('ann:a:b'), { name: 'ann', password: 'a:b' }],
    [encode('ann:secret').replace('Basic', 'bAsIc'), { name: 'ann', password: 'secret' }],
    [encode('änn:pässword'), { name: 'änn', password: 'pässword' }],
    ['Bearer a.b-c_d.e', { token: 'a.b-c_d.e' }],
    ['bEARER  abc== ', { token: 'abc==' }],
    [undefined, undefined],
  ])('reads %s', (header, credentials) => {
    expect(parseAuthorization(header, true)).toEqual(credentials)
    expect(parseAuthorization(header, false)).toEqual(credentials)
  })

  it.each([
    'Digest abc',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer a,b',
    'Basic',
    'Basic  ',
    encode(':secret'),
    encode('ann:'),
    '',
  ])('takes %s for no credentials, or refuses it', header => {
    expect(parseAuthorization(header, true)).toBeUndefined()
    expect(() => parseAuthorization(header, false)).toThrow(
      expect.objectContaining({ code: 'malformed-credentials' }),
    )
  })

  it.each(['Basic xxx123', 'Basic a', 'Basic ab=c', 'Basic ====', encode('nocolon')])(
    'always refuses %s',
    header => {
      for (const lenient of [true, false]) {
        expect(() => parseAuthorization(header, lenient)).toThrow(
          expect.objectContaining({ code: 'malformed-credentials' }),
        )
      }
    },
  )
})

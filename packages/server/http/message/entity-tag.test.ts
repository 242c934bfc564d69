import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { isKnown, parseEntityTags, requireMatch, tagged } from './entity-tag.ts'

function streamOf(texts: readonly string[], ended: () => void = () => {}) {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      for (const text of texts) yield Buffer.from(text)
    } finally {
      ended()
    }
  }
  return { contentType: 'text/plain', pieces: pieces() }
}

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += Buffer.from(piece).toString()
  return text
}

it.each([[[]], [['']], [['abc']], [['ab', 'cd', '', 'e']]])('%j has its tag and its length', async texts => {
  const text = texts.join('')
  const { pieces, ...stream } = await tagged(streamOf(texts), 5)
  expect(stream).toEqual({
    contentType: 'text/plain',
    length: text.length,
    entityTag: `"${hash('sha1', text)}"`,
  })
  expect(await textOf(pieces)).toBe(text)
})

it('what is longer comes whole, without a tag', async () => {
  const { pieces, ...stream } = await tagged(streamOf(['abc', 'def', 'ghi']), 5)
  expect(stream).toEqual({ contentType: 'text/plain' })
  expect(await textOf(pieces)).toBe('abcdefghi')
})

it('the stream is ended when the reader stops before its end', async () => {
  let isEnded = false
  const stream = streamOf(['abc', 'def', 'ghi'], () => {
    isEnded = true
  })
  for await (const _ of (await tagged(stream, 5)).pieces) break
  expect(isEnded).toBe(true)
})

const strong = (text: string) => ({ isWeak: false, text })
const weak = (text: string) => ({ isWeak: true, text })

it.each([
  ['*', '*'],
  [' * ', '*'],
  ['"a"', [strong('"a"')]],
  ['W/"a"', [weak('"a"')]],
  ['"a", W/"b" ,"c"', [strong('"a"'), weak('"b"'), strong('"c"')]],
  ['"a,b", ""', [strong('"a,b"'), strong('""')]],
  [',"a",,', [strong('"a"')]],
  ['a', undefined],
  ['"a', undefined],
  ['"a" "b"', undefined],
  ['"a", *', undefined],
  ['w/"a"', undefined],
  ['"a b"', undefined],
  ['', undefined],
])('the tags of %j are %j', (header, tags) => expect(parseEntityTags(header)).toEqual(tags))

it.each([
  ['"t"', true, true],
  ['W/"t"', true, false],
  ['"x", "t"', true, true],
  ['"x", W/"t"', true, false],
  ['"t,u"', false, false],
  ['*', true, true],
  ['t', false, false],
  ['"t", *', false, false],
])('%j in If-None-Match or If-Match, and the tag is "t"', (header, known, matches) => {
  expect(isKnown({ headers: { 'if-none-match': header } }, '"t"')).toBe(known)
  const match = () => requireMatch({ headers: { 'if-match': header } }, '"t"')
  if (matches) expect(match).not.toThrow()
  else expect(match).toThrow('If-Match does not name the current entity tag, "t"')
})

it('without the headers nothing is known, and everything matches', () => {
  expect(isKnown({ headers: {} }, '"t"')).toBe(false)
  expect(() => requireMatch({ headers: {} }, '"t"')).not.toThrow()
})

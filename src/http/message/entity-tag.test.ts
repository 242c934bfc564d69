import { hash } from 'node:crypto'
import { expect, it } from 'vitest'
import { tagged } from './entity-tag.ts'

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

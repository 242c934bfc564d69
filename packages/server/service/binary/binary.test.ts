// Elements from the bytes of requests.

import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Datatype } from '../../../model/datatype/datatype.ts'
import { elementsFromBytes } from './binary.ts'

const OPAQUE: Datatype = { class: 'H5T_OPAQUE', size: 3 }

async function* cut(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (const length of [...lengths, bytes.length]) {
    yield bytes.subarray(at, at + length)
    at += length
  }
}

async function collect(type: Datatype, pieces: AsyncIterable<Uint8Array>, maxElements = 100) {
  const found: number[] = []
  for await (const { count, data } of elementsFromBytes(type, pieces, maxElements)) {
    expect(count).toBeLessThanOrEqual(maxElements)
    found.push(...data)
  }
  return found
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    error => error,
  )
  return error instanceof HyperslabError ? error.code : 'no error'
}

describe('elementsFromBytes', () => {
  test('regroups bytes to whole elements', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(8)),
        fc.nat(20),
        fc.integer({ min: 1, max: 4 }),
        async (lengths, count, most) => {
          const bytes = Uint8Array.from({ length: count * 3 }, (_, i) => i)
          expect(await collect(OPAQUE, cut(bytes, lengths), most)).toEqual([...bytes])
        },
      ),
    )
  })

  test('bytes that make no whole element are an error', async () => {
    expect(await codeOf(collect(OPAQUE, cut(new Uint8Array(7), [2, 3])))).toBe('value-count-mismatch')
  })

  test.each<[string, string]>([
    ['groups/g-01234567-89abcdef-0123-456789-abcdef', 'no error'],
    ['', 'no error'],
    ['nonsense', 'malformed-value'],
  ])('the object reference %j', async (text, code) => {
    const type: Datatype = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }
    expect(await codeOf(collect(type, cut(Buffer.from(text.padEnd(48, '\0')), [])))).toBe(code)
  })
})

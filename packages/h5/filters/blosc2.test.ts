import { describe, expect, it } from 'vitest'
import { blosc2 } from './blosc2.ts'

/**
 * Frames that c-blosc2 3.3 made of a number of 32-bit integers 0, 1, ... 9, 0, 1, ..., and what is special about them.
 */
const FRAMES: readonly (readonly [what: string, count: number, frame: string])[] = [
  [
    'shuffled bytes and BloscLZ',
    200,
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAADtpBIAkAHTAAAAAAAAAyDTAAAAAAAAAEHSAAAABNIAAAMg0gAAAyDRAADRAAHC2AYBAAAAAAAAAAAAAAAAAAAAk80AB94AANwAAAUBFQQgAwAAIAMAAEEAAAABAAAAAAAAAAAAAAAAAAAAJAAAABkAAAApAAECAwQFBgcICeC1CQAA4P//TQACAAAABQEHCAgAAAAIAAAAKAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAJQBk80ABt4AANwAAM4AAAAj2AAAAAAAAAAAAAAAAAAAAAAA',
  ],
  [
    'shuffled bytes and LZ4',
    200,
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAADupBIAkQHTAAAAAAAAAyDTAAAAAAAAAELSAAAABNIAAAMg0gAAAyDRAADRAAHC2AYBAAAAAAABAAAAAAAAAAAAk80AB94AANwAAAUBNQQgAwAAIAMAAEIAAAABAAAAAAABAAAAAAAAAAAAJAAAABoAAACvAAECAwQFBgcICQoArA8BAP//QVAAAAAAAAUBBwgIAAAACAAAACgAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAACUAZPNAAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==',
  ],
  [
    'shuffled bytes and LZ4HC',
    200,
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAADupBIAkgHTAAAAAAAAAyDTAAAAAAAAAELSAAAABNIAAAMg0gAAAyDRAADRAAHC2AYBAAAAAAACAAAAAAAAAAAAk80AB94AANwAAAUBNQQgAwAAIAMAAEIAAAABAAAAAAACAAAAAAAAAAAAJAAAABoAAACvAAECAwQFBgcICQoArA8BAP//QVAAAAAAAAUBBwgIAAAACAAAACgAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAACUAZPNAAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==',
  ],
  [
    'shuffled bytes and zlib',
    200,
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAADupBIAlAHTAAAAAAAAAyDTAAAAAAAAAELSAAAABNIAAAMg0gAAAyDRAADRAAHC2AYBAAAAAAAEAAAAAAAAAAAAk80AB94AANwAAAUBdQQgAwAAIAMAAEIAAAABAAAAAAAEAAAAAAAAAAAAJAAAABoAAAB42mNgZGJmYWVj5+BkGNqsUTAKaAAAm+cDhQUBBwgIAAAACAAAACgAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAACUAZPNAAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==',
  ],
  [
    'shuffled bytes and Zstandard',
    200,
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAADzpBIAlQHTAAAAAAAAAyDTAAAAAAAAAEfSAAAABNIAAAMg0gAAAyDRAADRAAHC2AYBAAAAAAAFAAAAAAAAAAAAk80AB94AANwAAAUBlQQgAwAAIAMAAEcAAAABAAAAAAAFAAAAAAAAAAAAJAAAAB8AAAAotS/9YCACrQAAWAABAgMEBQYHCAkAAgBT3ErwShUkBQEHCAgAAAAIAAAAKAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAJQBk80ABt4AANwAAM4AAAAj2AAAAAAAAAAAAAAAAAAAAAAA',
  ],
  [
    'blocks split into streams, and bytes repeated',
    300,
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAAE8pBIAkQDTAAAAAAAABLDTAAAAAAAAAJDSAAAABNIAAAIA0gAABLDRAADRAAHC2AYBAAAAAAABAAAAAAAAAAAAk80AB94AANwAAAUBJQSwBAAAAAIAAJAAAAABAAAAAAABAAAAAAAAAAAALAAAAFAAAAB0AAAAFAAAAK8AAQIDBAUGBwgJCgBeUAMEBQYHAAAAAAAAAAAAAAAAFAAAAK8ICQABAgMEBQYHCgBeUAECAwQFAAAAAAAAAAAAAAAAGAAAAK8GBwgJAAECAwQFCgAQDwEAa1AAAAAAAAUBBwgIAAAACAAAACgAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAACUAZPNAAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==',
  ],
  [
    'shuffled bits, and elements left over',
    203,
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAAEFpBIAlQLTAAAAAAAAAyzTAAAAAAAAAFnSAAAABNIAAAMs0gAAAyzRAADRAAHC2AYCAAAAAAAFAAAAAAAAAAAAk80AB94AANwAAAUBlQQsAwAALAMAAFkAAAACAAAAAAAFAAAAAAAAAAAAJAAAADEAAAAotS/9YCwCPQEAwKrMMMMMM/DAAw88AAMMMMABAAAAAgAAAAUAvEAFwKcBrVFoBQEbBQEHCAgAAAAIAAAAKAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAJQBk80ABt4AANwAAM4AAAAj2AAAAAAAAAAAAAAAAAAAAAAA',
  ],
  [
    'delta from the first block, and shuffled bytes',
    200,
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAAFqpBIAlQLTAAAAAAAAAyDTAAAAAAAAAL7SAAAABNIAAAEA0gAAAyDRAADRAAHC2AYDAQAAAAAFAAAAAAAAAAAAk80AB94AANwAAAUBnQQgAwAAAAEAAL4AAAADAQAAAAAFAAAAAAAAAAAAMAAAAFQAAAB3AAAAmgAAACAAAAAotS/9YAAAtQAAaAABAwEHAQMBDwEJAAACADuXwupZvB8AAAAotS/9YAAArQAAYAQEBAQMDAYGCgoAAAIAO5fC61mQHwAAACi1L/1gAACtAABgCAgCAgYGAgIODgAAAgA7l8LrWZAgAAAAAgIGBgICDg4AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFAQcICAAAAAgAAAAoAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAlAGTzQAG3gAA3AAAzgAAACPYAAAAAAAAAAAAAAAAAAAAAAA=',
  ],
  [
    'bytes as they are',
    20,
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAADrpBIAkQLTAAAAAAAAAFDTAAAAAAAAAD/SAAAABNIAAABQ0gAAAFDRAADRAAHC2AYBAAAAAAABAAAAAAAAAAAAk80AB94AANwAAAUBNQRQAAAAUAAAAD8AAAABAAAAAAABAAAAAAAAAAAAJAAAABcAAACnAAECAwQFBgcICQoADwEAI1AAAAAAAAUBBwgIAAAACAAAACgAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAACUAZPNAAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==',
  ],
  [
    'several chunks',
    90,
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAAGJpBIAkQLTAAAAAAAAAWjTAAAAAAAAAM3SAAAABNIAAAAo0gAAAKDRAADRAAHC2AYBAAAAAAABAAAAAAAAAAAAk80AB94AANwAAAUBJQSgAAAAoAAAAEgAAAABAAAAAAABAAAAAAAAAAAAJAAAABQAAACvAAECAwQFBgcICQoABlAFBgcICQAAAAAAAAAAAAAAAAUBJQSgAAAAoAAAAEgAAAABAAAAAAABAAAAAAAAAAAAJAAAABQAAACvAAECAwQFBgcICQoABlAFBgcICQAAAAAAAAAAAAAAAAUBNQQoAAAAKAAAAD0AAAABAAAAAAABAAAAAAAAAAAAJAAAABUAAAC/AAECAwQFBgcICQABAAVQAAAAAAAFAQcIGAAAABgAAAA4AAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAASAAAAAAAAACQAAAAAAAAAJQBk80ABt4AANwAAM4AAAAj2AAAAAAAAAAAAAAAAAAAAAAA',
  ],
  [
    'an array with padding in its blocks',
    70,
    'nqhiMmZyYW1lANIAAAClzwAAAAAAAAHJpBIAlQLTAAAAAAAAAYDTAAAAAAAAANnSAAAABNIAAABA0gAAAYDRAADRAAHC2AYBAAAAAAAFAAAAAAAAAAAAk80AEd4AAaRiMm5k0gAAAGvcAAHGAAAANZcAApLTAAAAAAAAAAfTAAAAAAAAAAqS0gAAAAfSAAAACpLSAAAABNIAAAAEANsAAAADPGk0BQGVBIABAABAAAAA2QAAAAEAAAAAAAUAAAAAAAAAAAA4AAAAUgAAAG0AAACGAAAAoAAAALsAAAAWAAAAKLUv/SBAbQAAKAABAgMAAgC7pnBcIhcAAAAotS/9IEB1AAAwBAUGBwAAAgC7JsZdIhUAAAAotS/9IEBlAAAgCAkAAAIAgggYlwgWAAAAKLUv/SBAbQAAKAABAgMAAgC7USguERcAAAAotS/9IEB1AAAwBAUGBwAAAgC7ESMuERoAAAAotS/9IECNAABYCAkAAAgJAAAICQABADqBFwUBBwgIAAAACAAAACgAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAACUAZPNAAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==',
  ],
  [
    'an array of several chunks',
    30,
    'nqhiMmZyYW1lANIAAAClzwAAAAAAAAH/pBIAlQHTAAAAAAAAAYDTAAAAAAAAAQfSAAAABNIAAAAw0gAAAMDRAADRAAHC2AYBAAAAAAAFAAAAAAAAAAAAk80AEd4AAaRiMm5k0gAAAGvcAAHGAAAANZcAApLTAAAAAAAAAAXTAAAAAAAAAAaS0gAAAATSAAAABpLSAAAAA9IAAAAEANsAAAADPGk0BQGVBMAAAAAwAAAAnwAAAAEAAAAAAAUAAAAAAAAAAAAwAAAAUQAAAG8AAACIAAAAHQAAACi1L/0gMKUAAHAAAQIDBgcICQIDBAUAAAEADlACGgAAACi1L/0gMI0AAFgEBQAAAAEAAAYHAAEAHuAFFQAAACi1L/0gMGUAADAICQABAAABACFQBBMAAAAotS/9IDBVAAAgAgMAAAEAmYAIBQGVBMAAAAAwAAAAaAAAAAEAAAAAAAUAAAAAAAAAAAAwAAAASQAAAGAAAABkAAAAFQAAACi1L/0gMGUAADAEBQYHAAABACFQBBMAAAAotS/9IDBVAAAgCAkAAAEAmYAIAAAAAAAAAAAFAQcIEAAAABAAAAAwAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAnwAAAAAAAACUAZPNAAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==',
  ],
]

/** Frames of c-blosc2 for a number of elements of one value. */
const SPECIAL: readonly (readonly [what: string, count: number, value: string, frame: string])[] = [
  [
    'zeros',
    50,
    '00000000',
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAACspBIAVQLTAAAAAAAAAMjTAAAAAAAAAADSAAAABNIAAAAA0gAAAMjRAADRAAHC2AYAAAAAAAEFAAAAAAAAAAAAk80AB94AANwAAAUBBwgIAAAACAAAACgAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAIGUAZPNAAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==',
  ],
  [
    'values that were never written',
    50,
    '00000000',
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAACspBIAVQLTAAAAAAAAAMjTAAAAAAAAAADSAAAABNIAAAAA0gAAAMjRAADRAAHC2AYAAAAAAAEFAAAAAAAAAAAAk80AB94AANwAAAUBBwgIAAAACAAAACgAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAISUAZPNAAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==',
  ],
  [
    'NaN of single precision',
    50,
    '0000c07f',
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAACspBIAVQLTAAAAAAAAAMjTAAAAAAAAAADSAAAABNIAAAAA0gAAAMjRAADRAAHC2AYAAAAAAAEFAAAAAAAAAAAAk80AB94AANwAAAUBBwgIAAAACAAAACgAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAIKUAZPNAAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==',
  ],
  [
    'NaN of double precision',
    50,
    '000000000000f87f',
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAACspBIAVQLTAAAAAAAAAZDTAAAAAAAAAADSAAAACNIAAAAA0gAAAZDRAADRAAHC2AYAAAAAAAEFAAAAAAAAAAAAk80AB94AANwAAAUBBwgIAAAACAAAACgAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAIKUAZPNAAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==',
  ],
  [
    'one value',
    50,
    '07000000',
    'nqhiMmZyYW1lANIAAABhzwAAAAAAAADQpBIAVQLTAAAAAAAAAMjTAAAAAAAAACTSAAAABNIAAAAA0gAAAMjRAADRAAHC2AYAAAAAAAEFAAAAAAAAAAAAk80AB94AANwAAAUBBQTIAAAAyAAAACQAAAAAAAAAAAAAAAAAAAAAAAAwBwAAAAUBBwgIAAAACAAAACgAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAACUAZPNAAbeAADcAADOAAAAI9gAAAAAAAAAAAAAAAAAAAAAAA==',
  ],
]

function frameOf(what: string): Uint8Array {
  const [, , frame = ''] = FRAMES.find(([name]) => name === what) ?? []
  return bytesOf(frame)
}

function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'))
}

function digits(count: number): Uint8Array {
  return new Uint8Array(Int32Array.from({ length: count }, (_, i) => i % 10).buffer)
}

async function decode(frame: Uint8Array, maxLength: number): Promise<Uint8Array> {
  return await blosc2.decode(frame, [], maxLength)
}

/** Where the only chunk begins in frames that are no arrays, and where numbers are in its header. */
const CHUNK = 0x61
const FLAGS = CHUNK + 2
const LENGTH = CHUNK + 4
const BLOCK_LENGTH = CHUNK + 8
const STORED_LENGTH = CHUNK + 12
const FILTERS = CHUNK + 16
const FILTER_PARAMETERS = CHUNK + 24
const MORE_FLAGS = CHUNK + 30
/** The first stream of the only block. */
const STREAM = CHUNK + 36

describe('Blosc 2', () => {
  it.each(FRAMES)('decodes %s', async (_what, count, frame) => {
    expect(await decode(bytesOf(frame), 4 * count)).toEqual(digits(count))
  })

  it.each(SPECIAL)('decodes a chunk of %s', async (_what, count, value, frame) => {
    const expected = new Uint8Array(Buffer.from(value.repeat(count), 'hex'))
    expect(await decode(bytesOf(frame), expected.length)).toEqual(expected)
  })

  it.each([
    ...FRAMES,
    ...SPECIAL.map(([what, count, value, frame]) => [what, (count * value.length) / 8, frame] as const),
  ])('stops at the length of the chunk with %s', async (_what, count, frame) => {
    await expect(decode(bytesOf(frame), 4 * count - 1)).rejects.toThrow('the frame claims')
  })

  it.each<readonly [what: string, at: number, byte: number, message: string]>([
    ['a version of frames', 0x19, 0x13, 'version 3 of frames is not supported'],
    ['a frame in several files', 0x1a, 1, 'a frame with the flags 18 and the type 1 is not supported'],
    ['a version of chunks', CHUNK, 6, 'version 6 of chunks is not supported'],
    ['a chunk of Blosc 1', FLAGS, 0x31, 'a chunk of the first Blosc is not supported'],
    ['a compressor of the user', FLAGS, 0xd5, 'the compressor 1 is not supported'],
    ['a compressor that does not exist', FLAGS, 0xf5, 'the compressor 7 is not known'],
    ['a filter that is not built in', FILTERS, 34, 'its filter 34 is not supported'],
    ['delta of shuffled bytes', FILTERS, 2, 'delta after other filters is not supported'],
    [
      'shuffle with a parameter',
      FILTER_PARAMETERS + 5,
      2,
      'its filter 3 with the parameter 2 is not supported',
    ],
    ['blocks of variable length', MORE_FLAGS, 1, 'blocks of variable length are not supported'],
    ['other flags', MORE_FLAGS + 1, 8, 'the flags 0 and 8 of a chunk are not supported'],
    ['a special value', MORE_FLAGS + 1, 0x70, 'the special value 7 is not known'],
  ])('refuses %s by name', async (_what, at, byte, message) => {
    const frame = frameOf('shuffled bytes and LZ4')
    // Delta, so that it can be put after another filter.
    if (at >= FILTERS && at < MORE_FLAGS) frame[FILTERS + 5] = 3
    frame[at] = byte
    await expect(decode(frame, 800)).rejects.toThrow(message)
  })

  it('refuses a dictionary of Zstandard by name', async () => {
    const frame = frameOf('shuffled bytes and Zstandard')
    frame[MORE_FLAGS + 1] = 1
    await expect(decode(frame, 800)).rejects.toThrow('a dictionary for the compressor 4 is not supported')
  })

  it.each<readonly [what: string, at: number, byte: number, message: string]>([
    ['no frame', 2, 0, 'it is not a frame of Blosc 2'],
    ['a frame that is longer than its bytes', 0x14, 1, 'the frame claims'],
    ['a frame of more bytes', 0x22, 1, 'the frame claims 16778016 bytes'],
    ['a frame of many chunks', 0x3d, 1, 'an index of 8 bytes for'],
    ['a chunk of other length', LENGTH, 0x24, 'a chunk has 804 bytes instead of 800'],
    ['blocks longer than the chunk', LENGTH, 0x1c, 'the header claims blocks of 800 bytes in a chunk of 796'],
    [
      'blocks longer than may be',
      BLOCK_LENGTH + 1,
      4,
      'the header claims blocks of 1056 bytes, more than 800',
    ],
    ['a chunk shorter than its header', STORED_LENGTH, 31, 'the header claims a chunk of 31 bytes'],
    ['a chunk longer than the frame', STORED_LENGTH + 2, 1, 'it ends before byte'],
    ['a block that begins beyond the chunk', STREAM - 2, 1, 'it ends before byte'],
    ['a stream longer than the chunk', STREAM + 2, 1, 'it ends before byte'],
    ['a stream of an unknown kind', STREAM + 3, 255, 'is of an unknown kind'],
  ])('refuses %s', async (_what, at, byte, message) => {
    const frame = frameOf('shuffled bytes and LZ4')
    frame[at] = byte
    await expect(decode(frame, 800)).rejects.toThrow(message)
  })

  it.each<readonly [what: string, at: number, byte: number, message: string]>([
    ['an offset beyond the header', 0x65, 1, 'the metalayer b2nd is longer than the header'],
    ['a version', 0x71, 1, 'version 1 of the metalayer b2nd is not supported'],
    ['a rank that is not that of the shapes', 0x72, 1, 'an array of Blosc 2 of rank 1'],
    ['more elements', 0x79, 1, 'the frame claims an array of'],
    ['blocks larger than chunks', 0x96, 8, 'in chunks of 7,10 and blocks of 8,4 is not supported'],
    ['blocks of other length', 0x96, 5, 'a chunk has 384 bytes instead of 480'],
    ['blocks of other shape', 0x9b, 6, 'a block of 4,6 elements of 4 bytes has 64'],
    ['elements of other length', 0x33, 1, 'the header claims blocks of 64 bytes, more than 16'],
    ['elements of nothing', 0x33, 0, 'the frame claims an array of 7,10 elements of 0 bytes'],
  ])('refuses an array with %s', async (_what, at, byte, message) => {
    const frame = frameOf('an array with padding in its blocks')
    frame[at] = byte
    await expect(decode(frame, 280)).rejects.toThrow(message)
  })

  it.each(FRAMES)('refuses a frame that is cut off, with %s', async (_what, count, frame) => {
    for (let length = 0; length < bytesOf(frame).length; length++) {
      await expect(decode(bytesOf(frame).subarray(0, length), 4 * count)).rejects.toThrow()
    }
  })

  it.each(FRAMES)(
    'makes an Error of a changed byte, or no more bytes than the chunk has, with %s',
    async (_what, count, frame) => {
      let refused = 0
      for (let at = 0; at < bytesOf(frame).length; at++) {
        for (const change of [1, 0x80]) {
          const changed = bytesOf(frame)
          changed[at] ^= change
          const decoded = await decode(changed, 4 * count).catch((error: unknown) => error)
          if (decoded instanceof Uint8Array) expect(decoded.length).toBeLessThanOrEqual(4 * count)
          else refused++
        }
      }
      expect(refused).toBeGreaterThan(50)
    },
  )

  it('has no encoder', () => {
    expect(blosc2.encode(digits(10), [])).toBeUndefined()
  })
})

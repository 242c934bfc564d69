// Blobs: written once, read in parts, listed by prefix.

import type { Engine } from '@hyperslab/store/engines'
import { describe, expect, it } from 'vitest'
import { bytes, engineForEachTest, text } from './engine-fixture.ts'

export interface BlobRules {
  /**
   * A put of a name that exists replaces the blob: the storage has no conditional writes. Names are fresh, so none
   * comes twice.
   */
  readonly replaces?: boolean
}

export function describeBlobs(open: () => Promise<Engine>, { replaces = false }: BlobRules = {}): void {
  describe('blobs', () => {
    const engine = engineForEachTest(open)
    const put = (name: string, ...pieces: string[]) => engine().blobs.put(name, pieces.map(bytes))

    const read = async (name: string, offset: number, length: number) => {
      const into = new Uint8Array(length).fill(46)
      const count = await engine().blobs.read(name, offset, into)
      return `${count}:${text(into)}`
    }

    const list = async (prefix: string) => {
      const names: string[] = []
      for await (const name of engine().blobs.list(prefix)) names.push(name)
      return names.sort()
    }

    it.each<[string, number, number, string]>([
      ['all of it', 0, 10, '10:0123456789'],
      ['its beginning', 0, 4, '4:0123'],
      ['a part in the middle', 3, 4, '4:3456'],
      ['over the end: what there is', 7, 6, '3:789...'],
      ['from the end on: nothing', 10, 3, '0:...'],
      ['behind the end: nothing', 1000, 3, '0:...'],
      ['no bytes', 5, 0, '0:'],
    ])('read %s', async (_rule, offset, length, expected) => {
      await put('ab/cd/01', '0123', '', '45678', '9')
      expect(await read('ab/cd/01', offset, length)).toBe(expected)
      expect(await read('ab/cd/01', offset, length)).toBe(expected)
    })

    it('an empty blob, of no pieces or of empty ones', async () => {
      await put('a')
      await put('b', '', '')
      expect([await read('a', 0, 2), await read('b', 0, 2)]).toEqual(['0:..', '0:..'])
      expect(await list('')).toEqual(['a', 'b'])
    })

    it('a large blob of many pieces, which may be reused afterwards', async () => {
      const piece = Buffer.alloc(3001)
      const pieces = Array.from({ length: 2000 }, (_, number) => piece.subarray(number % 7))
      for (let index = 0; index < piece.length; index++) piece[index] = index * 7
      const whole = Buffer.concat(pieces)
      await engine().blobs.put('aa/01', pieces)
      piece.fill(0)
      const into = new Uint8Array(whole.length + 1)
      expect(await engine().blobs.read('aa/01', 0, into)).toBe(whole.length)
      expect(Buffer.compare(into.subarray(0, whole.length), whole)).toBe(0)
    })

    it('a blob of pieces that come one by one', async () => {
      const piece = Buffer.alloc(2)
      async function* pieces() {
        for (const text of ['01', '23', '45']) {
          piece.write(text)
          yield piece
        }
      }
      await engine().blobs.put('aa/01', pieces())
      expect(await read('aa/01', 1, 9)).toBe('5:12345....')
    })

    it('a blob of pieces of zeros, at its beginning, within it and at its end', async () => {
      const zeros = new Uint8Array(3)
      async function* pieces() {
        for (const piece of [zeros, bytes('01'), zeros, bytes('2'), zeros, new Uint8Array(0), zeros])
          yield piece
      }
      await engine().blobs.put('aa/01', pieces())
      expect(await engine().blobs.size('aa/01')).toBe(15)
      const into = new Uint8Array(16).fill(46)
      expect(await engine().blobs.read('aa/01', 0, into)).toBe(15)
      expect(text(into)).toBe('\0\0\x0001\0\0\x002\0\0\0\0\0\0.')
    })

    it('nothing of a blob whose pieces end with an error', async () => {
      async function* pieces() {
        yield bytes('01')
        throw new Error('give up')
      }
      await expect(engine().blobs.put('aa/01', pieces())).rejects.toThrow('give up')
      expect(await list('')).toEqual([])
    })

    it('read fills only the part that it is given', async () => {
      await put('a', '0123456789')
      const whole = bytes('..........')
      expect(await engine().blobs.read('a', 2, whole.subarray(3, 6))).toBe(3)
      expect(text(whole)).toBe('...234....')
    })

    it('many puts and reads at once', async () => {
      const names = Array.from(
        { length: 100 },
        (_, number) => `${(number % 3).toString(16)}f/${(number % 5).toString(16)}/${number.toString(16)}`,
      )
      await Promise.all(names.map(name => put(name, name)))
      const found = await Promise.all(names.map(name => read(name, 0, name.length)))
      expect(found).toEqual(names.map(name => `${name.length}:${name}`))
      expect(await list('')).toEqual([...names].sort())
    })

    it.skipIf(replaces)('put of a name that exists rejects and leaves the blob as it is', async () => {
      await put('ab/01', 'first')
      await expect(put('ab/01', 'second')).rejects.toThrow(Error)
      expect(await read('ab/01', 0, 5)).toBe('5:first')
    })

    it.skipIf(replaces)('of two concurrent puts of one name exactly one succeeds', async () => {
      const results = await Promise.allSettled([put('ab/01', 'x'), put('ab/01', 'x')])
      expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(await read('ab/01', 0, 1)).toBe('1:x')
    })

    it('an absent blob cannot be read, and its delete is passed over', async () => {
      await put('ab/01', 'x')
      for (const name of ['ab/02', 'cd/01', 'cd']) {
        await expect(engine().blobs.read(name, 0, new Uint8Array(1))).rejects.toThrow(
          `There is no blob ${name}`,
        )
        await engine().blobs.delete(name)
      }
    })

    it('size is that of all pieces, and none of what is absent', async () => {
      await put('ab/01', '0123', '', '45')
      await put('b')
      const sizes = ['ab/01', 'b', 'ab/02', 'ab', 'b/01', 'c/d'].map(name => engine().blobs.size(name))
      expect(await Promise.all(sizes)).toEqual([6, 0, undefined, undefined, undefined, undefined])
      await expect(engine().blobs.size('../a')).rejects.toThrow("Not a blob's name")
    })

    it('delete removes a blob, also one that has been read, and its name can be used again', async () => {
      await put('ab/01', 'x')
      await put('ab/02', 'y')
      await read('ab/01', 0, 1)
      await engine().blobs.delete('ab/01')
      await expect(engine().blobs.read('ab/01', 0, new Uint8Array(1))).rejects.toThrow('There is no blob')
      expect(await list('')).toEqual(['ab/02'])
      await engine().blobs.delete('ab/02')
      expect(await list('')).toEqual([])
      await put('ab/01', 'z')
      expect(await read('ab/01', 0, 1)).toBe('1:z')
    })

    it('puts and deletes in one folder do not disturb each other', async () => {
      for (let round = 0; round < 10; round++) {
        await put('ab/cd/01', 'x')
        await Promise.all([engine().blobs.delete('ab/cd/01'), put('ab/cd/02', 'x'), put('ab/ef/03', 'x')])
        expect(await list('ab')).toEqual(['ab/cd/02', 'ab/ef/03'])
        await Promise.all([engine().blobs.delete('ab/cd/02'), engine().blobs.delete('ab/ef/03')])
      }
    })

    it.each<[string, string[]]>([
      ['', ['ab/01', 'ab/02', 'ab1/01', 'b']],
      ['ab', ['ab/01', 'ab/02', 'ab1/01']],
      ['ab/', ['ab/01', 'ab/02']],
      ['ab/02', ['ab/02']],
      ['ab/0', ['ab/01', 'ab/02']],
      ['ab/01/', []],
      ['c', []],
      ['c/d/e', []],
    ])('list of the prefix %j', async (prefix, names) => {
      await Promise.all(['ab/01', 'ab/02', 'ab1/01', 'b'].map(name => put(name, name)))
      expect(await list(prefix)).toEqual(names)
    })

    it.each(['', '/', 'a/', '/a', 'a//b', '..', 'a/../b', 'A', 'g', 'a\n', 'a b', 'a\0'])(
      'the name %j is refused',
      async name => {
        await expect(put(name, 'x')).rejects.toThrow("Not a blob's name")
        await expect(engine().blobs.read(name, 0, new Uint8Array(1))).rejects.toThrow("Not a blob's name")
        await expect(engine().blobs.delete(name)).rejects.toThrow("Not a blob's name")
      },
    )

    it.each(['..', '/', 'a//', '../a', 'g'])('the prefix %j is refused', async prefix => {
      await expect(list(prefix)).rejects.toThrow('Not the beginning')
    })
  })
}

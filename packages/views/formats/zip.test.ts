// ZIP archives, read by their fields. Python's zipfile and unzip read them in test/h5py and the guide.

import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { zipArchive } from './zip.ts'

const GIB = 2 ** 30

async function* pieces(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
}

async function written(members: readonly { name: string; parts: readonly Uint8Array[] }[]): Promise<Buffer> {
  const archive = zipArchive(
    members.map(({ name, parts }) => ({
      name,
      length: parts.reduce((sum, { length }) => sum + length, 0),
      bytes: pieces(...parts),
    })),
  )
  const all: Buffer[] = []
  for await (const piece of archive.bytes) all.push(Buffer.from(piece))
  const file = Buffer.concat(all)
  expect(file.length).toBe(archive.length)
  return file
}

interface Entry {
  readonly name: string
  readonly crc: number
  readonly length: bigint
  readonly offset: bigint
}

/** The entries of the directory, with the numbers of their ZIP64 fields. */
function entriesOf(tail: Buffer, from: number): Entry[] {
  const end = tail.length - 22
  expect(tail.readUInt32LE(end)).toBe(0x06054b50)
  const isZip64 = tail.readUInt32LE(end + 16) === 0xffffffff
  const count = isZip64 ? Number(tail.readBigUInt64LE(end - 76 + 32)) : tail.readUInt16LE(end + 10)
  let at = (isZip64 ? Number(tail.readBigUInt64LE(end - 76 + 48)) : tail.readUInt32LE(end + 16)) - from
  return Array.from({ length: count }, () => {
    expect(tail.readUInt32LE(at)).toBe(0x02014b50)
    const nameLength = tail.readUInt16LE(at + 28)
    const extraLength = tail.readUInt16LE(at + 30)
    const name = tail.toString('utf8', at + 46, at + 46 + nameLength)
    let extra = at + 46 + nameLength + 4
    const number = (field: number): bigint => {
      const value = tail.readUInt32LE(at + field)
      if (value !== 0xffffffff) return BigInt(value)
      extra += 8
      return tail.readBigUInt64LE(extra - 8)
    }
    const stored = number(20)
    const entry = { name, crc: tail.readUInt32LE(at + 16), length: number(24), offset: number(42) }
    expect(stored).toBe(entry.length)
    at += 46 + nameLength + extraLength
    return entry
  })
}

describe('a ZIP archive', () => {
  it('has its members as they are, with their checksums, in order', async () => {
    const one = Buffer.from('one and more')
    const parts = [Buffer.from('tw'), Buffer.from('o')]
    const file = await written([
      { name: 'a/b.npy', parts: [one] },
      { name: 'größe ☃', parts },
      { name: 'empty', parts: [] },
    ])
    const entries = entriesOf(file, 0)
    expect(entries.map(({ name }) => name)).toEqual(['a/b.npy', 'größe ☃', 'empty'])
    expect(entries.map(({ crc }) => crc)).toEqual([crc32(one), crc32('two'), 0])
    for (const [i, { offset, length, name }] of entries.entries()) {
      const at = Number(offset)
      expect(file.readUInt32LE(at)).toBe(0x04034b50)
      const start = at + 30 + Buffer.byteLength(name)
      const bytes = file.subarray(start, start + Number(length))
      expect(bytes.toString()).toBe(['one and more', 'two', ''][i])
    }
  })

  it('without members is the end of a directory', async () => {
    expect((await written([])).length).toBe(22)
  })

  it('fails when a member has another length than it promised', async () => {
    const { bytes } = zipArchive([{ name: 'a', length: 3, bytes: pieces(Buffer.from('ab')) }])
    const read = async () => {
      for await (const piece of bytes) expect(piece).toBeInstanceOf(Uint8Array)
    }
    await expect(read()).rejects.toThrow('a member of 3 bytes has 2')
  })

  it('of more than 4 GiB is ZIP64', async () => {
    const block = new Uint8Array(64 << 20)
    const long = Array.from({ length: 80 }, () => block)
    const members = [
      { name: 'short', length: 5, bytes: pieces(Buffer.from('short')) },
      { name: 'long', length: 5 * GIB, bytes: pieces(...long) },
      { name: 'far', length: 3, bytes: pieces(Buffer.from('far')) },
    ]
    const { length, bytes } = zipArchive(members)
    let count = 0
    const tail: Buffer[] = []
    for await (const piece of bytes) {
      if (count > 5 * GIB) tail.push(Buffer.from(piece))
      count += piece.length
    }
    expect(count).toBe(length)
    const last = Buffer.concat(tail)
    const entries = entriesOf(last, count - last.length)
    expect(entries.map(({ name, length }) => [name, length])).toEqual([
      ['short', 5n],
      ['long', BigInt(5 * GIB)],
      ['far', 3n],
    ])
    const far = Number(entries[2]?.offset) - (count - last.length)
    expect(last.readUInt32LE(far)).toBe(0x04034b50)
    expect(last.toString('utf8', far + 33, far + 36)).toBe('far')
  })
})

// ZIP archives, read: those of zip.ts, and damaged ones. Archives of NumPy itself are read in test/h5py.

import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { storedBytes } from '../../../test/fixtures/stored-bytes.ts'
import { zipArchive } from './zip.ts'
import { filesInZip } from './zip-reader.ts'

async function archive(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const members = Object.entries(files).map(([name, text]) => ({
    name,
    length: Buffer.byteLength(text),
    bytes: (async function* () {
      yield Buffer.from(text)
    })(),
  }))
  const pieces: Buffer[] = []
  for await (const piece of zipArchive(members).bytes) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

async function readAll(
  bytes: Uint8Array,
  maxCount = 100,
  maxBytes = 10_000,
): Promise<(readonly [string, string])[]> {
  const files = await filesInZip(storedBytes(bytes), maxCount, maxBytes)
  const all: [string, string][] = []
  for (const { name, bytes: read } of files) {
    let text = ''
    for await (const piece of read()) text += Buffer.from(piece).toString()
    all.push([name, text])
  }
  return all
}

const FILES = { 'a/b.npy': 'one and more', 'größe ☃': 'two', empty: '' }

describe('a ZIP archive', () => {
  it('has the files that were written, in their order', async () => {
    expect(await readAll(await archive(FILES))).toEqual(Object.entries(FILES))
    expect(await readAll(await archive({}))).toEqual([])
  })

  it('may have a comment at its end', async () => {
    const bytes = await archive(FILES)
    bytes.writeUInt16LE(3, bytes.length - 2)
    expect(await readAll(Buffer.concat([bytes, Buffer.from('PK!')]))).toEqual(Object.entries(FILES))
  })

  it('may have the numbers of ZIP64', async () => {
    // One file as Python writes it for `force_zip64`: the fields of 32 bits say that those of 64 bits have the values.
    const name = Buffer.from('x')
    const data = Buffer.from('some bytes')
    const [plain] = await Promise.all([archive({ x: 'some bytes' })])
    const crc = plain.readUInt32LE(plain.indexOf('PK\u0001\u0002') + 16)
    const field = Buffer.alloc(28)
    field.writeUInt16LE(1, 0)
    field.writeUInt16LE(24, 2)
    field.writeBigUInt64LE(BigInt(data.length), 4)
    field.writeBigUInt64LE(BigInt(data.length), 12)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt32LE(crc, 14)
    local.writeUInt16LE(name.length, 26)
    const header = Buffer.alloc(46)
    header.writeUInt32LE(0x02014b50, 0)
    header.writeUInt32LE(crc, 16)
    for (const at of [20, 24, 42]) header.writeUInt32LE(0xffffffff, at)
    header.writeUInt16LE(name.length, 28)
    header.writeUInt16LE(field.length, 30)
    const directoryAt = local.length + name.length + data.length
    const directory = Buffer.concat([header, name, field])
    const end64 = Buffer.alloc(56)
    end64.writeUInt32LE(0x06064b50, 0)
    end64.writeBigUInt64LE(1n, 32)
    end64.writeBigUInt64LE(BigInt(directory.length), 40)
    end64.writeBigUInt64LE(BigInt(directoryAt), 48)
    const locator = Buffer.alloc(20)
    locator.writeUInt32LE(0x07064b50, 0)
    locator.writeBigUInt64LE(BigInt(directoryAt + directory.length), 8)
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.fill(0xff, 8, 20)
    const parts = [local, name, data, directory, end64, locator, end]
    expect(await readAll(Buffer.concat(parts))).toEqual([['x', 'some bytes']])
  })

  it('is refused when it is damaged, wherever', async () => {
    const bytes = await archive(FILES)
    await expect(readAll(Buffer.from('no archive'))).rejects.toThrow('must be a ZIP archive')
    await expect(readAll(bytes.subarray(0, -1))).rejects.toThrow('must be a ZIP archive')
    await expect(readAll(bytes.subarray(5))).rejects.toThrow('must be a ZIP archive')
    const other = Buffer.from(bytes)
    other.write('O', bytes.indexOf('one'))
    await expect(readAll(other)).rejects.toThrow('"a/b.npy" has another checksum')
    for (let at = 0; at < bytes.length; at++) {
      for (const value of [0, 0xff]) {
        const damaged = Buffer.from(bytes)
        damaged[at] = value
        // Names and some fields may be any; all else is an error of the request.
        const found = await readAll(damaged).catch((error: { code?: string }) => error.code)
        if (Array.isArray(found))
          expect(found.map(([, text]) => text).join('')).toMatch(/^(one and more)?(two)?$/)
        else expect(found).toMatch(/^(malformed-body|unsupported-media-type|body-too-large)$/)
      }
    }
  })

  it('must not be compressed', async () => {
    const bytes = await archive({ x: deflateRawSync('some bytes').toString('latin1') })
    bytes.writeUInt16LE(8, bytes.indexOf('PK\u0001\u0002') + 10)
    await expect(readAll(bytes)).rejects.toThrow('"x" in the archive is compressed')
  })

  it('has limits', async () => {
    await expect(readAll(await archive(FILES), 2)).rejects.toThrow('must not have more than 2')
    await expect(readAll(await archive(FILES), 3, 100)).rejects.toThrow('must not have more than 100')
  })
})

// The forms of answers with several values, taken apart as their standards say.

import { crc32 } from 'node:zlib'
import { expect } from 'vitest'
import type { Reply } from './client.ts'

/** The files of a ZIP archive without compression, in the order of its directory. */
export function entriesOf(archive: Buffer): ReadonlyMap<string, Buffer> {
  const end = archive.length - 22
  expect(archive.readUInt32LE(end)).toBe(0x06054b50)
  const entries = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50)
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const file = archive.subarray(start, start + archive.readUInt32LE(at + 20))
    expect(crc32(file), name).toBe(archive.readUInt32LE(at + 16))
    entries.set(name, file)
    at += 46 + nameLength + archive.readUInt16LE(at + 30)
  }
  return entries
}

/** The shape in a file of NumPy, and its elements, which are 32-bit integers. */
export function npyOf(file: Buffer | undefined): {
  readonly shape: string
  readonly numbers: readonly number[]
} {
  if (file === undefined) throw new Error('there is no such file')
  const start = 10 + file.readUInt16LE(8)
  const header = file.toString('latin1', 10, start)
  const shape = /'descr': '<i4'.*'shape': (\([^)]*\))/.exec(header)?.[1]
  if (shape === undefined) throw new Error(`not a file of 32-bit integers: ${header}`)
  const numbers = Array.from({ length: (file.length - start) / 4 }, (_, i) => file.readInt32LE(start + 4 * i))
  return { shape, numbers }
}

interface Part {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The parts of a multipart body (RFC 2046, 5.1). */
export function partsOf({ headers, bytes }: Reply): readonly Part[] {
  const boundary = /^multipart\/mixed; *boundary=(\S+)$/.exec(headers['content-type'] ?? '')?.[1]
  if (boundary === undefined) throw new Error(`no multipart body: ${headers['content-type']}`)
  const delimiter = `\r\n--${boundary}`
  const parts: Part[] = []
  const all = Buffer.concat([Buffer.from('\r\n'), bytes])
  let at = all.indexOf(delimiter)
  for (;;) {
    at += delimiter.length
    if (all.toString('latin1', at) === '--\r\n') return parts
    const end = all.indexOf(delimiter, at)
    const head = all.indexOf('\r\n\r\n', at)
    expect(end).toBeGreaterThan(head)
    const lines = all.toString('latin1', at + 2, head).split('\r\n')
    const pairs = lines.map(line => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 2),
    ])
    parts.push({ headers: Object.fromEntries(pairs), body: all.subarray(head + 4, end) })
    at = end
  }
}

/** A multipart body of these parts, and its content type. */
export function multipart(
  parts: readonly (readonly [headers: Readonly<Record<string, string>>, body: Uint8Array | string])[],
  type = 'multipart/mixed',
): { readonly body: Buffer; readonly headers: { readonly 'content-type': string } } {
  const boundary = 'a-boundary'
  const bytes = parts.flatMap(([headers, body]) => [
    Buffer.from(`--${boundary}\r\n`),
    ...Object.entries(headers).map(([name, value]) => Buffer.from(`${name}: ${value}\r\n`)),
    Buffer.from('\r\n'),
    Buffer.from(body),
    Buffer.from('\r\n'),
  ])
  return {
    body: Buffer.concat([...bytes, Buffer.from(`--${boundary}--`)]),
    headers: { 'content-type': `${type}; boundary=${boundary}` },
  }
}

/** A file of NumPy with 32-bit integers. */
export function npyFile(shape: string, numbers: readonly number[]): Buffer {
  const text = Buffer.from(`{'descr': '<i4', 'fortran_order': False, 'shape': ${shape}, }\n`)
  const start = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, text.length, 0])
  return Buffer.concat([start, text, Buffer.from(Int32Array.from(numbers).buffer)])
}

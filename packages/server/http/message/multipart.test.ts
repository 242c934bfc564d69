// Multipart bodies, wherever the blocks that they are read in end.

import { describe, expect, it } from 'vitest'
import { partsOf } from './multipart.ts'

async function* inBlocks(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function parts(text: string, boundary = 'b', length = 65_536) {
  const found: object[] = []
  for await (const { bytes, ...head } of partsOf(
    inBlocks(text, length),
    `multipart/mixed; boundary=${boundary}`,
  )) {
    let body = ''
    for await (const piece of bytes) body += Buffer.from(piece).toString('latin1')
    found.push({ ...head, body })
  }
  return found
}

const NONE = { contentType: undefined, name: undefined, fileName: undefined }

describe('a multipart body', () => {
  it('has parts with headers and bytes', async () => {
    const text = [
      'a preamble',
      '--b  ',
      'Content-Type: application/json',
      'CONTENT-DISPOSITION: form-data; name="values"',
      '',
      '{"a": 1}',
      '--b',
      '',
      'bytes\r\n-b\n--b\r',
      '--b',
      'Content-Disposition: attachment;filename="gr__e";\r\n filename*=UTF-8\'\'gr%C3%B6%C3%9Fe/%E2%98%83',
      '',
      '',
      '--b--',
      'an epilogue\r\n--b\r\n',
    ].join('\r\n')
    expect(await parts(text)).toEqual([
      { ...NONE, contentType: 'application/json', name: 'values', body: '{"a": 1}' },
      { ...NONE, body: 'bytes\r\n-b\n--b\r' },
      { ...NONE, fileName: 'größe/☃', body: '' },
    ])
  })

  it('is the same wherever the blocks end in which it is read', async () => {
    const bodies = ['', '\r', '\r\n', '\r\n-', '\r\n--', '\r\n--bound', '\r\n--boundar\r\n--boun']
    const text = `\r\n${bodies.map(body => `--boundary\r\n\r\n${body}\r\n`).join('')}--boundary--`
    for (let length = 1; length <= text.length; length++) {
      const found = await parts(`preamble${text}`, '"boundary"', length)
      expect(found).toEqual(bodies.map(body => ({ ...NONE, body })))
    }
  })

  it.each([
    [`form-data; name="/a b"`, { name: '/a b' }],
    [`form-data; name=x; filename=y.npy`, { name: 'x', fileName: 'y.npy' }],
    [`form-data; name="a%22b"`, { name: 'a"b' }],
    [`form-data; name="a\\"b; filename=z"`, { name: 'a"b; filename=z' }],
    [`form-data; name*=utf-8''gr%C3%B6%C3%9Fe; name="x"`, { name: 'größe' }],
    [`form-data; name="größe"`, { name: 'größe' }],
    [`attachment; filename="; name=x"`, { fileName: '; name=x' }],
  ])('has the names in %s', async (disposition, names) => {
    expect(await parts(`--b\r\nContent-Disposition: ${disposition}\r\n\r\n1\r\n--b--`)).toEqual([
      { ...NONE, ...names, body: '1' },
    ])
  })

  it.each([
    ['', 'no last boundary'],
    ['--b\r\n\r\nx', 'no last boundary'],
    ['--b\r\n\r\nx\r\n--b', 'no last boundary'],
    ['--bx\r\n\r\nx\r\n--b--', 'headers of part 1'],
    ['--b\r\nContent-Type: x\r\n--b--', 'headers of part 1'],
    ['--b\r\n\r\nx\r\n--b\r\nx\r\n--b--', 'headers of part 2'],
    [`--b\r\nX: ${'x'.repeat(20_000)}\r\n\r\nx\r\n--b--`, 'headers of part 1'],
    ['--b\r\nContent-Transfer-Encoding: base64\r\n\r\nx\r\n--b--', 'must be binary'],
    [`--b\r\nContent-Disposition: x; name*=utf-8''%ff\r\n\r\nx\r\n--b--`, 'is not UTF-8'],
  ])('is refused: %j', async (text, message) => {
    await expect(parts(text)).rejects.toThrow(message)
  })

  it('needs a boundary', async () => {
    for (const type of [
      'multipart/mixed',
      'multipart/mixed; boundary=',
      `multipart/mixed; boundary="${'x'.repeat(71)}"`,
    ]) {
      await expect(partsOf(inBlocks('--\r\n\r\n--', 8), type).next()).rejects.toThrow('must have a boundary')
    }
  })

  it('has parts that need not be read', async () => {
    const names: unknown[] = []
    const text = `--b\r\nContent-Type: 1\r\n\r\n${'x'.repeat(99)}\r\n--b\r\nContent-Type: 2\r\n\r\n\r\n--b--`
    for await (const { contentType } of partsOf(inBlocks(text, 7), 'multipart/mixed; boundary=b'))
      names.push(contentType)
    expect(names).toEqual(['1', '2'])
  })

  it('without parts is empty', async () => {
    expect(await parts('--b--')).toEqual([])
    expect(await parts(`${'--b\r\n\r\nx\r\n'.repeat(10)}--b--`)).toHaveLength(10)
  })
})

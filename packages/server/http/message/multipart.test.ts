// Multipart bodies, wherever the blocks that they are read in end.

import { readRange } from '@hyperslab/model/json'
import { describe, expect, it } from 'vitest'
import { storedBytes } from '../../../../test/fixtures/stored-bytes.ts'
import { partsOf } from './multipart.ts'

async function parts(text: string, boundary = 'b') {
  const found = await partsOf(storedBytes(Buffer.from(text)), `multipart/mixed; boundary=${boundary}`, 10)
  return Promise.all(
    found.map(async ({ text: part, ...head }) => {
      let body = ''
      for await (const piece of readRange(part, { from: 0, to: part.length })) {
        body += Buffer.from(piece).toString('latin1')
      }
      return { ...head, body }
    }),
  )
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
    for (let cut = 0; cut <= text.length; cut++) {
      const preamble = 'p'.repeat((1 << 18) - cut)
      expect((await parts(preamble + text, '"boundary"')).map(({ body }) => body)).toEqual(bodies)
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
    [`${'--b\r\n\r\nx\r\n'.repeat(11)}--b--`, 'must not have more than 10 parts'],
  ])('is refused: %j', async (text, message) => {
    await expect(parts(text)).rejects.toThrow(message)
  })

  it('needs a boundary', async () => {
    for (const type of [
      'multipart/mixed',
      'multipart/mixed; boundary=',
      `multipart/mixed; boundary="${'x'.repeat(71)}"`,
    ]) {
      await expect(partsOf(storedBytes(Buffer.from('--\r\n\r\n--')), type, 10)).rejects.toThrow(
        'must have a boundary',
      )
    }
  })

  it('without parts is empty', async () => {
    expect(await parts('--b--')).toEqual([])
    expect(await parts(`${'--b\r\n\r\nx\r\n'.repeat(10)}--b--`)).toHaveLength(10)
  })
})

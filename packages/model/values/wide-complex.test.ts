import { expect, it } from 'vitest'
import type { ByteOrder, Datatype } from '../datatype/datatype.ts'
import { wideComplexType, widenComplex } from './wide-complex.ts'

const halves = (order: ByteOrder): Datatype => ({
  class: 'H5T_COMPOUND',
  fields: ['re', 'im'].map(name => ({ name, type: { class: 'H5T_FLOAT', size: 2, order } })),
})

it.each<[string, Datatype]>([
  ['big-endian', halves('BE')],
  ['little-endian', halves('LE')],
  ['those of arrays', { class: 'H5T_ARRAY', base: halves('BE'), dims: [2] }],
])('complex numbers of halves get wider parts: %s', (_, type) => {
  const view = new DataView(new ArrayBuffer(8))
  const isLittle = JSON.stringify(type).includes('"LE"')
  for (const [i, bits] of [0x3c00, 0xc000, 0x7e00, 0x7c00].entries()) view.setUint16(2 * i, bits, isLittle)
  const { data } = widenComplex(type, {
    count: 1,
    data: new Uint8Array(view.buffer),
    heap: new Uint8Array(0),
  })
  expect([...new Float32Array(data.buffer)]).toEqual([1, -2, Number.NaN, Number.POSITIVE_INFINITY])
  const wide = wideComplexType(type)
  expect(JSON.stringify(wide)).toBe(
    JSON.stringify(type).replaceAll('"size":2', '"size":4').replaceAll('"BE"', '"LE"'),
  )
})

it('other types have no wider form', () => {
  const type: Datatype = { class: 'H5T_FLOAT', size: 2, order: 'LE' }
  expect(wideComplexType(type)).toBeUndefined()
})

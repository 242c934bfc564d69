import { expect, test } from 'vitest'
import { channelOf, shadeOf } from './channels.ts'
import { converterOf } from './numbers.ts'

const x = { start: 0, stop: 2, block: 1 }
const y = { start: 0, stop: 1, block: 1 }
const picture = { x, y, rows: 1, columns: 2, progress: undefined }

test('the phases and amplitudes of complex numbers are channels of one picture', () => {
  const float = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' } as const
  const type = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'r', type: float },
      { name: 'i', type: float },
    ],
  } as const
  const convert = converterOf({ signal: { dataset: { type } } } as never, 'phase-amplitude')
  const both = {
    ...picture,
    depth: 2,
    data: convert([
      [3, 0],
      [0, -4],
    ]),
  }
  expect(channelOf(both, 0)).toEqual({ ...picture, depth: 1, data: Float64Array.of(0, -Math.PI / 2) })
  expect(channelOf(both, 1).data).toEqual(Float64Array.of(3, 4))
  expect(channelOf(both, 1)).toBe(channelOf(both, 1))
  expect(shadeOf(4)(both)).toEqual(Uint8Array.of(0, 0, 0, 64, 0, 0, 0, 0))
  const gap = { ...both, data: Float64Array.of(Number.NaN, Number.NaN, 0, 8) }
  expect(shadeOf(4)(gap)).toEqual(Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0))
  const one = { ...picture, depth: 1, data: Float64Array.of(1, 2) }
  expect(channelOf(one, 0)).toBe(one)
})

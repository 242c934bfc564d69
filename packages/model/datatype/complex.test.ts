import { describe, expect, it } from 'vitest'
import { complexPart } from './complex.ts'
import type { Datatype, FloatType } from './datatype.ts'

const F2: FloatType = { class: 'H5T_FLOAT', size: 2, order: 'BE' }
const F4: FloatType = { class: 'H5T_FLOAT', size: 4, order: 'LE' }
const F8: FloatType = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
const I4: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }

const compound = (...members: readonly (readonly [string, Datatype])[]): Datatype => ({
  class: 'H5T_COMPOUND',
  fields: members.map(([name, type]) => ({ name, type })),
})

describe('a compound', () => {
  it.each([
    ['r', 'i'],
    ['R', 'I'],
    ['real', 'imag'],
    ['Real', 'Imag'],
    ['re', 'im'],
    ['Re', 'Im'],
    ['REAL', 'IMAG'],
  ])('of floats %s and %s is a complex number', (real, imaginary) => {
    for (const part of [F2, F4, F8]) {
      expect(complexPart(compound([real, part], [imaginary, part]))).toEqual(part)
    }
  })

  it.each<[string, Datatype]>([
    ['other names', compound(['x', F8], ['y', F8])],
    ['names of two conventions', compound(['r', F8], ['imag', F8])],
    ['the imaginary part first', compound(['i', F8], ['r', F8])],
    ['integers', compound(['r', I4], ['i', I4])],
    ['parts of two sizes', compound(['r', F4], ['i', F8])],
    ['parts of two orders', compound(['r', F4], ['i', { ...F4, order: 'BE' }])],
    ['a third member', compound(['r', F4], ['i', F4], ['j', F4])],
    ['one member', compound(['r', F4])],
  ])('with %s is none', (_, type) => {
    expect(complexPart(type)).toBeUndefined()
  })
})

// Type objects as classic 14.3 shows them, and a dataset that holds given values.

import type { Domain } from './domain.ts'

export const int = (base: string) => ({ class: 'H5T_INTEGER', base })
export const float = (base: string) => ({ class: 'H5T_FLOAT', base })
export const fixed = (length: number) => ({
  class: 'H5T_STRING',
  charSet: 'H5T_CSET_ASCII',
  strPad: 'H5T_STR_NULLPAD',
  length,
})
export const variable = (charSet = 'H5T_CSET_UTF8') => ({
  class: 'H5T_STRING',
  charSet,
  strPad: 'H5T_STR_NULLTERM',
  length: 'H5T_VARIABLE',
})
export const compound = (fields: Readonly<Record<string, unknown>>) => ({
  class: 'H5T_COMPOUND',
  fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
})
export const array = (base: unknown, dims: number[]) => ({ class: 'H5T_ARRAY', dims, base })
const mapping = { SOLID: 0, LIQUID: 1, GAS: -2, '10': 10, '9': 9 }
export const phase = { class: 'H5T_ENUM', base: int('H5T_STD_I16BE'), mapping }
export const boolean = { class: 'H5T_ENUM', base: int('H5T_STD_I8LE'), mapping: { FALSE: 0, TRUE: 1 } }
export const vlen = (base: unknown) => ({ class: 'H5T_VLEN', base })

/** A dataset of `length` elements with the values of a PUT body. */
export async function written(domain: Domain, type: unknown, body: object, length: number): Promise<string> {
  const id = await domain.dataset({ type, shape: [length] })
  await domain.want(200, 'PUT', `/datasets/${id}/value`, body)
  return id
}

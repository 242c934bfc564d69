import type { Selection } from '@hyperslab/client'
import { describe, expect, it } from 'vitest'
import { type CodeTarget, LANGUAGES } from './code.ts'

const NUMBERS = {
  class: 'dataset',
  id: 'd-1',
  domain: '/b.h5',
  type: { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' },
  shape: { class: 'H5S_SIMPLE', dims: [3, 4, 5] },
} as CodeTarget['found']
const GROUP = { class: 'group', id: 'g-1', domain: '/b.h5' } as CodeTarget['found']

const TARGET = { endpoint: 'http://h', path: '/g/own', filter: undefined, userName: undefined }

function ofType(type: object): CodeTarget['found'] {
  return { ...NUMBERS, type } as CodeTarget['found']
}
const TEXT = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
const TABLE = ofType({ class: 'H5T_COMPOUND', fields: [{ name: 'n', type: 'H5T_STD_I32LE' }] })

/** The programs by the names of their languages. */
function programs(target: Partial<CodeTarget>): Readonly<Record<string, string>> {
  const whole = { ...TARGET, found: NUMBERS, select: undefined, attributes: false, ...target }
  return Object.fromEntries(
    LANGUAGES.flatMap(({ name, codeOf }) => {
      const code = codeOf(whole)
      return code === undefined ? [] : [[name, code]]
    }),
  )
}

function slice(select: Selection) {
  const all = programs({ select })
  const queries = Object.values(all).flatMap(code => [...code.matchAll(/[?&]select=([^&'"]*)/g)])
  return { all, inQueries: [...new Set(queries.map(([, text = '']) => decodeURIComponent(text)))] }
}

it('every program names its languages, and no object by its id', () => {
  for (const attributes of [false, true]) {
    for (const found of [NUMBERS, GROUP]) {
      const all = programs({ found, attributes })
      expect(Object.keys(all)).toEqual(LANGUAGES.map(({ name }) => name).filter(name => name !== 'pandas'))
      expect(JSON.stringify(all)).not.toMatch(/[dg]-1/)
    }
  }
})

it('pandas reads rows and columns only', () => {
  expect(programs({ select: [0, undefined, undefined] }).pandas).toContain('read_csv')
  expect(programs({ select: [{ stop: 1 }, undefined, undefined] }).pandas).toBeUndefined()
})

it('pandas reads no arrays, and nothing without columns', () => {
  const select = [0, undefined, undefined]
  const array = ofType({ class: 'H5T_ARRAY', base: 'H5T_IEEE_F32LE', dims: [2] })
  expect(programs({ found: array, select }).pandas).toBeUndefined()
  const shape = { class: 'H5S_SIMPLE', dims: [0, 4] }
  expect(programs({ found: { ...NUMBERS, shape } as CodeTarget['found'] }).pandas).toBeUndefined()
  expect(programs({ found: { ...TABLE, shape } as CodeTarget['found'] }).pandas).toContain('read_csv')
})

it('R has a row for an empty text', () => {
  expect(programs({ found: ofType(TEXT), select: [0, 0, undefined] }).R).toContain(
    'header = FALSE, blank.lines.skip = FALSE',
  )
})

it('xarray reads what Zarr has, whose names can be in its addresses', () => {
  expect(programs({ found: ofType(TEXT) }).xarray).toContain('data["own"]')
  const parts = ['r', 'i'].map(name => ({ name, type: 'H5T_IEEE_F64LE' }))
  expect(programs({ found: ofType({ class: 'H5T_COMPOUND', fields: parts }) }).xarray).toBeDefined()
  const left = [TABLE, ofType({ class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' })]
  const empty = { ...NUMBERS, shape: { class: 'H5S_NULL' } } as CodeTarget['found']
  for (const found of [...left, empty]) expect(programs({ found }).xarray).toBeUndefined()
  for (const path of ['/a?', '/a#b/c', '/a\\b', '/a\nb', '/%41'])
    expect(programs({ path }).xarray).toBeUndefined()
})

it('NumPy reads arrays where NPY has the type, else JSON', () => {
  const mixed = ofType({ class: 'H5T_COMPOUND', fields: [{ name: 's', type: TEXT }] })
  expect(programs({ found: TABLE }).NumPy).toContain('numpy.load')
  for (const found of [ofType(TEXT), mixed]) expect(programs({ found }).NumPy).toContain('value.json()')
})

it('programs begin in the domain of the object, and follow soft links there', () => {
  expect(programs({}).h5py).toBe(
    [
      'import fsspec, h5py',
      'file = h5py.File(fsspec.open("http://h/h5/b.h5").open())',
      'print(file["/g/own"][()])',
    ].join('\n'),
  )
  const all = programs({ select: [0, undefined, undefined] })
  expect(all.curl).toContain("'http://h/values?domain=%2Fb.h5'")
  expect(all.h5pyd).toContain('h5pyd.File("/b.h5"')
  for (const name of ['NumPy', 'pandas', 'R', 'Julia', 'MATLAB'])
    expect([name, all[name]]).toEqual([name, expect.stringContaining('follow_soft_links')])
})

describe('programs that read a dataset', () => {
  it('read the slice that is shown', () => {
    const { all, inQueries } = slice([3, undefined, { start: 2, stop: 5 }])
    expect(all.h5pyd).toContain('file["/g/own"][3, :, 2:5]')
    expect(all.h5py).toContain('file["/g/own"][3, :, 2:5]')
    expect(all.xarray).toContain('data["own"][3, :, 2:5]')
    expect(all.NumPy).toContain('"select": "[3,:,2:5]"')
    expect(all.curl).toContain('"select":"[3,:,2:5]"')
    expect(all.JavaScript).toContain('domain.read("/g/own", { select: "[3,:,2:5]" })')
    expect(inQueries).toEqual(['[3,:,2:5]'])
  })

  it('read the rows of a table that are shown, if the language can ask for them', () => {
    const all = programs({ found: TABLE, select: [0, 0, undefined], filter: "n > 1 AND s == 'a'" })
    expect(Object.keys(all)).toEqual(
      LANGUAGES.map(({ name }) => name).filter(name => !/^(h5py|xarray)$/.test(name)),
    )
    for (const [name, code] of Object.entries(all))
      expect([name, code]).toEqual([name, expect.stringMatching(/n > 1 AND|n\+%3E\+1\+AND/)])
  })

  it('of a user have the name, and no password', () => {
    const all = programs({ userName: "o'hara", select: [0, 0, undefined] })
    for (const [name, code] of Object.entries(all))
      expect([name, code]).toEqual([name, expect.stringMatching(/hara|TOKEN/)])
    expect(all.curl).toContain("-u 'o'\\''hara'")
    expect(all.MATLAB).toContain("'Username', 'o''hara'")
  })
})

import { describe, expect, it } from 'vitest'
import type { Selection } from '../../../client/index.ts'
import { type CodeTarget, LANGUAGES } from './code.ts'

const NUMBERS = {
  class: 'dataset',
  id: 'd-1',
  domain: '/b.h5',
  type: { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' },
  shape: { class: 'H5S_SIMPLE', dims: [3, 4, 5] },
} as CodeTarget['found']
const GROUP = { class: 'group', id: 'g-1', domain: '/b.h5' } as CodeTarget['found']

const TARGET = { endpoint: 'http://h', domain: '/a.h5', object: '/s', userName: undefined, ownPath: '/g/own' }

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

it('programs that follow no link over HTTP begin in the domain of the object', () => {
  expect(programs({}).h5py).toBe(
    [
      'import fsspec, h5py',
      'file = h5py.File(fsspec.open("http://h/h5/b.h5").open())',
      'print(file["/g/own"][()])',
    ].join('\n'),
  )
  expect(programs({}).curl).toContain("'http://h/values?domain=%2Fb.h5'")
  expect(programs({}).h5pyd).toContain('h5pyd.File("/a.h5"')
})

describe('programs that read a dataset', () => {
  it('read the slice that is shown', () => {
    const { all, inQueries } = slice([3, undefined, { start: 2, stop: 5 }])
    expect(all.h5pyd).toContain('file["/s"][3, :, 2:5]')
    expect(all.h5py).toContain('file["/g/own"][3, :, 2:5]')
    expect(all.xarray).toContain('data["s"][3, :, 2:5]')
    expect(all.NumPy).toContain('"select": "[3,:,2:5]"')
    expect(all.curl).toContain('"select":"[3,:,2:5]"')
    expect(all.JavaScript).toContain('domain.read("/s", { select: "[3,:,2:5]" })')
    expect(inQueries).toEqual(['[3,:,2:5]'])
  })

  it('of a user have the name, and no password', () => {
    const all = programs({ userName: "o'hara", select: [0, 0, undefined] })
    for (const [name, code] of Object.entries(all))
      expect([name, code]).toEqual([name, expect.stringMatching(/hara|TOKEN/)])
    expect(all.curl).toContain("-u 'o'\\''hara'")
    expect(all.MATLAB).toContain("'Username', 'o''hara'")
  })
})

import { describe, expect, it } from 'vitest'
import { parseNcml } from './ncml.ts'

const NAMESPACE = 'http://www.unidata.ucar.edu/namespaces/netcdf/ncml-2.2'
const SCAN = '<scan location="days/" />'

function document(inner: string, attributes = 'dimName="time" type="joinExisting"', root = ''): string {
  return `<?xml version="1.0"?>\n<netcdf xmlns="${NAMESPACE}" ${root}>\n<aggregation ${attributes}>${inner}</aggregation>\n</netcdf>`
}

describe('an NcML document', () => {
  it('names files, with the lengths of their dimension, and folders', () => {
    const text = document(`
      <!-- a comment -->
      <netcdf location="jan.nc" ncoords="31" /><netcdf location="&quot;feb&quot;.nc" />
      <scan location="more" suffix=".nc" subdirs="false" /><scan location="../all/" />`)
    expect(parseNcml(text)).toEqual({
      along: { kind: 'named', name: 'time' },
      sources: [
        { kind: 'file', location: 'jan.nc', count: 31 },
        { kind: 'file', location: '"feb".nc' },
        { kind: 'scan', location: 'more', suffix: '.nc', isDeep: false },
        { kind: 'scan', location: '../all/', suffix: '', isDeep: true },
      ],
    })
  })

  it('names a new dimension, with its datasets and coordinates', () => {
    const text = document(
      `<variableAgg name="T" /><variableAgg name="g/P" />
      <netcdf location="a.nc" coordValue="2.5" /><netcdf location="b.nc" coordValue="1e" ncoords="1" />
      <scan location="runs" dateFormatMark="run_#yyyy-MM-dd_HHmmss" />`,
      'dimName="run" type="joinNew"',
    )
    expect(parseNcml(text)).toEqual({
      along: {
        kind: 'new',
        name: 'run',
        coordinate: { kind: 'name', pattern: '{name}' },
        datasets: ['/T', '/g/P'],
      },
      sources: [
        { kind: 'file', location: 'a.nc', coordinate: 2.5 },
        { kind: 'file', location: 'b.nc', coordinate: '1e', count: 1 },
        {
          kind: 'scan',
          location: 'runs',
          suffix: '',
          isDeep: true,
          pattern: '????{date:%Y-%m-%d_%H%M%S}*',
        },
      ],
    })
    expect(parseNcml(document(SCAN, 'dimName="run" type="joinNew"')).along).not.toHaveProperty('datasets')
  })

  it('names files whose objects are beside each other', () => {
    const text = document(`<netcdf location="a.nc" />${SCAN}`, 'type="union" recheckEvery="1 min"')
    expect(parseNcml(text)).toEqual({
      along: { kind: 'union' },
      sources: [
        { kind: 'file', location: 'a.nc' },
        { kind: 'scan', location: 'days/', suffix: '', isDeep: true },
      ],
    })
  })

  it('may have a prefix, a schema, and the time after which others look for files again', () => {
    const text = `<n:netcdf xmlns:n="${NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
      xsi:schemaLocation="a b"><n:aggregation dimName="t" type="joinExisting" recheckEvery="15 min" timeUnitsChange="true">
      <n:scan location="." /></n:aggregation></n:netcdf>`
    expect(parseNcml(text).along).toEqual({ kind: 'named', name: 't' })
  })

  it.each<readonly [string, string]>([
    [document(SCAN, 'dimName="t" type="tiled"'), 'an <aggregation> of the type "tiled" is not supported'],
    [document(SCAN, 'dimName="t" type="union"'), 'the attribute dimName of <aggregation> is not supported'],
    [document('<netcdf location="a" ncoords="1" />', 'type="union"'), 'the attribute ncoords of <netcdf>'],
    [
      document(`${SCAN}<variableAgg name="T" />`, 'type="union"'),
      '<variableAgg> in <aggregation> in <netcdf>',
    ],
    [
      document('<netcdf><aggregation type="union" /></netcdf>', 'type="union"'),
      'a <netcdf> has no location, and an <aggregation> in another one is not supported',
    ],
    [
      document('<netcdf location="a"><aggregation type="union" /></netcdf>', 'type="union"'),
      '<aggregation> in <netcdf> in <aggregation> in <netcdf> is not supported',
    ],
    [document(SCAN, 'dimName="t"'), 'an <aggregation> of the type "" is not supported'],
    [document(SCAN, 'type="joinExisting"'), 'its <aggregation> has no dimName'],
    [document(''), 'its <aggregation> has no <netcdf> and no <scan>'],
    [document('<netcdf />'), 'a <netcdf> has no location'],
    [document('<netcdf location="a" ncoords="-1" />'), 'ncoords must be a whole number, not "-1"'],
    [document('<netcdf location="a" coordValue="1" />'), 'the attribute coordValue of <netcdf>'],
    [document('<scan location="a" regExp=".*" />'), 'the attribute regExp of <scan> is not supported'],
    [document('<scan location="a" subdirs="yes" />'), 'subdirs must be true or false, not "yes"'],
    [document(`${SCAN}<variableAgg name="T" />`), '<variableAgg> in <aggregation> in <netcdf>'],
    [document('<scan location="a" dateFormatMark="#yyyy" />'), 'the attribute dateFormatMark of <scan>'],
    ...['#yy', 'yyyy', '#', '#yyyy#', '#MMdd', '#yyyyyyyy', '#yyyy{', "#yyyy'T'HH"].map(
      mark =>
        [
          document(`<scan location="a" dateFormatMark="${mark}" />`, 'dimName="t" type="joinNew"'),
          `the dateFormatMark "${mark}" is not supported`,
        ] as const,
    ),
    [document('<variableAgg />', 'dimName="t" type="joinNew"'), 'a <variableAgg> has no name'],
    [document(SCAN, undefined, 'location="a.nc"'), 'the attribute location of <netcdf>'],
    [document(`words ${SCAN}`), 'the text "words" is not supported'],
    [`<netcdf xmlns="${NAMESPACE}" />`, 'it has no <aggregation>'],
    ['<netcdf />', 'outside of the namespace'],
    [`<!DOCTYPE a [<!ENTITY b "c">]><netcdf xmlns="${NAMESPACE}" />`, 'a document type'],
    [document('&unknown;'), 'line 3 of the NcML: undefined entity'],
    ['', 'line 1 of the NcML: document must contain a root element.'],
    ['not XML', 'line 1 of the NcML'],
    [document(SCAN).slice(0, -5), 'line 4 of the NcML: unclosed tag'],
  ])('is refused, with the part that is not understood: %s', (text, reason) => {
    expect(() => parseNcml(text)).toThrow(reason)
    expect(() => parseNcml(text)).toThrow(/^line \d+ of the NcML: /)
  })
})

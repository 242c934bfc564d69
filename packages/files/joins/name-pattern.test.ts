import { describe, expect, it } from 'vitest'
import { parseNamePattern } from './name-pattern.ts'

function coordinate(pattern: string, name: string): unknown {
  const parsed = parseNamePattern(pattern)
  return typeof parsed === 'string' ? parsed : parsed(name)
}

const value = (value: number | bigint | string, isTime = false) => ({ value, isTime })
const time = (iso: string) => value(BigInt(Date.parse(iso) / 1000), true)

describe('a pattern of names', () => {
  it.each([
    ['run_{n:d}.h5', 'run_0012.h5', value(12n)],
    ['run_{n:d}.h5', 'run_-3.h5', value(-3n)],
    ['{n:d}.h5', '20260101123059999.h5', value(20260101123059999n)],
    ['*{n:d}.h5', 'scan_7_run_12.h5', value(12n)],
    ['run_{n:d}*', 'run_12_alice.h5', value(12n)],
    ['?{n:d}', 'é7', value(7n)],
    ['T_{x:g}K.nc', 'T_-4.25e1K.nc', value(-42.5)],
    ['T_{x:g}', 'T_.5', value(0.5)],
    ['{s}', 'a.nc', value('a.nc')],
    ['läuft_{名前}_*.h5', 'läuft_β 1_x.h5', value('β 1')],
    ['a+b({s})$', 'a+b(c)$', value('c')],
    ['{t:%Y%m%d}.nc', '20260228.nc', time('2026-02-28T00:00:00Z')],
    ['{t:%Y-%m-%dT%H%M%S}.nc', '2024-02-29T235959.nc', time('2024-02-29T23:59:59Z')],
    ['{t:%Y.%j}', '2024.366', time('2024-12-31T00:00:00Z')],
    ['{t:%d.%m.%Y}', '31.12.0099', time('0099-12-31T00:00:00Z')],
  ])('%s finds the coordinate in %s', (pattern, name, expected) => {
    expect(coordinate(pattern, name)).toEqual(expected)
  })

  it.each([
    ['run_{n:d}.h5', 'run_1.5.h5'],
    ['run_{n:d}.h5', 'xrun_1.h5'],
    ['run_{n:d}.h5', 'run_1.h5x'],
    ['run_{n:d}.h5', 'run_1xh5'],
    ['{t:%Y%m%d}', '20260229'],
    ['{t:%Y%m%d}', '20261301'],
    ['{t:%Y%m%d}', '20260100'],
    ['{t:%Y%j}', '2026366'],
    ['{t:%Y%j}', '2026000'],
    ['{t:%Y%H}', '202624'],
    ['{t:%Y%m%d}', '2026123'],
    ['{t:%Y.%m}', '2026x01'],
  ])('%s finds none in %s', (pattern, name) => {
    expect(coordinate(pattern, name)).toBeUndefined()
  })

  it.each([
    ['run.h5', 'run.h5 has no field, such as {n:d}'],
    ['{a}{b}', '{a}{b} has more than one field'],
    ['*{n:d}*', '*{n:d}* has more than one *'],
    ['{n:d', '{n:d has a brace without a field'],
    ['n}', 'n} has a brace without a field'],
    ['{}', '{} of {} must have a name, and perhaps a kind: {n:d}'],
    ['{1}', '{1} of {1} must have a name'],
    ['{n:x}', '{n:x} of {n:x} must be one of {n:d}, {x:g}, {s} and a time'],
    ['{t:%m%d}', '{t:%m%d} of {t:%m%d} has no year: %Y'],
    ['{t:%Y%y}', 'has %y: a time has %Y, %j'],
    ['{t:%Y%}', 'has %: a time has'],
    ['{t:%Y%Y}', 'has a part twice'],
  ])('%s is refused', (pattern, rule) => {
    expect(coordinate(pattern, 'x')).toContain(rule)
  })
})

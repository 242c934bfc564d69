import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { AuditLog } from './audit-log.ts'

let folder: string
let file: string
let now: number
const reports: { error: unknown; lost: number }[] = []
const clock = { ...SYSTEM_CLOCK, now: () => 1000, elapsed: () => now }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'))
  file = join(folder, 'audit.log')
  now = 0
  reports.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const open = (setting = file) =>
  new AuditLog({ setting, clock, report: (error, lost) => reports.push({ error, lost }) })

const linesOf = (path: string): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))

it('has a line for each entry, in a file that others cannot read', () => {
  const audit = open()
  audit.write({ id: 'a' })
  audit.write({ id: 'b' })
  expect(linesOf(file)).toEqual([
    { audit: 1, time: '1970-01-01T00:00:01.000Z', id: 'a' },
    { audit: 1, time: '1970-01-01T00:00:01.000Z', id: 'b' },
  ])
  expect(statSync(file).mode & 0o077).toBe(0)
  expect(audit).toMatchObject({ written: 2, failed: 0 })
})

it('writes nothing where it is off', () => {
  const audit = open('off')
  audit.write({ id: 'a' })
  expect(audit).toMatchObject({ isOn: false, written: 0, failed: 0 })
})

it('has no secret of a share or token, wherever a client has put it', () => {
  const secret = 'aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789abcdefA'
  const audit = open()
  audit.write({ what: { name: secret, path: `/s/${secret}/` } })
  expect(readFileSync(file, 'utf8')).not.toContain(secret)
})

it('opens a file that was renamed again: at once after `reopen`, else within a second', () => {
  const audit = open()
  audit.write({ id: 'a' })
  renameSync(file, `${file}.1`)
  audit.reopen()
  audit.write({ id: 'b' })
  renameSync(file, `${file}.2`)
  now += 1000
  audit.write({ id: 'c' })
  expect([`${file}.1`, `${file}.2`, file].map(path => linesOf(path).map(({ id }) => id))).toEqual([
    ['a'],
    ['b'],
    ['c'],
  ])
})

it('counts lines that cannot be written, reports them once a minute, and goes on', () => {
  const audit = open(join(folder, 'missing', 'audit.log'))
  audit.write({ id: 'a' })
  audit.write({ id: 'b' })
  now += 60_000
  audit.write({ id: 'c' })
  expect(audit).toMatchObject({ written: 0, failed: 3 })
  expect(reports.map(({ lost }) => lost)).toEqual([1, 2])
})

it('reports at the start that its file cannot be opened, and opens it else', () => {
  open(join(folder, 'missing', 'audit.log')).open()
  expect(reports.map(({ lost }) => lost)).toEqual([0])
  open().open()
  expect(readFileSync(file, 'utf8')).toBe('')
  open('off').open()
  expect(reports).toHaveLength(1)
})

it('loses lines only where the disk is full', () => {
  const audit = open('/dev/full')
  audit.write({ id: 'a' })
  expect(audit).toMatchObject({ written: 0, failed: 1 })
})

it('has a number instead of a flood of refused requests without a user', () => {
  const audit = open()
  const refused = { outcome: 'refused' }
  for (let i = 0; i < 700; i++) audit.write(refused)
  audit.write({ ...refused, user: 'ann' })
  audit.write({ outcome: 'done' })
  expect(linesOf(file)).toHaveLength(602)
  now += 60_000
  audit.write(refused)
  expect(linesOf(file).slice(602)).toMatchObject([{ outcome: 'more-refused', count: 100 }, refused])
  audit.close()
})

it('keeps lines of others that share the file', () => {
  writeFileSync(file, '{"id":"before"}\n')
  const [one, other] = [open(), open()]
  one.write({ id: 'a' })
  other.write({ id: 'b' })
  one.write({ id: 'c' })
  expect(linesOf(file).map(({ id }) => id)).toEqual(['before', 'a', 'b', 'c'])
})

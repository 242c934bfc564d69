import { expect, test } from 'vitest'
import { connectionLimit, keptMountedFiles, openFilesOfStorage } from './connection-limit.ts'

test.each([
  { openFiles: 256, setting: 0, connections: 128 },
  { openFiles: 1024, setting: 0, connections: 512 },
  { openFiles: 20_000, setting: 0, connections: 18_976 },
  { openFiles: 20_000, setting: 50, connections: 50 },
  { openFiles: 256, setting: 1000, connections: 128 },
  { openFiles: Number.POSITIVE_INFINITY, setting: 0, connections: Number.POSITIVE_INFINITY },
  { openFiles: Number.POSITIVE_INFINITY, setting: 10, connections: 10 },
])('of $openFiles descriptors, with max_connections $setting, $connections are for connections', row => {
  expect(connectionLimit(row.setting, row.openFiles)).toBe(row.connections)
})

test.each([
  [64, 2],
  [256, 80],
  [1024, 464],
  [20_000, 976],
  [Number.POSITIVE_INFINITY, 976],
])('of %d descriptors, %d are for files of values', (openFiles, files) => {
  expect(openFilesOfStorage(openFiles)).toBe(files)
})

test.each([
  [256, 16],
  [1024, 64],
  [4096, 256],
  [Number.POSITIVE_INFINITY, 1024],
])('of %d descriptors, %d are for mounted files that no request uses', (openFiles, files) => {
  expect(keptMountedFiles(openFiles)).toBe(files)
})

test('this process has a limit, or the system has none', () => {
  expect(connectionLimit(0)).toBeGreaterThan(0)
})

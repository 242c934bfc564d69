import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mountKey } from './mount-key.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-key-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('is made once, random, and only its owner can read it', () => {
  const key = mountKey(folder)
  expect(key).toHaveLength(32)
  expect(Buffer.from(mountKey(folder))).toEqual(Buffer.from(key))
  expect(readdirSync(folder)).toEqual(['mounts.key'])
  expect(statSync(join(folder, 'mounts.key')).mode & 0o777).toBe(0o600)
  rmSync(join(folder, 'mounts.key'))
  expect(Buffer.from(mountKey(folder))).not.toEqual(Buffer.from(key))
})

it('a file that holds no key is an error, and stays', () => {
  writeFileSync(join(folder, 'mounts.key'), 'abc')
  expect(() => mountKey(folder)).toThrow('mounts.key should hold 64 hexadecimal digits')
})

import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isOnLocalDisk } from './local-disk.ts'

describe('isOnLocalDisk', () => {
  it('does not count what no disk has, and what is not there', async () => {
    expect(await isOnLocalDisk('/proc/self')).toBe(false)
    expect(await isOnLocalDisk('/no/such/file')).toBe(false)
  })

  // Linux has it nearly always, in memory.
  it.skipIf(!existsSync('/dev/shm'))('counts the memory of this machine', async () => {
    expect(await isOnLocalDisk('/dev/shm')).toBe(true)
  })
})

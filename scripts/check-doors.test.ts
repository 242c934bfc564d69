import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkDoors, MAX_NAMES, namesThroughDoors } from './check-doors.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

describe('the doors of the packages', () => {
  it('are few, and all in use', () => {
    expect(checkDoors(root)).toEqual([])
  })

  it('let no more names pass than they do today', () => {
    const used = namesThroughDoors(root, readdirSync(join(root, 'packages')))
    expect([...used.values()].reduce((sum, names) => sum + names.size, 0)).toBe(MAX_NAMES)
  })
})

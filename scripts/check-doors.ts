// The check of the doors of the packages: each entry of `exports` is a file that another package imports, there are at
// most 8 in `model` and 5 elsewhere, and the names that pass through all of them do not become more. Run by the test
// beside this file, hence by `npm test` and `npm run check`.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const MAX_DOORS: Readonly<Record<string, number>> = { model: 7 }
const MAX_DOORS_ELSEWHERE = 5
/** The names that pass through doors today; 400 is the aim. */
export const MAX_NAMES = 722

/** `import { a, type B } from '@hyperslab/model/json'`; also what is exported again. */
const IMPORT = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(@hyperslab\/[a-z0-9/-]+)'/g

/** One line for each fault of a door. */
export function checkDoors(root: string): readonly string[] {
  const packages = readdirSync(join(root, 'packages'))
  const used = namesThroughDoors(root, packages)
  const faults: string[] = []
  for (const name of packages) {
    const manifest: { exports?: Record<string, string> } = JSON.parse(
      readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'),
    )
    const doors = Object.keys(manifest.exports ?? {})
    const limit = MAX_DOORS[name] ?? MAX_DOORS_ELSEWHERE
    if (doors.length > limit) faults.push(`${name} has ${doors.length} doors, ${limit} are allowed`)
    for (const door of doors.map(entry => `@hyperslab/${name}${entry.slice(1)}`))
      if (!used.has(door)) faults.push(`nothing imports ${door}`)
  }
  const count = [...used.values()].reduce((sum, names) => sum + names.size, 0)
  if (count > MAX_NAMES) faults.push(`${count} names pass through doors, ${MAX_NAMES} are allowed`)
  return faults
}

/** The names that packages import through each door, tests left out. */
export function namesThroughDoors(
  root: string,
  packages: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map<string, Set<string>>()
  for (const name of packages) {
    const folder = join(root, 'packages', name)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/(?<!\.test|\.d)\.tsx?$/.test(entry.name)) continue
      const source = readFileSync(join(entry.parentPath, entry.name), 'utf8')
      for (const [, list = '', door = ''] of source.matchAll(IMPORT)) {
        const names = used.get(door) ?? used.set(door, new Set()).get(door)
        for (const one of list.split(',')) {
          const [imported = ''] = one
            .trim()
            .replace(/^type /, '')
            .split(' as ')
          if (imported !== '') names?.add(imported.trim())
        }
      }
    }
  }
  return used
}

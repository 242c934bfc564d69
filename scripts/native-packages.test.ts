// The compiled parts of packages: npm runs no script at the installation, so each of them must have been built, for
// Linux on both kinds of processors that the image is for.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

interface Package {
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const lock: { readonly packages: Readonly<Record<string, Package>> } = JSON.parse(
  readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
)
const used = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && dev !== true)

/** The builds that a package names, each a package of its own for a system and a processor. */
function buildsOf({ optionalDependencies = {} }: Package): readonly Package[] {
  return Object.keys(optionalDependencies).flatMap(name => {
    const found = lock.packages[`node_modules/${name}`]
    return found?.os && found.cpu ? [found] : []
  })
}

const native = used.filter(([, item]) => item.hasInstallScript || buildsOf(item).length > 0)

it('there are compiled parts, and each package that would compile one at its installation has builds', () => {
  expect(native.map(([path]) => path)).toContain('node_modules/lmdb')
  expect(native.filter(([, item]) => buildsOf(item).length === 0)).toEqual([])
})

describe.each(native)('%s', (_, item) => {
  it.each(['x64', 'arm64'])('has a build for Linux and glibc on %s', processor => {
    const fitting = buildsOf(item).filter(
      ({ os, cpu, libc }) =>
        os?.includes('linux') && cpu?.includes(processor) && (libc === undefined || libc.includes('glibc')),
    )
    expect(fitting).toHaveLength(1)
  })
})

it.each(['x64', 'arm64'])('the repaired part of lmdb has a build for %s', processor => {
  const folder = join(ROOT, 'native/lmdb/prebuilds', `linux-${processor}`)
  expect(existsSync(join(folder, 'node.napi.glibc.node'))).toBe(true)
})

import { expect, it } from 'vitest'
import { writeTransaction } from './lmdb.ts'

const BUILDS = ['linux-x64', 'linux-arm64']
const { platform, arch } = process
const libraries = () =>
  (process.report.getReport() as { readonly sharedObjects: readonly string[] }).sharedObjects

it.runIf(BUILDS.includes(`${platform}-${arch}`) && !libraries().some(path => path.includes('ld-musl')))(
  'loads the repaired build, and leaves the environment as it was',
  () => {
    expect(libraries()).toContainEqual(expect.stringMatching(/native.lmdb.prebuilds.*\.node$/))
    expect(writeTransaction).toBeTypeOf('function')
    expect(process.env).not.toHaveProperty('LMDB_PREBUILD')
  },
)

// The layers of the project as data, and the check that every import of every .ts and .tsx file keeps to them
// (ARCHITECTURE.md has the reasons). Run by the test beside this file, hence by `npm test` and `npm run check`.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'

interface Layer {
  /** A folder with a slash at its end, or one file; the first row that fits a file is its layer. */
  readonly path: string
  /** Layers, folders or files of the project that it may import. */
  readonly may: readonly string[]
  /** Files that it may import types from, and nothing else. */
  readonly mayTypes?: readonly string[]
  /** Modules of Node that it may import. */
  readonly node: 'none' | 'any' | readonly string[]
  /** Packages that it may import. */
  readonly packages: 'none' | 'any'
}

export const LAYERS: readonly Layer[] = [
  { path: 'src/errors.ts', may: [], node: 'none', packages: 'none' },
  { path: 'src/nearest-name.ts', may: [], node: 'none', packages: 'none' },
  { path: 'src/bounded/', may: ['src/bounded/'], node: 'none', packages: 'none' },
  { path: 'src/durable-file.ts', may: [], node: 'any', packages: 'none' },
  { path: 'src/seal.ts', may: [], node: ['node:crypto'], packages: 'none' },
  {
    path: 'src/outgoing/',
    may: ['src/outgoing/'],
    node: ['node:http', 'node:https', 'node:timers/promises'],
    packages: 'none',
  },
  {
    path: 'src/s3/',
    may: ['src/s3/', 'src/errors.ts', 'src/outgoing/'],
    node: ['node:fs'],
    packages: 'any',
  },
  {
    path: 'src/hdf5/',
    // The last two are rules of the page, too.
    may: ['src/hdf5/', 'src/errors.ts', 'client/complex-numbers.ts', 'client/numpy-dates.ts'],
    node: 'none',
    packages: 'none',
  },
  {
    path: 'src/filters/',
    may: ['src/filters/', 'src/hdf5/', 'src/errors.ts'],
    node: ['node:zlib'],
    packages: 'any',
  },
  {
    path: 'src/zarr/',
    may: ['src/zarr/', 'src/filters/', 'src/hdf5/', 'src/errors.ts', 'client/numpy-dates.ts'],
    node: 'none',
    packages: 'none',
  },
  {
    path: 'src/formats/',
    may: ['src/formats/', 'src/hdf5/', 'src/errors.ts', 'src/bounded/', 'client/numpy-dates.ts'],
    node: ['node:stream', 'node:zlib'],
    packages: 'any',
  },
  {
    path: 'src/h5file/',
    may: ['src/h5file/', 'src/filters/', 'src/hdf5/', 'src/errors.ts', 'src/bounded/'],
    node: 'none',
    packages: 'any',
  },
  {
    path: 'src/chunks/',
    may: ['src/chunks/', 'src/filters/', 'src/hdf5/', 'src/errors.ts', 'src/bounded/'],
    node: ['node:os', 'node:v8', 'node:vm', 'node:worker_threads'],
    packages: 'none',
  },
  {
    path: 'src/storage/',
    may: [
      'src/storage/',
      'src/chunks/',
      'src/filters/',
      'src/hdf5/',
      'src/s3/',
      'src/errors.ts',
      'src/outgoing/',
      'src/bounded/',
      'src/durable-file.ts',
    ],
    node: 'any',
    packages: 'any',
  },
  {
    path: 'src/service/',
    may: [
      'src/service/',
      'src/zarr/',
      'src/filters/',
      'src/hdf5/',
      'src/errors.ts',
      'src/bounded/',
      // Rules of the page, too.
      'client/absent-numbers.ts',
      'client/default-plot.ts',
    ],
    mayTypes: ['src/storage/store.ts', 'src/transfer/store-target.ts', 'src/transfer/whole-files.ts'],
    node: 'none',
    packages: 'none',
  },
  {
    path: 'src/http/',
    may: [
      'src/http/',
      'src/nearest-name.ts',
      'src/seal.ts',
      'src/service/',
      'src/formats/',
      'src/hdf5/',
      'src/errors.ts',
      'src/bounded/',
    ],
    mayTypes: ['src/transfer/whole-files.ts'],
    node: 'any',
    packages: 'any',
  },
  {
    path: 'src/accounts/',
    may: [
      'src/accounts/',
      'src/service/accounts.ts',
      'src/service/logins.ts',
      'src/service/providers.ts',
      'src/seal.ts',
      'src/storage/',
      'src/h5file/',
      'src/hdf5/',
      'src/errors.ts',
      'src/bounded/',
    ],
    node: 'any',
    packages: 'any',
  },
  {
    path: 'src/oidc/',
    may: ['src/oidc/', 'src/service/providers.ts', 'src/errors.ts', 'src/outgoing/'],
    node: ['node:fs/promises', 'node:timers/promises'],
    packages: 'any',
  },
  {
    path: 'src/transfer/',
    may: [
      'src/transfer/',
      'src/storage/',
      'src/chunks/',
      'src/h5file/',
      'src/filters/',
      'src/hdf5/',
      'src/errors.ts',
      'src/bounded/',
    ],
    node: 'any',
    packages: 'any',
  },
  {
    path: 'src/mounts/',
    may: [
      'src/mounts/',
      'src/transfer/',
      'src/storage/',
      'src/chunks/',
      'src/h5file/',
      'src/filters/',
      'src/hdf5/',
      'src/s3/',
      'src/errors.ts',
      'src/outgoing/',
      'src/bounded/',
    ],
    node: 'any',
    packages: 'any',
  },
  { path: 'src/cli/', may: ['src/', 'client/'], node: 'any', packages: 'any' },
  // It runs in browsers, and is a package of its own to others.
  { path: 'client/', may: ['client/'], node: 'none', packages: 'none' },
  // The page has no other way to the service than the client.
  { path: 'web/', may: ['web/', 'client/'], node: 'none', packages: 'any' },
  // Servers of others that tests start.
  { path: 'test/servers/', may: ['test/servers/'], node: 'any', packages: 'any' },
  // Black box: the suite must run against any server, so it knows nothing of ours.
  { path: 'test/wire/', may: ['test/wire/', 'test/servers/', 'client/'], node: 'any', packages: 'any' },
  { path: 'test/clients/', may: ['test/clients/', 'test/wire/'], node: 'any', packages: 'any' },
  {
    path: 'test/browser/',
    may: ['test/browser/', 'test/wire/', 'test/servers/', 'client/'],
    node: 'any',
    packages: 'any',
  },
  { path: 'test/', may: ['src/', 'test/'], node: 'any', packages: 'any' },
  { path: 'bench/', may: ['src/', 'bench/', 'dist/'], node: 'any', packages: 'any' },
  { path: 'scripts/', may: ['scripts/'], node: 'any', packages: 'any' },
  { path: 'vitest.config.ts', may: [], node: 'any', packages: 'any' },
]

/** The top of the tree: only files in it may import it. */
const NEVER_IMPORTED = 'src/cli/'

interface Import {
  readonly specifier: string
  readonly line: number
  readonly typeOnly: boolean
}

/** `import`, `export ... from`, `import()` and `import type`, whatever lines they span. */
const IMPORT =
  /(?<=^|[;\n}])\s*(?:import|export)\s+(type\s)?(?:[\w*\s{},$]*?\bfrom\s*)?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/g

export function importsOf(source: string): readonly Import[] {
  const withoutComments = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, comment =>
    comment.replace(/[^\n]/g, ' '),
  )
  return [...withoutComments.matchAll(IMPORT)].map(match => ({
    specifier: match[2] ?? match[3] ?? '',
    line: withoutComments.slice(0, (match.index ?? 0) + match[0].length).split('\n').length,
    typeOnly: match[1] !== undefined,
  }))
}

/** The rule that the import breaks, or undefined. `file` is a path from the project's folder with slashes. */
export function violation(file: string, { specifier, typeOnly }: Import): string | undefined {
  const target = specifier.startsWith('.')
    ? posix.normalize(posix.join(posix.dirname(file), specifier))
    : undefined
  const mayImportTop = [NEVER_IMPORTED, 'test/', 'bench/'].some(folder => file.startsWith(folder))
  if (target?.startsWith(NEVER_IMPORTED) && !mayImportTop) return `nothing may import ${NEVER_IMPORTED}`
  // A unit test may import any part.
  if (file.startsWith('src/') && file.endsWith('.test.ts')) return undefined
  const layer = LAYERS.find(({ path }) => file === path || (path.endsWith('/') && file.startsWith(path)))
  if (!layer) return 'the file belongs to no layer: add one to scripts/check-layers.ts'
  if (target !== undefined) {
    if (layer.may.some(path => target === path || (path.endsWith('/') && target.startsWith(path))))
      return undefined
    if (!layer.mayTypes?.includes(target)) return `${layer.path} may not import ${target}`
    return typeOnly ? undefined : `${layer.path} may import only types from ${target}`
  }
  if (specifier.startsWith('node:')) {
    const allowed = layer.node === 'any' || (layer.node !== 'none' && layer.node.includes(specifier))
    return allowed ? undefined : `${layer.path} may not import ${specifier}`
  }
  return layer.packages === 'any' ? undefined : `${layer.path} may not import the package ${specifier}`
}

const FOLDERS = ['src', 'client', 'web/src', 'test', 'bench', 'scripts']

/** One line for every import that breaks a layer, in every .ts and .tsx file of the project. */
export function checkLayers(root: string): readonly string[] {
  const found: string[] = []
  for (const file of typescriptFiles(root, FOLDERS)) {
    for (const entry of importsOf(readFileSync(join(root, file), 'utf8'))) {
      const broken = violation(file, entry)
      if (broken) found.push(`${file}:${entry.line}: ${broken}`)
    }
  }
  return found
}

function typescriptFiles(root: string, folders: readonly string[]): readonly string[] {
  return folders
    .flatMap(folder => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map(entry =>
      relative(root, join(entry.parentPath ?? dirname(entry.path), entry.name))
        .split(sep)
        .join('/'),
    )
    .sort()
}

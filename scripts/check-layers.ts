// The layers of the project as data, and the check that every import of every .ts and .tsx file keeps to them
// (ARCHITECTURE.md has the reasons). Run by the test beside this file, hence by `npm test` and `npm run check`.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'

interface Layer {
  /** A folder with a slash at its end, or one file; the first row that fits a file is its layer. */
  readonly path: string
  /** Folders and files of its package, and doors of others, that it may import. */
  readonly may: readonly string[]
  /** Doors that it may import types from, and nothing else. */
  readonly mayTypes?: readonly string[]
  /** Modules of Node that it may import. */
  readonly node: 'none' | 'any' | readonly string[]
  /** Packages that it may import. */
  readonly packages: 'none' | 'any'
}

const ERRORS = '@hyperslab/base/errors'
const BOUNDED = '@hyperslab/base/bounded'
const CLOCK = '@hyperslab/base/clock'
const MODEL = '@hyperslab/model/'

export const LAYERS: readonly Layer[] = [
  { path: 'packages/base/durable-file.ts', may: [], node: 'any', packages: 'none' },
  { path: 'packages/base/system-code.ts', may: [], node: ['node:os'], packages: 'none' },
  {
    path: 'packages/base/outgoing/',
    may: ['packages/base/outgoing/', 'packages/base/clock.ts'],
    node: ['node:http', 'node:https'],
    packages: 'none',
  },
  { path: 'packages/base/s3/', may: ['packages/base/'], node: ['node:fs'], packages: 'any' },
  { path: 'packages/base/', may: ['packages/base/'], node: 'none', packages: 'none' },
  { path: 'packages/meaning/colour-maps.ts', may: [], node: 'none', packages: 'any' },
  { path: 'packages/meaning/', may: ['packages/meaning/'], node: 'none', packages: 'none' },
  {
    path: 'packages/model/',
    may: ['packages/model/', '@hyperslab/meaning/', ERRORS],
    node: 'none',
    packages: 'none',
  },
  {
    path: 'packages/h5/filters/',
    may: ['packages/h5/filters/', MODEL, ERRORS],
    node: 'none',
    packages: 'any',
  },
  {
    path: 'packages/h5/',
    may: ['packages/h5/', MODEL, ERRORS, BOUNDED, CLOCK],
    node: 'none',
    packages: 'none',
  },
  {
    path: 'packages/store/chunks/',
    may: ['packages/store/chunks/', '@hyperslab/h5/filters', MODEL, ERRORS, BOUNDED],
    node: ['node:os', 'node:v8', 'node:vm', 'node:worker_threads', 'node:zlib'],
    packages: 'any',
  },
  {
    path: 'packages/store/',
    may: ['packages/store/', '@hyperslab/h5/filters', MODEL, '@hyperslab/base/'],
    node: 'any',
    packages: 'any',
  },
  {
    path: 'packages/views/zarr/',
    may: ['packages/views/zarr/', '@hyperslab/h5/filters', MODEL, '@hyperslab/meaning/', ERRORS],
    node: ['node:zlib'],
    packages: 'none',
  },
  {
    path: 'packages/views/',
    may: ['packages/views/', MODEL, '@hyperslab/meaning/', ERRORS, BOUNDED],
    node: ['node:stream', 'node:zlib'],
    packages: 'any',
  },
  {
    path: 'packages/files/transfer/',
    may: ['packages/files/transfer/', '@hyperslab/store/', '@hyperslab/h5/', MODEL, ERRORS, BOUNDED],
    node: 'any',
    packages: 'any',
  },
  {
    path: 'packages/files/',
    may: [
      'packages/files/',
      '@hyperslab/store/',
      '@hyperslab/h5/',
      MODEL,
      '@hyperslab/meaning/',
      '@hyperslab/base/',
    ],
    node: 'any',
    packages: 'any',
  },
  { path: 'packages/server/nearest-name.ts', may: [], node: 'none', packages: 'none' },
  { path: 'packages/server/seal.ts', may: [], node: ['node:crypto'], packages: 'none' },
  {
    path: 'packages/server/service/',
    may: [
      'packages/server/service/',
      '@hyperslab/views/zarr',
      '@hyperslab/h5/filters',
      '@hyperslab/meaning/',
      MODEL,
      ERRORS,
      BOUNDED,
      CLOCK,
    ],
    mayTypes: ['@hyperslab/store/store', '@hyperslab/files/import', '@hyperslab/files/export'],
    node: 'none',
    packages: 'none',
  },
  {
    path: 'packages/server/http/',
    may: [
      'packages/server/http/',
      'packages/server/nearest-name.ts',
      'packages/server/seal.ts',
      'packages/server/service/',
      '@hyperslab/views/formats',
      '@hyperslab/meaning/',
      '@hyperslab/base/files',
      MODEL,
      ERRORS,
      BOUNDED,
      CLOCK,
    ],
    mayTypes: ['@hyperslab/store/store', '@hyperslab/files/export'],
    node: 'any',
    packages: 'any',
  },
  {
    path: 'packages/server/accounts/',
    may: [
      'packages/server/accounts/',
      'packages/server/service/accounts.ts',
      'packages/server/service/logins.ts',
      'packages/server/service/providers.ts',
      'packages/server/service/user-names.ts',
      'packages/server/seal.ts',
      '@hyperslab/store/',
      '@hyperslab/h5/reader',
      MODEL,
      ERRORS,
      BOUNDED,
      CLOCK,
    ],
    node: 'any',
    packages: 'any',
  },
  {
    path: 'packages/server/oidc/',
    may: [
      'packages/server/oidc/',
      'packages/server/service/providers.ts',
      ERRORS,
      CLOCK,
      '@hyperslab/base/outgoing',
    ],
    node: ['node:fs/promises'],
    packages: 'any',
  },
  { path: 'packages/server/', may: ['packages/server/', '@hyperslab/'], node: 'any', packages: 'any' },
  // It runs in browsers, and is a package of its own to others.
  {
    path: 'packages/client/',
    may: ['packages/client/', '@hyperslab/meaning/'],
    node: 'none',
    packages: 'none',
  },
  // The page has no other way to the service than the client.
  {
    path: 'packages/page/',
    may: ['packages/page/', '@hyperslab/client', '@hyperslab/client/elements', '@hyperslab/meaning/'],
    node: 'none',
    packages: 'any',
  },
  // Servers of others that tests start.
  { path: 'test/servers/', may: ['test/servers/'], node: 'any', packages: 'any' },
  // Black box: the suite must run against any server, so it knows nothing of ours.
  {
    path: 'test/wire/',
    may: ['test/wire/', 'test/servers/', 'packages/client/'],
    node: 'any',
    packages: 'any',
  },
  { path: 'test/clients/', may: ['test/clients/', 'test/wire/'], node: 'any', packages: 'any' },
  {
    path: 'test/browser/',
    may: ['test/browser/', 'test/wire/', 'test/servers/', 'packages/client/'],
    node: 'any',
    packages: 'any',
  },
  { path: 'test/', may: ['packages/', 'test/', '@hyperslab/'], node: 'any', packages: 'any' },
  { path: 'bench/', may: ['packages/', 'bench/', 'dist/', '@hyperslab/'], node: 'any', packages: 'any' },
  { path: 'scripts/', may: ['scripts/', 'pages/'], node: 'any', packages: 'any' },
  { path: 'vitest.config.ts', may: [], node: 'any', packages: 'any' },
]

/** The top of the tree: only files in it may import it. */
const NEVER_IMPORTED = 'packages/server/cli/'

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

/** The path of a file of the project, a door of a package, or undefined. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('@hyperslab/')) return specifier
  return specifier.startsWith('.') ? posix.normalize(posix.join(posix.dirname(file), specifier)) : undefined
}

/** The rule that the import breaks, or undefined. `file` is a path from the project's folder with slashes. */
export function violation(file: string, { specifier, typeOnly }: Import): string | undefined {
  const target = targetOf(file, specifier)
  const mayImportTop = [NEVER_IMPORTED, 'test/', 'bench/'].some(folder => file.startsWith(folder))
  if (target?.startsWith(NEVER_IMPORTED) && !mayImportTop) return `nothing may import ${NEVER_IMPORTED}`
  // A unit test may import any part.
  if (file.startsWith('packages/') && file.endsWith('.test.ts')) return undefined
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

const FOLDERS = ['packages', 'test', 'bench', 'scripts']

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

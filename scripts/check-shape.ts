// The check of the shape of the packages: no cycles of imports (types count), functions of at most 60 lines, files of
// at most 400 lines of code, at most 25 names in a folder. Run by the test beside this file, hence by `npm test` and
// `npm run check`; subjects of commits are checked by `npm run check`.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { importsOf } from './check-layers.ts'

const MAX_FUNCTION_LINES = 60
const MAX_FILE_LINES = 400
const MAX_NAMES = 25
/** Made from the description of the API. */
const MADE = ['packages/client/api.ts']

/** One line for each fault of shape in a folder of packages. */
export function checkShape(root: string): readonly string[] {
  const files = sourcesIn(root, 'packages')
  const sources = new Map(files.map(file => [file, readFileSync(join(root, file), 'utf8')]))
  return [
    ...[...sources].flatMap(([file, source]) => [...longFunctions(file, source), ...longFile(file, source)]),
    ...fullFolders(files),
    ...cycles(sources).map(cycle => `a cycle of imports: ${cycle.join(', ')}`),
  ]
}

function sourcesIn(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /(?<!\.test|\.d)\.tsx?$/.test(entry.name))
    .map(entry => posix.join(folder, entry.parentPath.slice(join(root, folder).length), entry.name))
    .filter(file => !/\/(node_modules|dist|test)\//.test(file) && !MADE.includes(file))
    .sort()
}

function longFile(file: string, source: string): readonly string[] {
  const code = source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter(line => !/^\s*(\/\/.*)?$/.test(line))
  return code.length > MAX_FILE_LINES ? [`${file}: ${code.length} lines of code`] : []
}

export function longFunctions(file: string, source: string): readonly string[] {
  const found: string[] = []
  const visit = (node: unknown, name: string): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, start, end, id, key } = node as Record<string, unknown>
    const own = (id as { name?: string } | null)?.name ?? (key as { name?: string } | null)?.name ?? name
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(String(type))) {
      const lines = source.slice(Number(start), Number(end)).split('\n').length
      if (lines > MAX_FUNCTION_LINES) found.push(`${file}: ${own} has ${lines} lines`)
    }
    for (const child of Object.values(node)) visit(child, own)
  }
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file), 'a function')
  return found
}

/** A file and its test are one name. */
function fullFolders(files: readonly string[]): readonly string[] {
  const names = new Map<string, Set<string>>()
  for (const file of files)
    for (let path: string = file; path.includes('/'); path = dirname(path))
      names.set(dirname(path), (names.get(dirname(path)) ?? new Set()).add(path))
  return [...names]
    .filter(([, { size }]) => size > MAX_NAMES)
    .map(([folder, { size }]) => `${folder}: ${size} names`)
}

/** The groups of files of which each imports each other, directly or by others (Tarjan). */
export function cycles(sources: ReadonlyMap<string, string>): readonly (readonly string[])[] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (file: string): void => {
    const at = order.size
    order.set(file, at)
    low.set(file, at)
    stack.push(file)
    for (const { specifier } of importsOf(sources.get(file) ?? '')) {
      const next = targetOf(file, specifier)
      if (!sources.has(next)) continue
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) ?? 0, low.get(next) ?? 0))
    }
    if (low.get(file) !== at) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) found.push(group)
  }
  for (const file of sources.keys()) if (!order.has(file)) visit(file)
  return found
}

/** The file that an import of the project names. */
function targetOf(file: string, specifier: string): string {
  const door = /^@hyperslab\/([^/]+)(?:\/(.+))?$/.exec(specifier)
  if (door) return `packages/${door[1]}/${door[2] ?? 'index'}.ts`
  return posix.join(posix.dirname(file), specifier)
}

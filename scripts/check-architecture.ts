// The check that ARCHITECTURE.md, "Layers", says the same as check-layers.ts: its drawing has every layer above those
// that it may import, and its table lists these. Run by the test beside this file, hence by `npm test` and `npm run
// check`.

import { LAYERS } from './check-layers.ts'

const DRAWING = /^## Layers\n[\s\S]*?^```\n([\s\S]*?)^```$/m
/** A part and the column of what it may import. */
const ROW = /^\| `([^`]+)` \|[^|]*\|([^|]*)\|$/gm
/** They are drawn, and hold no TypeScript. */
const WITHOUT_CODE = ['pages']

const DRAWN = LAYERS.filter(({ path }) => path !== 'vitest.config.ts')

/** How the page calls a layer or a file: without `src`, and without the ending. */
function nameOf(path: string): string {
  return path.replace(/^src\//, '').replace(/\/$|\.ts$/, '')
}

/** One line for every difference between the page and the layers. */
export function checkArchitecture(page: string): readonly string[] {
  return [...checkDrawing(page), ...checkTable(page)]
}

function checkDrawing(page: string): readonly string[] {
  const rows = DRAWING.exec(page)?.[1]?.trim().split('\n') ?? []
  const rowOf = new Map(rows.flatMap((row, at) => row.split(/\s+/).map(name => [name, at] as const)))
  const names = [...DRAWN.map(({ path }) => nameOf(path)), ...WITHOUT_CODE]
  const missing = names.filter(name => !rowOf.has(name))
  const added = [...rowOf.keys()].filter(name => !names.includes(name))
  return [
    ...missing.map(name => `the drawing lacks ${name}`),
    ...added.map(name => `the drawing has ${name}, which is not a layer`),
    ...DRAWN.flatMap(({ path, may }) =>
      DRAWN.filter(other => other.path !== path && may.some(allowed => isPartOf(other.path, allowed)))
        .map(other => nameOf(other.path))
        .filter(name => (rowOf.get(name) ?? Infinity) <= (rowOf.get(nameOf(path)) ?? -1))
        .map(name => `${nameOf(path)} may import ${name}, which is not drawn below it`),
    ),
  ]
}

/** Whether an import of `allowed` is one of the layer. */
function isPartOf(layer: string, allowed: string): boolean {
  return layer.startsWith(allowed) || (allowed.endsWith('.ts') && allowed.startsWith(layer))
}

function checkTable(page: string): readonly string[] {
  const columns = new Map(
    [...page.matchAll(ROW)].map(([, part = '', column = '']) => [part, column] as const),
  )
  return DRAWN.filter(({ path }) => path.startsWith('src/') && path !== 'src/cli/').flatMap(
    ({ path, may }) => {
      const column = columns.get(path)
      if (column === undefined) return [`the table lacks ${path}`]
      const named = [...column.matchAll(/`([^`]+)`/g)].map(([, name = '']) => nameOf(name))
      const allowed = may.filter(target => target !== path).map(nameOf)
      const missing = allowed.filter(name => !named.includes(name))
      const added = named.filter(name => !allowed.includes(name))
      return [
        ...missing.map(name => `the table does not say that ${path} may import ${name}`),
        ...added.map(name => `the table says that ${path} may import ${name}`),
      ]
    },
  )
}

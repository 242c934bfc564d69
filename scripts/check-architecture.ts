// The checks of ARCHITECTURE.md: its drawing of "Packages" has every part above those that it may import, as
// check-layers.ts has it, and the files that it, the READMEs of the packages and CONTRIBUTING.md name exist. Run by the
// test beside this file, hence by `npm test` and `npm run check`.

import { LAYERS } from './check-layers.ts'

const DRAWING = /^## Packages\n[\s\S]*?^```\n([\s\S]*?)^```$/m
/** They are drawn, and hold no TypeScript. */
const WITHOUT_CODE = ['pages']

/** How the page calls the part of a layer, a file or a door: a package by its name, another folder by its path. */
function partOf(path: string): string {
  const [, name] = /^(?:packages|@hyperslab)\/([^/]+)/.exec(path) ?? []
  return name ?? path.replace(/\/$/, '')
}

const DRAWN = LAYERS.filter(({ path }) => path !== 'vitest.config.ts')

/** One line for every difference between the page and the layers. */
export function checkArchitecture(page: string): readonly string[] {
  const rows = DRAWING.exec(page)?.[1]?.trim().split('\n') ?? []
  const rowOf = new Map(rows.flatMap((row, at) => row.split(/\s+/).map(name => [name, at] as const)))
  const parts = [...new Set([...DRAWN.map(({ path }) => partOf(path)), ...WITHOUT_CODE])]
  const arrows = DRAWN.flatMap(({ path, may }) =>
    may
      .flatMap(allowed => parts.filter(part => isPartOf(part, allowed)))
      .map(part => [partOf(path), part] as const),
  )
  const wrong = arrows.filter(
    ([from, to]) => from !== to && (rowOf.get(to) ?? Infinity) <= (rowOf.get(from) ?? -1),
  )
  return [
    ...parts.filter(name => !rowOf.has(name)).map(name => `the drawing lacks ${name}`),
    ...[...rowOf.keys()]
      .filter(name => !parts.includes(name))
      .map(name => `the drawing has ${name}, which is not a part`),
    ...new Set(wrong.map(([from, to]) => `${from} may import ${to}, which is not drawn below it`)),
  ]
}

/** Whether an import of `allowed`, which may be all packages, is one of the part. */
function isPartOf(part: string, allowed: string): boolean {
  return /^(packages|@hyperslab)\/$/.test(allowed)
    ? !part.includes('/') && isPackage(part)
    : partOf(allowed) === part
}

function isPackage(part: string): boolean {
  return LAYERS.some(({ path }) => path.startsWith(`packages/${part}/`))
}

/** The paths and the files of the project in a page, `{a,b}` as two, that lead to nothing. */
export function missingPaths(page: string, exists: (path: string) => boolean): readonly string[] {
  const named = [
    ...page.matchAll(/`((?:packages|scripts|test|pages)\/[^`\s]*|[^`\s]+\.(?:tsx?|mjs))`/g),
  ].flatMap(([, path = '']) => {
    const [, before = '', list = '', after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [path, path, '']
    return list.split(',').map(part => `${before}${part}${after}`)
  })
  return [...new Set(named)].filter(path => !/[*<]|NAME/.test(path) && !exists(path))
}

// The check that nothing in the packages of the service asks the system for the time or sets a timer, except for
// packages/base/clock.ts: all else gets a clock, which a test can drive (docs/decisions/103). A turn of the event loop
// (setImmediate) is no time. Run by the test beside this file, hence by `npm test` and `npm run check`.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The page and the client run in browsers, which have clocks of their own. */
const PACKAGES = ['base', 'model', 'h5', 'store', 'meaning', 'views', 'files', 'server']
const CLOCK = 'packages/base/clock.ts'

/** Files that cannot get a clock, with the reason. */
const OTHERS: Readonly<Record<string, string>> = {
  'packages/store/engines/lmdb/write-lock.ts':
    'its thread, which is text, watches this one while it is blocked',
}

/** Functions of the system that depend on the time; a method of that name is one of something else. */
const SYSTEM_TIME =
  /(?<![\w.#])(?:new Date\(\)|(?:Date\.now|performance\.now|AbortSignal\.timeout|process\.(?:hrtime|uptime)|(?:set|clear)(?:Timeout|Interval))\b)|\bglobalThis\.(?:(?:set|clear)(?:Timeout|Interval)|Date|performance)\b/
/** Modules of Node with timers: only the turn of the event loop may come from them. */
const TIMERS = /import\s+([^'";]*?)\s+from\s+['"](?:node:)?timers(?:\/promises)?['"]/g
const ONLY_TURNS = /^\{\s*setImmediate(?:\s+as\s+\w+)?\s*\}$/

/** One message for each use of the time of the system in a source. */
export function findSystemTime(file: string, source: string): readonly string[] {
  if (file === CLOCK || file in OTHERS) return []
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, comment => comment.replace(/[^\n]/g, ' '))
  const uses = code
    .replace(TIMERS, '')
    .split('\n')
    .flatMap((line, index) => {
      const found = SYSTEM_TIME.exec(line)
      return found ? [`${file}:${index + 1}: ${found[0]}: take it from a clock (${CLOCK})`] : []
    })
  const imports = [...code.matchAll(TIMERS)].filter(([, names = '']) => !ONLY_TURNS.test(names))
  return [...uses, ...imports.map(([text]) => `${file}: ${text}: take timers from a clock (${CLOCK})`)]
}

/** The messages for all sources that are no tests. */
export function checkClock(root: string): readonly string[] {
  return PACKAGES.flatMap(name =>
    readdirSync(join(root, 'packages', name), { recursive: true, encoding: 'utf8' }).map(
      path => `packages/${name}/${path.replaceAll('\\', '/')}`,
    ),
  )
    .filter(file => file.endsWith('.ts') && !/\.test\.ts$|\/(node_modules|dist)\//.test(file))
    .sort()
    .flatMap(file => findSystemTime(file, readFileSync(join(root, file), 'utf8')))
}

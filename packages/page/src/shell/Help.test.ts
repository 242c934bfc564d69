import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SOURCES = fileURLToPath(new URL('..', import.meta.url))

function textOf(path: string): string {
  return readFileSync(`${SOURCES}${path}`, 'utf8')
}

test('the help has each key that the page listens to', () => {
  const help = textOf('shell/Help.tsx')
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(path =>
    /\.tsx?$/.test(path),
  )
  const keys = sources.flatMap(path =>
    Array.from(textOf(path).matchAll(/useShortcut\('(.)'/g), ([, key = '']) => key.toUpperCase()),
  )
  expect(keys.length).toBeGreaterThan(5)
  expect(keys.filter(key => !help.includes(`'${key}'`))).toEqual([])
})

// After a change of a mark or a title, run vitest with -u: docs/contract/classic-rules.md is made anew.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { checkRules, coveringTestsOf, formatRules, rulesOf } from './check-rules.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TESTS = 'test/wire/classic'

const PAGE = `
## 1. Conventions
A rule has a mark such as \`(!a)\`.
### 6.4 DELETE /groups/<id>
- Links go (!a), objects stay (!b).
| status (!c) | 200 |
`

describe('check-rules', () => {
  test('rules are marks outside code, with the number of their section', () => {
    expect(rulesOf(PAGE)).toEqual(['6.4a', '6.4b', '6.4c'])
  })

  test('titles of tests and of rows begin with the rules that they cover', () => {
    const source = `
      test('classic 6.4a, 6.4b: a client\\'s links', async () => {})
      test.each([['classic 6.4c: status', 200]])('classic 6.4: %s', () => {})
      test(\`classic 10b: "|"\`, () => {})`
    expect(coveringTestsOf('x.test.ts', source)).toEqual([
      { file: 'x.test.ts', title: "a client's links", rules: ['6.4a', '6.4b'] },
      { file: 'x.test.ts', title: 'status', rules: ['6.4c'] },
      { file: 'x.test.ts', title: '"|"', rules: ['10b'] },
    ])
  })

  test('a rule without a test, one that is marked twice and a title without a rule are errors', () => {
    const covering = { file: 'x.test.ts', title: 't', rules: ['6.4a', '6.4z'] }
    expect(checkRules(['6.4a', '6.4b', '6.4a'], [covering])).toEqual([
      '6.4a is marked twice',
      '6.4b has no test',
      'x.test.ts: "t" cites 6.4z, which is no rule',
    ])
  })
})

test('every rule of docs/contract/classic.md has a test, and classic-rules.md says which', async () => {
  const rules = rulesOf(readFileSync(join(ROOT, 'docs/contract/classic.md'), 'utf8'))
  const files = readdirSync(join(ROOT, TESTS)).filter(name => name.endsWith('.test.ts'))
  const tests = files.flatMap(name =>
    coveringTestsOf(`${TESTS}/${name}`, readFileSync(join(ROOT, TESTS, name), 'utf8')),
  )
  expect(checkRules(rules, tests)).toEqual([])
  await expect(formatRules(rules, tests)).toMatchFileSnapshot('../docs/contract/classic-rules.md')
})

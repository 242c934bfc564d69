import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkCitations, citationsIn, oldFormsIn, sectionsOf } from './check-citations.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

describe('citations of the contract', () => {
  it('lead to its headings and to pages of decisions, in every file', () => {
    expect(checkCitations(root)).toEqual([])
  })

  it.each([
    ['as classic 6.5 says', ['classic 6.5']],
    ['(hsds-values 7.4 and 8; common 5)', ['hsds-values 7.4', 'hsds-values 8', 'common 5']],
    ['(classic 7.9, 7.10, 15.2 and 16)', ['classic 7.9', 'classic 7.10', 'classic 15.2', 'classic 16']],
    ['hsds-objects 11.5 to 11.8', ['hsds-objects 11.5', 'hsds-objects 11.8']],
    ['// of specification\n// 5.4, clause by clause', ['specification 5.4']],
    ['/**\n * (hsds-values 8\n * and 9)', ['hsds-values 8', 'hsds-values 9']],
    ['Clients 3.4 says', ['clients 3.4']],
    ['why: docs/decisions/012, [012](../decisions/012-x.md)', ['docs/decisions/012', 'docs/decisions/012']],
    ['1,000 clients of 5 users', []],
    ['the specification of 2015', []],
  ])('are found in %j', (text, expected) => {
    expect(citationsIn(text).map(({ cited }) => cited)).toEqual(expected)
  })

  it('tell their line', () => {
    expect(citationsIn('a\nb classic 6.5\n')).toEqual([{ cited: 'classic 6.5', line: 2 }])
  })

  it.each([
    'contract 10, 6.5',
    'contracts 20 and 30',
    '// contract\n// 30, 9',
    'a rule (20, 1.2)',
    'a rule (30 7.5)',
    'a rule; 35, 8.3',
    'contract 00, decision 7',
    'decision 19: PUT of several items',
    'seed 2.1, fields',
    '`stack.md`',
  ])('do not have the old form %j', text => {
    expect(oldFormsIn(text)).not.toEqual([])
  })

  it.each(['resize(20, 1.5)', 'seed 20_261_121', 'a decision (docs/decisions/012)', 'range of 10, 20.5'])(
    'are not seen in %j',
    text => {
      expect(oldFormsIn(text)).toEqual([])
    },
  )

  it('can name the numbers of headings', () => {
    expect(sectionsOf('# Title\n\n## 6. Groups\n\n### 6.5 GET\n\n6.6 text\n')).toEqual(['6', '6.5'])
  })
})

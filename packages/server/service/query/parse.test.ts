import { HyperslabError } from '@hyperslab/base/errors'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery, type QueryGrammar } from './parse.ts'
import type { Condition, Literal } from './query.ts'

/** A condition on one line, every operation in parentheses. */
function shown(condition: Condition): string {
  switch (condition.kind) {
    case 'comparison':
      return `${condition.field.name} ${condition.comparator} ${shownLiteral(condition.literal)}`
    case 'membership':
      return `${condition.field.name} in [${condition.literals.map(shownLiteral).join(' ')}]`
    case 'not':
      return `not(${shown(condition.operand)})`
    default:
      return `${condition.kind}(${condition.operands.map(shown).join(', ')})`
  }
}

function shownLiteral(literal: Literal): string {
  if (literal.kind === 'text') return `'${Buffer.from(literal.bytes).toString('latin1')}'`
  return typeof literal.value === 'bigint' ? `${literal.value}n` : `${literal.value}`
}

function parsed(text: string, grammar: QueryGrammar): string {
  try {
    return shown(parseQuery(text, grammar).condition)
  } catch (error) {
    if (error instanceof HyperslabError && error.code === 'malformed-query') return error.message
    throw error
  }
}

describe('the hsds grammar', () => {
  it.each([
    // Queries that hsds-values 11.2 accepts.
    ["stock_symbol == b'AAPL'", "stock_symbol == 'AAPL'"],
    ['(open > 3000) & (open < 3100)', 'and(open > 3000, open < 3100)'],
    [
      "open < 4000 where stock_symbol in (b'AAPL', b'EBAY')",
      "and(open < 4000, stock_symbol in ['AAPL' 'EBAY'])",
    ],
    ["where stock_symbol in (b'AAPL', b'EBAY')", "stock_symbol in ['AAPL' 'EBAY']"],
    ['open == 0', 'open == 0'],
    ["temp > 20 AND station IN ('N1', 'N2')", "and(temp > 20, station in ['N1' 'N2'])"],
    ['NOT (_ >= -1.5) OR _ == 7', 'or(not(_ >= -1.5), _ == 7)'],
    // Precedence: NOT, AND, XOR, OR; words in any letter case.
    ['a==1 or b==2 and c==3', 'or(a == 1, and(b == 2, c == 3))'],
    ['a==1 xor b==2 and c==3 xor d==4', 'xor(a == 1, and(b == 2, c == 3), d == 4)'],
    ['a==1 Or b==2 XoR c==3', 'or(a == 1, xor(b == 2, c == 3))'],
    ['not a==1 aNd b==2', 'and(not(a == 1), b == 2)'],
    ['NOT NOT a==1', 'not(not(a == 1))'],
    ['NOT (a==1 | b==2) & c==3', 'and(not(or(a == 1, b == 2)), c == 3)'],
    ['((a==1))', 'a == 1'],
    ['a==1|b==2|c==3', 'or(a == 1, b == 2, c == 3)'],
    ['a==1 OR b==2 where c in (1,2)', 'and(or(a == 1, b == 2), c in [1 2])'],
    // Lists.
    ['f not in (1, -2, 3.5)', 'not(f in [1 -2 3.5])'],
    ['f IN (N1, N2, two words)', "f in ['N1' 'N2' 'two words']"],
    ['NOT f IN (1)', 'not(f in [1])'],
    ["where 'f' in (1)", 'f in [1]'],
    ['"my field" in (1)', 'my field in [1]'],
    // Fields: quoted, with blanks, in any script, with signs that are no operators.
    ["'temp' > 20", 'temp > 20'],
    ['"a>b" == 1', 'a>b == 1'],
    ['wind speed >= 3', 'wind speed >= 3'],
    ['  température\t<\n1e3 ', 'température < 1000'],
    ['a.b-c/d[0] == 1', 'a.b-c/d[0] == 1'],
    ["'and' == 1 and 'in' in (2)", 'and(and == 1, in in [2])'],
    ['andes == 1', 'andes == 1'],
    ['b == 1', 'b == 1'],
    ["'a' == 'b'", "a == 'b'"],
    // A literal at the left.
    ['20 < temp', 'temp > 20'],
    ['20 >= temp', 'temp <= 20'],
    ['20 == temp', 'temp == 20'],
    ["'AAPL' == symbol", "symbol == 'AAPL'"],
    ["b'A' < symbol", "symbol > 'A'"],
    // Literals.
    ['i == +5', 'i == 5'],
    ['i == .5', 'i == 0.5'],
    ['i == 5.', 'i == 5'],
    ['i == -1.5E-3', 'i == -0.0015'],
    ['i == 9007199254740991', 'i == 9007199254740991'],
    ['i == 9007199254740993', 'i == 9007199254740993n'],
    ['i == -18446744073709551616', 'i == -18446744073709551616n'],
    ['i == 9007199254740993.0', 'i == 9007199254740992'],
    ["s == ''", "s == ''"],
    ["s == 'it\\'s \"so\" \\\\ \\x41\\xff'", "s == 'it's \"so\" \\ A\xff'"],
    ['s == "it\'s"', "s == 'it's'"],
    ["s == 'é'", "s == '\xc3\xa9'"],
    ["s == 'a & b | (c) == AND where'", "s == 'a & b | (c) == AND where'"],
  ])('%s', (text, expected) => {
    expect(parsed(text, 'words')).toBe(expected)
  })

  it.each([
    // Queries that hsds-values 11.2 rejects.
    ['foobar', 6],
    ['open @ 12', 9],
    ['gloop < blag', 6],
    ['x = 12', 2],
    ['open > 12; close < 40', 5],
    ["import os; print(os.environ['FOO'])", 16],
    ['i = 2', 2],
    ['1 == 1', 2],
    ["b'a' == 'b'", 5],
    ["20 != 'temp'", 3],
    ['a in ()', 6],
    ['a in', 4],
    ['a in 1', 5],
    ['a in (1', 7],
    ['a in (1,)', 8],
    ['a in (1 2)', -1],
    ['where a == 1', 8],
    ['where', 5],
    ['a == 1 where', 12],
    ['a == 1 where b == 2', 15],
    ['5 in (5)', 0],
    ['a not 5', 6],
    ['not', 3],
    ['a == 1 and', 10],
    ['and a == 1', 0],
    ['a == 1 or or b == 2', 10],
    ['(a == 1', 7],
    ['a == 1)', 6],
    ['()', 1],
    ['(a) == 1', 2],
    ['a == 1 == 2', 7],
    ['1 < a < 3', 6],
    ['a == 1 && b == 2', 8],
    ['~(a == 1)', 0],
    ['a == ', 5],
    ['== 1', 0],
    ['a ! 1', 2],
    ["a == 'x", 5],
    ["a == 'x\\n'", 7],
    ["a == '\\x4'", 6],
    ['a == x', 2],
    ["a == ab'x'", 2],
    ['', 0],
    ['a == - 5', 2],
    ['a == 1_0', 2],
    ['a == 0x10', 2],
    ['a == nan', 2],
    [`a == ${'9'.repeat(401)}`, 5],
    [`${'('.repeat(300)}a == 1${')'.repeat(300)}`, 256],
    [`${'NOT '.repeat(60_000)}a == 1`, 1024],
    [`a == '${'x'.repeat(2 ** 18)}'`, 262_144],
  ])('refuses %s', (text, at) => {
    if (at < 0) return expect(parsed(text, 'words')).toBe("a in ['1 2']")
    expect(parsed(text, 'words')).toContain(`: at character ${at}, `)
  })

  it('takes any number of operands', () => {
    const text = Array.from({ length: 20_000 }, (_, i) => `a==${i}`).join(' or ')
    expect(parsed(text, 'words').length).toBeGreaterThan(200_000)
  })

  it('tells what was asked, what was expected and what was found', () => {
    expect(parsed('open @ 12', 'words')).toBe(
      'query=open @ 12: at character 9, expected a comparison: ==, !=, <, <=, > or >=, found the end',
    )
    expect(parsed('a == 1 ) or b', 'words')).toBe(
      'query=a == 1 ) or b: at character 7, expected an operator or the end, found ")"',
    )
  })
})

describe('the classic grammar', () => {
  it.each([
    ["wind == b'W 5'", "wind == 'W 5'"],
    ['(date == 23) & (temp > 50)', 'and(date == 23, temp > 50)'],
    ['(a == 1) | (b == 2) & (c == 3)', 'or(a == 1, and(b == 2, c == 3))'],
    ['~(a == 1) & ~b == 2', 'and(not(a == 1), not(b == 2))'],
    ['~~(a == 1)', 'not(not(a == 1))'],
    ['((a==1)|(b==2))&(c==3)', 'and(or(a == 1, b == 2), c == 3)'],
    ['20 < temp', 'temp > 20'],
    ["'W 5' == wind", "wind == 'W 5'"],
    ['in == 1', 'in == 1'],
  ])('%s', (text, expected) => {
    expect(parsed(text, 'signs')).toBe(expected)
  })

  it.each([
    ['foobar', 6],
    ['date', 4],
    ['1 == 1', 2],
    ["'date' == 23", 7],
    ['(a == 1', 7],
    ["a == 'x", 5],
    ['(a == 1) and (b == 2)', 9],
    ['(a == 1) or (b == 2)', 9],
    ['not (a == 1)', 4],
    ['a in (1, 2)', 5],
    ['where a in (1)', 11],
    ['(a == 1) xor (b == 2)', 9],
  ])('refuses %s', (text, at) => {
    expect(parsed(text, 'signs')).toContain(`: at character ${at}, `)
  })

  it.each(['(a == 1) and (b == 2)', 'a == 1 or b == 2', 'not (a == 1)'])('tells the signs: %s', text => {
    expect(parsed(text, 'signs')).toMatch(/ \(this dialect writes &, \| and ~, not words\)$/)
    expect(parsed(text.replaceAll('==', '<>'), 'words')).not.toContain('this dialect')
  })
})

it('any text is a query or is refused as one', () => {
  const piece = fc.constantFrom(
    ...['a', "'b'", 'b"c"', '==', '<', '=', '(', ')', ',', '&', '|', '~', ' ', 'NOT', 'in', 'AND', 'where'],
    ...['1', '-2.5e3', '\\x41', '"', "'", '\n', 'é', '\ud800'],
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 30 }).map(pieces => pieces.join('')),
    fc.array(piece, { maxLength: 30 }).map(pieces => pieces.join(' ')),
  )
  fc.assert(
    fc.property(text, fc.constantFrom<QueryGrammar>('signs', 'words'), (text, grammar) => {
      expect(parsed(text, grammar)).not.toBe('')
    }),
    { numRuns: 3000 },
  )
})

// Rules of the classic dialect that clients of h5serv depend on, and the tests over HTTP that cover them. A rule is a
// mark such as `(!a)` in docs/contract/classic.md, cited by section and letter (`6.4b`); a test covers the rules with
// which its title begins (`'classic 6.4b, 6.4c: ...'`). docs/contract/classic-rules.md is made from both by the test
// beside this file, which fails on a rule without a test and on a title that cites no rule.

export interface CoveringTest {
  readonly file: string
  readonly title: string
  readonly rules: readonly string[]
}

const RULE = String.raw`\d{1,2}(?:\.\d{1,2})?[a-z]`
/** A string that begins with rules: the title of a test, or of a row of test.each. */
const TITLE = new RegExp(
  String.raw`(['"\x60])classic ((?:${RULE}, )*${RULE}): ((?:\\.|(?!\1)[^\\\n])*)\1`,
  'g',
)
const HEADING = /^#{2,3} (\d{1,2}(?:\.\d{1,2})?)\.? /
const CODE = /`[^`]*`/g
const MARK = /\(!([a-z])\)/g

/** The rules in the order of the page; one that is marked twice is there twice. */
export function rulesOf(markdown: string): readonly string[] {
  let section = ''
  return markdown.split('\n').flatMap(line => {
    section = HEADING.exec(line)?.[1] ?? section
    return [...line.replaceAll(CODE, '').matchAll(MARK)].map(([, letter]) => `${section}${letter}`)
  })
}

export function coveringTestsOf(file: string, source: string): readonly CoveringTest[] {
  return [...source.matchAll(TITLE)].map(([, , rules = '', title = '']) => ({
    file,
    title: title.replaceAll(/\\(.)/g, '$1'),
    rules: rules.split(', '),
  }))
}

/** One line for every rule that is marked twice or has no test, and for every title that cites no rule. */
export function checkRules(rules: readonly string[], tests: readonly CoveringTest[]): readonly string[] {
  const covered = new Set(tests.flatMap(test => test.rules))
  return [
    ...rules.filter((rule, i) => rules.indexOf(rule) < i).map(rule => `${rule} is marked twice`),
    ...rules.filter(rule => !covered.has(rule)).map(rule => `${rule} has no test`),
    ...tests.flatMap(({ file, title, rules: cited }) =>
      cited
        .filter(rule => !rules.includes(rule))
        .map(rule => `${file}: "${title}" cites ${rule}, which is no rule`),
    ),
  ]
}

/** docs/contract/classic-rules.md. */
export function formatRules(rules: readonly string[], tests: readonly CoveringTest[]): string {
  const rows = rules.map(rule => {
    const covering = tests
      .filter(test => test.rules.includes(rule))
      .map(({ file, title }) => `${inCode(title)} ([${nameOf(file)}](../../${file}))`)
    return `| ${rule} | ${covering.join('; ')} |`
  })
  return [
    '# Rules of the classic dialect and their tests',
    '',
    'Clients of h5serv depend on the rules that have a mark such as `(!a)` in [classic.md](classic.md). Each is cited by its',
    'section and letter, and is covered by the tests whose titles begin with it. Made from the marks and the titles:',
    '`npx vitest run --project unit scripts/check-rules.test.ts -u`.',
    '',
    '| rule | tests |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

/** Titles hold `<id>`, which is no HTML, and `|`, which ends a cell. */
function inCode(title: string): string {
  return `\`${title.replaceAll('`', "'").replaceAll('|', String.raw`\|`)}\``
}

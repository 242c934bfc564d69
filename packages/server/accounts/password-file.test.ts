import { describe, expect, it } from 'vitest'
import { parseGroupsFile, parsePasswordFile } from './password-file.ts'

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA'

function parsed<T>(parse: (text: string, warn: (message: string) => void) => Map<string, T>, text: string) {
  const warnings: string[] = []
  const entries = Object.fromEntries(parse(text, message => warnings.push(message)))
  return { entries, warnings }
}

describe('a password file', () => {
  it('has a user per line, with a password or an argon2 hash', () => {
    const text = `# users\n\ntest_user1:test\r\n  ann:secret  \nbob:${HASH}\ncarl:one:two\nzoë:🔑🔑\n`
    expect(parsed(parsePasswordFile, text)).toEqual({
      entries: {
        test_user1: { plain: 'test' },
        ann: { plain: 'secret' },
        bob: { hash: HASH },
        carl: { plain: 'one' },
        zoë: { plain: '🔑🔑' },
      },
      warnings: [],
    })
  })

  it.each([
    ['ann', 'not "user:password"'],
    ['ann secret', 'not "user:password"'],
    ['ann:', '3 characters'],
    ['an:secret', '3 characters'],
    ['ann:se', '3 characters'],
    [':secret', '3 characters'],
    ['default:secret', 'mean everybody'],
    ['anonymous:secret', 'mean everybody'],
    ['ann:$2b$12$R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW', 'not an argon2 hash'],
    ['ann:$argon2id$v=19$m=1', 'not an argon2 hash'],
    ['bob:other', 'a line above'],
  ])('leaves out %s with a warning that does not hold it', (line, why) => {
    const { entries, warnings } = parsed(parsePasswordFile, `bob:first\n${line}\ncarl:last\n`)
    expect(entries).toEqual({ bob: { plain: 'first' }, carl: { plain: 'last' } })
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`^line 2 .*${why}`))])
    expect(warnings[0]).not.toContain(line)
  })

  it('may be empty', () => {
    expect(parsed(parsePasswordFile, '').entries).toEqual({})
    expect(parsed(parsePasswordFile, '#\n\n').entries).toEqual({})
  })
})

describe('a groups file', () => {
  it('has the members of a group per line, several lines add up', () => {
    const text = '# groups\ntest_group: test_user1 test_user2\nlab:ann\tbob ann\n\nnone:\nlab: carl bob\n'
    expect(parsed(parseGroupsFile, text)).toEqual({
      entries: { test_group: ['test_user1', 'test_user2'], lab: ['ann', 'bob', 'carl'], none: [] },
      warnings: [],
    })
  })

  it('leaves out what is no group and names that are too short', () => {
    const { entries, warnings } = parsed(parseGroupsFile, 'lab ann bob\n: ann\nlab: ann bo\na b: carl')
    expect(entries).toEqual({ lab: ['ann'] })
    expect(warnings).toHaveLength(4)
  })
})

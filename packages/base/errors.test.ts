import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ERROR_KINDS, HyperslabError } from './errors.ts'

const documentation = readFileSync(fileURLToPath(new URL('../../docs/errors.md', import.meta.url)), 'utf8')
const sections = documentation.split(/^### /m).slice(1)
const documented = sections.map(section => section.slice(0, section.indexOf('\n')))

describe('docs/errors.md', () => {
  it('has one heading for every code and for defects, and no other', () => {
    expect([...documented].sort()).toEqual([...Object.keys(ERROR_KINDS), 'internal'].sort())
  })

  it.each(sections.map(section => [section.slice(0, section.indexOf('\n')), section]))(
    'tells kind, cause and what to do of %s',
    (code, section) => {
      const kind = Object.entries(ERROR_KINDS).find(([name]) => name === code)?.[1] ?? 'defect'
      expect(section).toContain(`Kind: ${kind}.`)
      expect(section).toMatch(/^Cause: \S/m)
      expect(section).toMatch(/^What to do: \S/m)
    },
  )
})

describe('HyperslabError', () => {
  it('has the kind of its code', () => {
    expect(new HyperslabError('link-exists', 'the link "a" exists').kind).toBe('conflict')
  })
})

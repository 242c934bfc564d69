import { describe, expect, it } from 'vitest'
import { domainNamesOf, folderNamesOf, titlesOfDomain, titlesOfFolder } from './contents-titles.ts'

function firstOf(titles: Generator<string>): string[] {
  return [1, 2, 3].map(() => titles.next().value)
}

describe('the titles of an entry', () => {
  it.each<[string, Generator<string>, string[]]>([
    ['a domain', titlesOfDomain('run7'), ['run7', 'run7.domain', 'run7.domain.domain']],
    ['a domain with the name of a file', titlesOfDomain('run7.h5'), ['run7', 'run7.h5', 'run7.h5.domain']],
    ['a domain that is called .h5', titlesOfDomain('.h5'), ['.h5', '.h5.domain', '.h5.domain.domain']],
    ['a folder', titlesOfFolder('run7.h5'), ['run7.h5', 'run7.h5.folder', 'run7.h5.folder.folder']],
  ])('%s', (_, titles, expected) => {
    expect(firstOf(titles)).toEqual(expected)
  })

  it.each(['x', 'x.h5', 'x.h5.h5', '.h5', 'x.domain', 'x.domain.h5', 'x.folder', '.folder', 'ü b'])(
    'lead back to the name %s',
    name => {
      for (const title of firstOf(titlesOfDomain(name))) expect([...domainNamesOf(title)]).toContain(name)
      for (const title of firstOf(titlesOfFolder(name))) expect([...folderNamesOf(title)]).toContain(name)
    },
  )
})

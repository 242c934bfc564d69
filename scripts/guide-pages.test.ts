import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, test } from 'vitest'
import { type IndexedPage, makeIndex, openIndex } from '../pages/docs/find.js'
import { type GuidePage, guidePages } from './guide-pages.mjs'

const DOCS = fileURLToPath(new URL('../docs/', import.meta.url))
const FIRST = `# The guide

Read [this](a.md) first.

| for users | contents |
| --- | --- |
| [a.md](a.md), [b.md](b.md) | two pages |

| other tables | |
| --- | --- |
| [c.md](c.md) | no group |
`
const A = `# Ann's page

See [the list](#a-list), [b.md](b.md#more), [errors](../errors.md#not-found), [code](../../bench/a.mjs#x),
[a host](https://a.example/b), [here](README.md) and ![a plot](pictures/plot.png).

## A list

<b>bold</b> & \`x < y\`

## A list

| one | two |
| --- | --- |
| \`a\` | b |

### Deep & down
`
const SOURCES = new Map([
  ['guide/README.md', FIRST],
  ['guide/a.md', A],
  ['guide/b.md', '# B\n\n## More\n\nSettings such as `cors_origins`, and [a.md](a.md).\n'],
  ['errors.md', '# Errors\n\n### not-found\n\nSee [the list](guide/a.md#a-list).\n'],
])

/** A page of the sources. */
function pageAt(address: string, repository?: string): GuidePage {
  const page = guidePages(SOURCES, repository).pages.find(one => one.address === address)
  if (!page) throw new Error(`there is no page ${address}`)
  return page
}

/** The search, with an index that went through JSON as that of the browser does. */
const searchIn = (pages: readonly IndexedPage[]) =>
  openIndex(pages, JSON.parse(JSON.stringify(makeIndex(pages))))

const linksIn = (html: string) => [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) => link)

describe('pages of Markdown', () => {
  test.each([
    ['guide', ['guide/a', 'guide/a', 'guide/b']],
    ['guide/b', ['#more', '../guide/a']],
    ['errors', ['#not-found', 'guide/a#a-list']],
  ])('links of %s are relative to it', (address, links) => {
    expect(linksIn(pageAt(address).html)).toEqual(links)
  })

  it('a link leads to a page, an anchor, a host or a picture; others need the address of the repository', () => {
    const links = [
      '#a-list',
      '../guide/b#more',
      '../errors#not-found',
      'https://a.example/b',
      '../guide',
      '../guide/pictures/plot.png',
    ]
    expect(linksIn(pageAt('guide/a').html).slice(0, 6)).toEqual(links)
    expect(pageAt('guide/a').html).toContain(', code,')
    const repository = 'https://git.example/p/blob/main/'
    expect(linksIn(pageAt('guide/a', repository).html)).toContain(`${repository}bench/a.mjs#x`)
  })

  it('the name of a file becomes the title of its page', () => {
    expect(pageAt('guide/b').html).toContain('<a href="../guide/a">Ann\'s page</a>')
    expect(pageAt('guide/a').html).toContain('<a href="../errors#not-found">errors</a>')
  })

  it('headings have the anchors of GitHub, each its own', () => {
    const anchors = [...pageAt('guide/a').html.matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id)
    expect(anchors).toEqual(['a-list', 'a-list-1', 'deep--down'])
  })

  it('HTML in the Markdown is text', () => {
    expect(pageAt('guide/a').html).toContain('&#60;b&#62;bold&#60;/b&#62; &amp; <code>x &lt; y</code>')
  })

  it('the list has the groups of the first page and the reference, and the sections of the page', () => {
    const { contents } = pageAt('guide/b')
    expect([...contents.matchAll(/<h2>(.*)<\/h2>/g)].map(([, title]) => title)).toEqual([
      'For users',
      'Reference',
    ])
    expect(linksIn(contents)).toEqual(['../guide', '../guide/a', '../guide/b', '#more', '../errors'])
    expect(contents).toContain('<a href="../guide/b" aria-current="page">B</a>')
  })
})

describe('the search', () => {
  const find = searchIn(guidePages(SOURCES).sections)
  const found = (words: string) => find(words).map(({ address }) => address)

  test.each([
    ['a part of a setting', 'origins', ['guide/b#more']],
    ['a word and a beginning', 'cors sett', ['guide/b#more']],
    ['a small mistake', 'setings', ['guide/b#more']],
    ['a heading', 'not-found', ['errors#not-found']],
    ['a page', 'read', ['guide']],
    ['words that no section has together', 'cors plot', []],
    ['nothing', '', []],
  ])('%s', (_, words, addresses) => {
    expect(found(words)).toEqual(addresses)
  })

  it('shows the words that it found', () => {
    const [section] = find('cors')
    expect(section).toMatchObject({ title: 'B', heading: 'More' })
    expect(section?.excerpt).toEqual([
      { text: 'Settings such as ', isMarked: false },
      { text: 'cors', isMarked: true },
      { text: '_origins, and a.md.', isMarked: false },
    ])
  })

  it('shows the part of a long text that has them', () => {
    const text = `${'before '.repeat(100)}needle${' after'.repeat(100)}`
    const long = searchIn([{ address: 'x', title: 'X', sections: [{ anchor: '', heading: 'X', text }] }])
    const excerpt =
      long('needle')[0]
        ?.excerpt.map(piece => piece.text)
        .join('') ?? ''
    expect(excerpt).toMatch(/^… before .*needle after.* …$/)
    expect(excerpt.length).toBeLessThan(200)
  })
})

describe('the guide', () => {
  const guide = readdirSync(`${DOCS}guide`).filter(name => name.endsWith('.md'))
  const files = [...guide.map(name => `guide/${name}`), 'errors.md', 'limits.md', 'routes.md']
  const { pages } = guidePages(new Map(files.map(file => [file, readFileSync(`${DOCS}${file}`, 'utf8')])))
  const html = new Map(pages.map(({ address, html }) => [address, html]))

  it('every page is in a table of the first one', () => {
    const [first] = pages.filter(({ address }) => address === 'guide')
    const listed = linksIn(first?.contents ?? '').filter(link => !link.startsWith('#'))
    expect([...listed].sort()).toEqual(pages.map(({ address }) => address).sort())
  })

  test.each(pages.map(({ address }) => address))('no link of %s is broken', address => {
    const broken = linksIn(html.get(address) ?? '').filter(link => {
      if (/^https?:/.test(link)) return false
      if (link.endsWith('.png')) return !existsSync(`${DOCS}${posix.join(posix.dirname(address), link)}`)
      const [path = '', anchor] = link.split('#')
      const target = html.get(path === '' ? address : posix.join(posix.dirname(address), path))
      return target === undefined || (anchor !== undefined && !target.includes(` id="${anchor}"`))
    })
    expect(broken).toEqual([])
  })

  test.each(files)('no link of docs/%s names a file that is not there', file => {
    const links = readFileSync(`${DOCS}${file}`, 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)
    const lost = [...links]
      .map(([, link = '']) => posix.join('docs', posix.dirname(file), link))
      .filter(path => !existsSync(`${DOCS}../${path}`))
    expect(lost).toEqual([])
  })
})

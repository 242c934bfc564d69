// The pages below /docs that are made from Markdown: the guide, the error codes, the limits and the routes; and the
// sections of them that the search looks through. Headings have the anchors of GitHub. A link to a file that is a page
// leads to the page, with the title of the page for the name of its file; one to another file leads to the repository
// if it has an address, else it becomes its text. It reads no file and knows no server.

import { posix } from 'node:path'
import { Marked } from 'marked'

/** The pages that are no part of the guide, with the file of each below `docs`. */
const REFERENCE = ['errors.md', 'limits.md', 'routes.md']
const FIRST = 'guide/README.md'

/**
 * `sources` has the Markdown of each file below `docs`, by its path there; `repository` is the address of the files of
 * the project, with a slash at its end. Addresses of pages are relative to /docs/.
 */
export function guidePages(sources, repository) {
  const groups = groupsOf(sources.get(FIRST) ?? '')
  const titles = new Map([...sources].map(([file, markdown]) => [file, titleOf(markdown)]))
  const isPage = file => sources.has(file)
  const pages = [...sources].map(([file, markdown]) => {
    const address = addressOf(file)
    const { html, sections } = pageOf(markdown, {
      linkOf: href => linkOf(href, file, { isPage, repository }),
      pictureOf: href => baseOf(file) + targetOf(href, file),
      nameOf: (text, href) => (text.endsWith('.md') && titles.get(targetOf(href, file))) || text,
    })
    const contents = contentsOf(groups, { titles, file, sections })
    return { file, address, title: titles.get(file), html, contents, sections }
  })
  return { pages, sections: sectionsOf(pages) }
}

/** The address of the page of a file, relative to /docs/. */
export function addressOf(file) {
  return file === FIRST ? 'guide' : file.replace(/\.md$/, '')
}

/** The way from the page of a file to /docs/. */
export function baseOf(file) {
  return addressOf(file).includes('/') ? '../' : ''
}

/** The groups of pages: the tables of the first page that begin with "for", and the reference. */
function groupsOf(first) {
  const tables = new Marked().lexer(first).filter(({ type }) => type === 'table')
  const guide = tables
    .filter(({ header }) => header[0].text.startsWith('for '))
    .map(({ header, rows }) => ({
      title: capital(header[0].text),
      files: rows
        .flatMap(([cell]) => cell.tokens.filter(({ type }) => type === 'link'))
        .map(({ href }) => `guide/${href}`),
    }))
  return [{ files: [FIRST] }, ...guide, { title: 'Reference', files: REFERENCE }]
}

function titleOf(markdown) {
  return /^# (.*)$/m.exec(markdown)?.[1] ?? ''
}

/** The list of all pages, with the sections of the current one. */
function contentsOf(groups, { titles, file: current, sections }) {
  const link = file => {
    const isCurrent = file === current
    const address = baseOf(current) + addressOf(file)
    const parts = sections.filter(({ depth }) => depth === 2)
    return [
      `<li><a href="${escapeHtml(address)}"${isCurrent ? ' aria-current="page"' : ''}>`,
      `${escapeHtml(titles.get(file) ?? '')}</a>`,
      isCurrent && parts.length > 0
        ? `<ul class="parts">${parts.map(({ anchor, heading }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`).join('')}</ul>`
        : '',
      '</li>',
    ].join('')
  }
  return groups
    .map(
      ({ title, files }) =>
        `${title ? `<h2>${escapeHtml(title)}</h2>\n` : ''}<ul>\n${files
          .filter(file => titles.has(file))
          .map(link)
          .join('\n')}\n</ul>`,
    )
    .join('\n')
}

/** A page as HTML, and its sections with their text. */
function pageOf(markdown, links) {
  const sections = []
  const marked = new Marked({ renderer: rendererOf(links) })
  const tokens = marked.lexer(markdown)
  const counts = new Map()
  for (const token of tokens) {
    if (token.type === 'heading') {
      token.anchor = anchorOf(plainText(token), counts)
      sections.push({
        anchor: token.anchor,
        heading: plainText(token),
        depth: token.depth,
        text: '',
      })
    } else {
      const section = sections.at(-1)
      if (section) section.text = `${section.text} ${plainText(token)}`.replace(/\s+/g, ' ').trim()
    }
  }
  return { html: marked.parser(tokens), sections }
}

/** The anchor of a heading, as GitHub makes it; of equal headings the later ones get a number. */
function anchorOf(heading, counts) {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
  const count = counts.get(slug) ?? 0
  counts.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}

function rendererOf({ linkOf, pictureOf, nameOf }) {
  return {
    heading({ tokens, depth, anchor }) {
      const content = this.parser.parseInline(tokens)
      if (depth === 1) return `<h1>${content}</h1>\n`
      const id = escapeHtml(anchor)
      return `<h${depth} id="${id}"><a href="#${id}">${content}</a></h${depth}>\n`
    },
    link({ href, text, tokens }) {
      const name = nameOf(text, href)
      const content = name === text ? this.parser.parseInline(tokens) : escapeHtml(name)
      const address = linkOf(href)
      return address === undefined ? content : `<a href="${escapeHtml(address)}">${content}</a>`
    },
    image({ href, text }) {
      return `<img src="${escapeHtml(pictureOf(href))}" alt="${escapeHtml(text)}">`
    },
    code({ text }) {
      // It scrolls, also by the keys.
      return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`
    },
    table(token) {
      const cell =
        tag =>
        ({ tokens }) =>
          `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`
      const rows = token.rows.map(row => `<tr>${row.map(cell('td')).join('')}</tr>`)
      const head = `<thead><tr>${token.header.map(cell('th')).join('')}</tr></thead>`
      // A wide table scrolls, and the page does not.
      return `<div class="wide" tabindex="0"><table>${head}<tbody>${rows.join('\n')}</tbody></table></div>\n`
    },
    html({ text }) {
      return escapeHtml(text)
    },
  }
}

/** The address of a link of a file on its page; undefined: the service does not have the target. */
function linkOf(href, file, { isPage, repository }) {
  if (/^([a-z]+:|#)/.test(href)) return href
  const target = targetOf(href, file)
  const [, anchor] = href.split('#')
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (isPage(target)) return baseOf(file) + addressOf(target) + hash
  return repository === undefined ? undefined : `${repository}${posix.join('docs', target)}${hash}`
}

/** The file below `docs` that a link of a file names. */
function targetOf(href, file) {
  return posix.join(posix.dirname(file), href.split('#')[0])
}

/** The text of a token without marks, for headings and for the search. */
function plainText(token) {
  if (token.type === 'table')
    return [token.header, ...token.rows].map(row => row.map(plainText).join(' ')).join(' ')
  if (token.type === 'list') return token.items.map(plainText).join(' ')
  if (token.tokens) return token.tokens.map(plainText).join('')
  return token.text ?? ' '
}

/** The pages for the search, each with the text of its sections. */
function sectionsOf(pages) {
  return pages.map(({ address, title, sections }) => ({
    address,
    title,
    sections: sections.map(({ anchor, heading, depth, text }) => ({
      // The first section is the page itself.
      anchor: depth === 1 ? '' : anchor,
      heading,
      text,
    })),
  }))
}

const capital = text => text.charAt(0).toUpperCase() + text.slice(1)

export function escapeHtml(text) {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}

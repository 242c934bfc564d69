// The files of the pages that the service shows in a browser. /docs (docs/decisions/029): the API of each dialect,
// shown by swagger-ui, the list of errors, made from docs/errors.md, and the guide, made from docs/guide. /ui
// (docs/decisions/030): the page of `packages/page`, built by vite. Names of style sheets and programs have a hash of
// their contents, so that browsers may keep them. Beside each file lies the same, compressed.

import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Marked } from 'marked'
import { build } from 'vite'

const ROOT = new URL('../', import.meta.url)
const LIBRARY = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'))
const DIALECTS = ['hsds', 'classic']

/** Writes the files of /ui to a folder. */
export async function buildUi(folder) {
  await build({
    root: fileURLToPath(new URL('packages/page', ROOT)),
    logLevel: 'error',
    build: { outDir: folder },
  })
  // The same page at ui/embed: addresses of its files are relative, and begin there.
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  writeFileSync(join(folder, 'embed.html'), page.replaceAll('"ui/', '"').replace('"favicon', '"../favicon'))
  compressAll(folder)
}

/** Writes the files of /docs to a folder. */
export function buildDocs(folder) {
  mkdirSync(folder, { recursive: true })
  const write = (name, contents) => writeFileSync(join(folder, name), contents)
  /** Writes a file under a name with a hash, and returns the name. */
  const keep = (name, contents) => {
    const digest = createHash('sha256').update(contents).digest('hex').slice(0, 16)
    const hashed = name.replace(/\.(\w+)$/, `.${digest}.$1`)
    write(hashed, contents)
    return hashed
  }
  const frame = keep('page.css', source('pages/docs/page.css'))
  const style = keep('swagger-ui.css', withoutMap(source('swagger-ui.css', LIBRARY)))
  const scripts = [
    keep('swagger-ui-bundle.js', withoutMap(source('swagger-ui-bundle.js', LIBRARY))),
    keep('start.js', source('pages/docs/start.js')),
  ]
  for (const dialect of DIALECTS) {
    const isFirst = dialect === DIALECTS[0]
    // Addresses are relative, so that they hold behind a proxy that serves the service below a path.
    const description = `${isFirst ? '' : '../'}openapi.json?dialect=${dialect}`
    const page = pageOf({
      title: `Hyperslab, the API of the ${dialect} dialect`,
      current: dialect,
      ...(isFirst ? { base: 'docs/', top: '' } : BELOW_DOCS),
      styles: [style, frame],
      scripts,
      body: `<main id="api" data-description="${description}"></main>`,
    })
    write(isFirst ? 'index.html' : `${dialect}.html`, page)
  }
  const errors = pageOf({
    title: 'Hyperslab, error codes',
    current: 'errors',
    ...BELOW_DOCS,
    styles: [frame],
    scripts: [],
    body: `<main class="text">\n${errorList(source('docs/errors.md'))}</main>`,
  })
  write('errors.html', errors)
  buildGuide(folder, frame)
  write('icon.svg', source('pages/icon.svg'))
  // The licence of the library asks for its text beside each copy.
  write('swagger-ui.LICENSE.txt', source('LICENSE', LIBRARY))
  write('swagger-ui.NOTICE.txt', source('NOTICE', LIBRARY))
  write('swagger-ui-bundle.js.LICENSE.txt', source('swagger-ui-bundle.js.LICENSE.txt', LIBRARY))
  compressAll(folder)
}

/** The guide: its first page is /docs/guide, the others are below it. */
function buildGuide(folder, frame) {
  mkdirSync(join(folder, 'guide', 'pictures'), { recursive: true })
  const files = new URL('docs/guide/', ROOT)
  for (const file of readdirSync(files).filter(name => name.endsWith('.md'))) {
    const isFirst = file === 'README.md'
    const markdown = source(file, files)
    const [, title = 'Guide'] = /^# (.*)$/m.exec(markdown) ?? []
    const page = pageOf({
      title: `Hyperslab, ${title}`,
      current: isFirst ? 'guide' : undefined,
      ...(isFirst ? BELOW_DOCS : { base: '../', top: '../../' }),
      styles: [frame],
      scripts: [],
      body: `<main class="text guide">\n${guidePage(markdown, isFirst ? 'guide/' : '')}</main>`,
    })
    writeFileSync(join(folder, isFirst ? 'guide.html' : `guide/${basename(file, '.md')}.html`), page)
  }
  for (const picture of readdirSync(new URL('pictures/', files)))
    copyFileSync(new URL(`pictures/${picture}`, files), join(folder, 'guide', 'pictures', picture))
}

function compressAll(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    // Pictures are compressed already.
    if (!entry.isFile() || entry.name.endsWith('.png')) continue
    const path = join(entry.parentPath, entry.name)
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
  }
}

function source(path, folder = ROOT) {
  return readFileSync(new URL(path, folder), 'utf8')
}

/** Without the address of the source map, which is not packed. */
function withoutMap(text) {
  return text.replace(/\n\/[/*]# sourceMappingURL=[^\n]*\s*$/, '\n')
}

/** The way from a page beside the files of /docs. */
const BELOW_DOCS = { base: '', top: '../' }

/** `base` is how the page gets from its own address to the files of /docs, `top` to the root of the service. */
function pageOf({ title, current, base, top, styles, scripts, body }) {
  const links = [
    ['ui', `${top}ui`, 'Data'],
    ['guide', `${base}guide`, 'Guide'],
    ['hsds', `${top}docs`, 'API, hsds dialect'],
    ['classic', `${base}classic`, 'API, classic dialect'],
    ['errors', `${base}errors`, 'Error codes'],
  ]
  const bar = links.map(
    ([name, href, text]) => `<a href="${href}"${name === current ? ' aria-current="page"' : ''}>${text}</a>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${top}favicon.ico">
${styles.map(name => `<link rel="stylesheet" href="${base}${name}">`).join('\n')}
</head>
<body>
<nav class="bar"><strong>Hyperslab</strong>
${bar.join('\n')}
</nav>
${body}
${scripts.map(name => `<script src="${base}${name}"></script>`).join('\n')}
</body>
</html>
`
}

/**
 * The list of errors as HTML. The anchor of an entry is its code; links to other pages, which are not served, become
 * their text.
 */
function errorList(markdown) {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const content = this.parser.parseInline(tokens)
        if (depth !== 3) return `<h${depth}>${content}</h${depth}>\n`
        return `<h3 id="${escapeHtml(text)}"><a href="#${escapeHtml(text)}">${content}</a></h3>\n`
      },
      link({ tokens }) {
        return this.parser.parseInline(tokens)
      },
      html({ text }) {
        return escapeHtml(text)
      },
    },
  })
  return marked.parse(markdown)
}

/** A page of the guide as HTML. `below` is how it gets to the pages of the guide. */
function guidePage(markdown, below) {
  const anchors = new Map()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const slug = text
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, '')
          .trim()
          .replaceAll(/\s/g, '-')
        const count = anchors.get(slug) ?? 0
        anchors.set(slug, count + 1)
        const id = escapeHtml(count === 0 ? slug : `${slug}-${count}`)
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens)
        const address = guideAddress(href, below)
        return address === undefined ? content : `<a href="${escapeHtml(address)}">${content}</a>`
      },
      code({ text }) {
        // It scrolls, also by the keys.
        return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(below + href)}" alt="${escapeHtml(text)}">`
      },
      table(token) {
        const cell =
          tag =>
          ({ tokens }) =>
            `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`
        const rows = token.rows.map(row => `<tr>${row.map(cell('td')).join('')}</tr>`)
        const head = `<thead><tr>${token.header.map(cell('th')).join('')}</tr></thead>`
        // A wide table scrolls, and the page does not.
        return `<div class="wide" tabindex="0"><table>${head}<tbody>${rows.join('')}</tbody></table></div>\n`
      },
      html({ text }) {
        return escapeHtml(text)
      },
    },
  })
  return marked.parse(markdown)
}

/** The address of a link of the guide on the page; undefined: the service does not have the target. */
function guideAddress(href, below) {
  if (/^(https?:|#)/.test(href)) return href
  if (href.startsWith('../errors.md'))
    return `${below === '' ? '../' : ''}${href.slice(3).replace('.md', '')}`
  const [, name, anchor] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name === undefined) return undefined
  const page = name === 'README' ? (below === '' ? '../guide' : 'guide') : below + name
  return page + (anchor ?? '')
}

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}

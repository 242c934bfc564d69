// The files of the pages that the service shows in a browser. /docs (docs/decisions/029): the API of each dialect,
// shown by swagger-ui, and the list of errors, made from docs/errors.md. /ui (docs/decisions/030): the page of `web`,
// built by vite. Names of style sheets and programs have a hash of their contents, so that browsers may keep them.
// Beside each file lies the same, compressed.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Marked } from 'marked'
import { build } from 'vite'

const ROOT = new URL('../', import.meta.url)
const LIBRARY = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'))
const DIALECTS = ['hsds', 'classic']

/** Writes the files of /ui to a folder. */
export async function buildUi(folder) {
  await build({ root: fileURLToPath(new URL('web', ROOT)), logLevel: 'error', build: { outDir: folder } })
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
      base: isFirst ? 'docs/' : '',
      styles: [style, frame],
      scripts,
      body: `<main id="api" data-description="${description}"></main>`,
    })
    write(isFirst ? 'index.html' : `${dialect}.html`, page)
  }
  const errors = pageOf({
    title: 'Hyperslab, error codes',
    current: 'errors',
    base: '',
    styles: [frame],
    scripts: [],
    body: `<main class="text">\n${errorList(source('docs/errors.md'))}</main>`,
  })
  write('errors.html', errors)
  // The licence of the library asks for its text beside each copy.
  write('swagger-ui.LICENSE.txt', source('LICENSE', LIBRARY))
  write('swagger-ui.NOTICE.txt', source('NOTICE', LIBRARY))
  write('swagger-ui-bundle.js.LICENSE.txt', source('swagger-ui-bundle.js.LICENSE.txt', LIBRARY))
  compressAll(folder)
}

function compressAll(folder) {
  for (const name of readdirSync(folder)) {
    writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }))
  }
}

function source(path, folder = ROOT) {
  return readFileSync(new URL(path, folder), 'utf8')
}

/** Without the address of the source map, which is not packed. */
function withoutMap(text) {
  return text.replace(/\n\/[/*]# sourceMappingURL=[^\n]*\s*$/, '\n')
}

/** `base` is how the page gets from its own address to the files. */
function pageOf({ title, current, base, styles, scripts, body }) {
  const top = base === '' ? '../' : ''
  const links = [
    ['ui', `${top}ui`, 'Data'],
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
<link rel="icon" href="data:,">
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

function escapeHtml(text) {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}

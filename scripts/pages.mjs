// The files of the pages that the service shows in a browser. /docs (docs/decisions/029): the API of each dialect,
// shown by swagger-ui, and the guide with its search (docs/decisions/106), made by guide-pages.mjs. /ui
// (docs/decisions/030): the page of `packages/page`, built by vite. Names of style sheets and programs have a hash of
// their contents, so that browsers may keep them. Beside each file lies the same, compressed.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { build } from 'vite'
import { makeIndex } from '../pages/docs/find.js'
import { baseOf, guidePages } from './guide-pages.mjs'

const ROOT = new URL('../', import.meta.url)
const LIBRARY = new URL('.', import.meta.resolve('swagger-ui-dist/package.json'))
const DIALECTS = ['hsds', 'classic']

/** Writes the files of /ui to a folder. */
export async function buildUi(folder) {
  const { output } = await build({
    root: fileURLToPath(new URL('packages/page', ROOT)),
    logLevel: 'error',
    build: { outDir: folder },
  })
  const read = name => readFileSync(join(folder, name), 'utf8')
  const index = read('index.html')
  const pageWith = parts => index.replace('  </head>', `${preloads(output, parts, index)}  </head>`)
  writeFileSync(join(folder, 'index.html'), pageWith(['page']))
  // The same page for the address of a domain: it loads the viewer too, at once.
  const domain = pageWith(['page', 'Viewer', 'drawings'])
  writeFileSync(join(folder, 'domain.html'), domain)
  // The same page at ui/embed: addresses of its files are relative, and begin there.
  writeFileSync(join(folder, 'embed.html'), domain.replaceAll('"ui/', '"').replace('"favicon', '"../favicon'))
  compressAll(folder)
}

/** Links by which a page loads these parts of the program beside each other, with what they import. */
function preloads(output, parts, page) {
  const chunks = new Map(output.filter(({ type }) => type === 'chunk').map(chunk => [chunk.fileName, chunk]))
  const scripts = new Set()
  const styles = new Set()
  const add = name => {
    const chunk = chunks.get(name)
    if (chunk === undefined || scripts.has(name)) return
    scripts.add(name)
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style)
    for (const imported of chunk.imports) add(imported)
  }
  for (const part of parts) {
    // The module that the page imports, and the code that other parts import from too.
    const files = [...chunks.values()].filter(({ name }) => name === part)
    if (files.length === 0) throw new Error(`the page has no part ${part}`)
    for (const { fileName } of files) add(fileName)
  }
  const links = [
    ...Array.from(scripts, name => ({ name, kind: 'rel="modulepreload"' })),
    ...Array.from(styles, name => ({ name, kind: 'rel="preload" as="style"' })),
  ]
  return links
    .filter(({ name }) => !page.includes(name))
    .map(({ name, kind }) => `    <link ${kind} crossorigin href="ui/${name}">\n`)
    .join('')
}

/** Writes the files of /docs to a folder. */
export async function buildDocs(folder) {
  const write = (name, contents) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), contents)
  }
  /** Writes a file under a name with a hash, and returns the name. */
  const keep = (name, contents) => {
    const digest = createHash('sha256').update(contents).digest('hex').slice(0, 16)
    const hashed = name.replace(/\.(\w+)$/, `.${digest}.$1`)
    write(hashed, contents)
    return hashed
  }
  const frame = keep('page.css', source('packages/page/src/shell/look.css') + source('pages/docs/page.css'))
  buildApi(write, keep, frame)
  await buildGuide(write, keep, frame)
  for (const picture of readdirSync(new URL('docs/guide/pictures/', ROOT)))
    write(`guide/pictures/${picture}`, readFileSync(new URL(`docs/guide/pictures/${picture}`, ROOT)))
  write('icon.svg', source('pages/icon.svg'))
  compressAll(folder)
}

/** The pages of the API, one for each dialect. */
function buildApi(write, keep, frame) {
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
      title: `the API of the ${dialect} dialect`,
      current: dialect,
      // The library has one theme.
      theme: 'light',
      ...(isFirst ? { base: 'docs/', top: '' } : { base: '', top: '../' }),
      styles: [style, frame],
      scripts: scripts.map(name => `<script src="${isFirst ? 'docs/' : ''}${name}"></script>`),
      body: `<main id="api" data-description="${description}"></main>`,
    })
    write(isFirst ? 'index.html' : `${dialect}.html`, page)
  }
  // The licence of the library asks for its text beside each copy.
  write('swagger-ui.LICENSE.txt', source('LICENSE', LIBRARY))
  write('swagger-ui.NOTICE.txt', source('NOTICE', LIBRARY))
  write('swagger-ui-bundle.js.LICENSE.txt', source('swagger-ui-bundle.js.LICENSE.txt', LIBRARY))
}

/** The guide: its first page is /docs/guide, the others are below it, and the reference is beside it. */
async function buildGuide(write, keep, frame) {
  const { pages, sections } = guidePages(readGuide(), repositoryOf(JSON.parse(source('package.json'))))
  // A module, which is loaded as scripts are.
  const index = JSON.stringify(makeIndex(sections))
  const text = `export const pages = ${JSON.stringify(sections)}\nexport const index = ${index}\n`
  const indexFile = keep('index.js', text)
  const script = keep('guide.js', await bundle('pages/docs/guide.js'))
  write('minisearch.LICENSE.txt', source('LICENSE.txt', new URL('../..', import.meta.resolve('minisearch'))))
  for (const { file, address, title, html, contents } of pages) {
    const base = baseOf(file)
    const page = pageOf({
      title,
      current: address,
      base,
      top: `${base}../`,
      styles: [frame],
      scripts: [`<script type="module" src="${base}${script}"></script>`],
      body: `<div class="columns">
<div class="side">
<div class="search" role="search" hidden>
<label class="hidden" for="search">Search the guide</label>
<input id="search" type="search" placeholder="Search the guide" autocomplete="off" data-base="${base}"
 data-index="${base}${indexFile}">
<div class="results" hidden><p id="found" role="status"></p><ol id="results"></ol></div>
</div>
<button type="button" popovertarget="contents">Contents</button>
<nav id="contents" class="contents" popover aria-label="Contents">
${contents}
</nav>
</div>
<main class="text">
${html}</main>
</div>`,
    })
    write(`${address}.html`, page)
  }
}

/** The Markdown of the pages, by its path below `docs`. */
function readGuide() {
  const guide = readdirSync(new URL('docs/guide/', ROOT))
    .filter(name => name.endsWith('.md'))
    .map(name => `guide/${name}`)
  return new Map(
    [...guide, 'errors.md', 'limits.md', 'routes.md'].map(file => [file, source(`docs/${file}`)]),
  )
}

/** The address of the files of the project, if the package names a repository. */
function repositoryOf({ repository }) {
  const address = repository?.url ?? repository
  return address && `${address.replace(/^git\+|\.git$/g, '')}/blob/main/`
}

/** A program of a page with what it imports, as text. */
async function bundle(path) {
  const input = await rolldown({ input: fileURLToPath(new URL(path, ROOT)), platform: 'browser' })
  const { output } = await input.generate({ minify: true })
  return output[0].code
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

/** `base` is how the page gets from its own address to the files of /docs, `top` to the root of the service. */
function pageOf({ title, current, theme, base, top, styles, scripts, body }) {
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
<html lang="en"${theme ? ` class="${theme}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hyperslab, ${title}</title>
<link rel="icon" href="${top}favicon.ico">
${styles.map(name => `<link rel="stylesheet" href="${base}${name}">`).join('\n')}
</head>
<body>
<nav class="bar" aria-label="Service"><strong>Hyperslab</strong>
${bar.join('\n')}
</nav>
${body}
${scripts.join('\n')}
</body>
</html>
`
}

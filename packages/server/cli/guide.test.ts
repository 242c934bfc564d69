// The guide says what the product has: settings and their defaults, metrics, error codes, limits, and words of the
// page. Commands of the guide and their output are compared by test/guide/guide.test.ts.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ERROR_KINDS } from '@hyperslab/base/errors'
import { codecOf } from '@hyperslab/h5/filters'
import { describe, expect, it } from 'vitest'
import { optionsOf } from './settings/config.ts'
import { ALL_SETTINGS } from './settings/table.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PAGES = readdirSync(join(ROOT, 'docs/guide')).filter(name => name.endsWith('.md'))

/** A file, with one space where it has several or a line ends. */
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8').replace(/\s+/g, ' ')
const guide = new Map(PAGES.map(page => [page, textOf(`docs/guide/${page}`)]))
const all = [...guide.values()].join(' ')

/** The first group of each match, without those that come again, in order. */
const found = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, first = '']) => first))].sort()

const defaults = new Map(
  optionsOf(ALL_SETTINGS).map(({ flags, help }) => [
    flags.split(' ')[0],
    / \(default: (.*)\)$/.exec(help)?.[1] ?? '',
  ]),
)

it('operating.md has every setting with its default, and no other', () => {
  const rows = found(guide.get('operating.md') ?? '', /\| `(--[a-z-]+)` \|/g)
  expect(rows).toEqual([...defaults.keys(), '--config'].sort())
  for (const [name, value] of defaults) {
    // Its default is a list that no reader wants.
    if (name === '--token-algorithms') continue
    const cell = value === '' ? ' ' : ` \`${value}\` `
    expect(guide.get('operating.md')).toContain(`| \`${name}\` |${cell}|`)
  }
})

it.each(['max_snapshot_age', 'client_timeout', 'keep_alive_timeout'])('%s is as long as pages say', name => {
  const value = defaults.get(`--${name.replaceAll('_', '-')}`)
  expect(found(all, new RegExp(`\`${name}\` seconds \\((\\d+)\\)`, 'g'))).toEqual([value])
})

it('watching.md has every metric of the service, and no page has another', () => {
  const sources = readdirSync(join(ROOT, 'packages/server/http/watch')).filter(
    name => !name.endsWith('.test.ts'),
  )
  const texts = sources.map(name => textOf(`packages/server/http/watch/${name}`)).join(' ')
  const names = found(texts, /'(hyperslab_\w+)'/g)
  expect(found(guide.get('watching.md') ?? '', /`(hyperslab_[a-z_]+)`/g)).toEqual(names)
  expect(names).toEqual(expect.arrayContaining(found(all, /`(hyperslab_[a-z_]+)`/g)))
})

it('pages have error codes of the service only', () => {
  const codes = found(all, /(?:"code":"|\b[45]\d\d \[?`)([a-z]+(?:-[a-z]+)+)[`"]/g)
  expect(codes).toContain('domain-not-found')
  expect(Object.keys(ERROR_KINDS)).toEqual(expect.arrayContaining(codes))
})

it('types.md has every filter that can be undone, and no other', () => {
  const rows = found(guide.get('types.md') ?? '', /\| (\d[\d, ]*) \| (?:`\w+`|none) \|/g)
    .join(', ')
    .split(', ')
  const ids = Array.from({ length: 65_536 }, (_, id) => id).filter(id => codecOf(id))
  expect(rows.map(Number).sort((a, b) => a - b)).toEqual(ids)
})

it('the block for nginx of several-machines.md logs no more than that of deploying.md, which hides secrets', () => {
  const [one, other] = ['deploying.md', 'several-machines.md'].map(page =>
    /map \$request_uri .*? log_format .*?;|access_log [^;]+; # [^;]+ error_log [^;]+;/g[Symbol.match](
      guide.get(page) ?? '',
    ),
  )
  expect(one).toHaveLength(2)
  expect(other).toEqual(one)
})

it('browsing.md has words of the page only', () => {
  const sources = readdirSync(join(ROOT, 'packages/page/src'), { recursive: true, encoding: 'utf8' })
    .filter(name => /(?<!\.test)\.tsx?$/.test(name))
    .map(name => textOf(`packages/page/src/${name}`))
    .join(' ')
  const labels = found(guide.get('browsing.md') ?? '', /(?<![\w`])_([^_`]+)_(?!\w)/g)
  expect(labels).toContain('Upload files')
  expect(labels.filter(label => !sources.includes(label))).toEqual([])
})

const MIB = 2 ** 20

/** The numbers of docs/limits.md, which scripts/check-limits makes from the sources. */
const limits = new Map(
  [
    ...readFileSync(join(ROOT, 'docs/limits.md'), 'utf8').matchAll(
      /^\| `([^`]+)` `([^`]+)` \| `([^`]+)` \|/gm,
    ),
  ].map(([, file, name, value]) => [`${file} ${name}`, value]),
)

describe('limits in the guide', () => {
  /** Sentences in which N is the limit, in the given unit. */
  it.each<[page: string, sentence: string, limit: string, unit?: number]>([
    [
      'operating.md',
      '| one element of a type | N MiB |',
      'packages/model/datatype/parse.ts MAX_ELEMENT_SIZE',
      MIB,
    ],
    [
      'operating.md',
      '| an element of it that is stored or read | N MiB |',
      'packages/model/values/elements.ts MAX_ELEMENT_BYTES',
      MIB,
    ],
    [
      'operating.md',
      '| a region reference in a file | N coordinates',
      'packages/h5/reader/elements/element-walk.ts MAX_REGION_COORDINATES',
    ],
    [
      'operating.md',
      '| objects that a request creates | N |',
      'packages/server/http/input/creation-input.ts MAX_ITEMS',
    ],
    [
      'operating.md',
      '| groups that `implicit` creates | N in',
      'packages/server/service/creation/creation.ts MAX_IMPLICIT_GROUPS',
    ],
    [
      'operating.md',
      '| links or attributes in a batch | N |',
      'packages/server/http/input/batch-input.ts MAX_NAMED',
    ],
    [
      'operating.md',
      '| parts of variable size in an element | N |',
      'packages/model/datatype/datatype.ts MAX_SLOTS',
    ],
    [
      'operating.md',
      '| names and tags of a type, in all | N characters |',
      'packages/model/datatype/parse.ts MAX_TEXT',
    ],
    [
      'operating.md',
      '| coordinates in the lists of a selection, in all | N |',
      'packages/server/service/selection/parse.ts MAX_COORDINATES',
    ],
    [
      'operating.md',
      '| creation properties | N characters |',
      'packages/server/http/input/creation-input.ts MAX_PROPERTIES',
    ],
    ['operating.md', '| parts of a path | N |', 'packages/server/service/links/paths.ts MAX_PARTS'],
    [
      'operating.md',
      '| the target of a symbolic link | N characters |',
      'packages/server/http/input/link-input.ts MAX_PATH',
    ],
    ['operating.md', '| items of an access control list | N |', 'packages/server/service/acls.ts MAX_ITEMS'],
    ['operating.md', '| rank | N |', 'packages/model/dataset/dataspace.ts MAX_RANK'],
    [
      'operating.md',
      '| requests queued on a connection | N |',
      'packages/server/http/connection/connections.ts MAX_QUEUED',
    ],
    ['watching.md', 'finds N others queued', 'packages/server/http/connection/admission.ts MAX_WAITING'],
    ['logins.md', 'A user has at most N tokens', 'packages/server/accounts/logins.ts MAX_TOKENS'],
    [
      'browsing.md',
      'an array that would need more than N columns',
      'packages/page/src/viewer/table/columns.ts MAX_COLUMNS',
    ],
    [
      'browsing.md',
      'at most N points, evenly chosen',
      'packages/page/src/viewer/table/ColumnPlot.tsx MAX_POINTS',
    ],
    ['browsing.md', 'N with one', 'packages/page/src/viewer/plots/models/scatter.ts MAX_POINTS'],
    [
      'browsing.md',
      'Of more than N elements',
      'packages/page/src/viewer/plots/models/colour-range.ts STATISTICS_AT_ONCE',
    ],
    [
      'zarr.md',
      'A group with more than N objects below it',
      'packages/server/service/zarr/walk.ts MAX_NODES',
    ],
    [
      'zarr.md',
      'dimension of more than N datasets has no name',
      'packages/server/service/zarr/array-dimensions.ts MAX_USES',
    ],
    ['zarr.md', 'Attributes longer than N KiB', 'packages/views/zarr/attributes.ts MAX_ATTRIBUTE', 1024],
  ])('%s: %s', (page, sentence, limit, unit = 1) => {
    const value = Number(new Function(`return ${limits.get(limit)}`)()) / unit
    expect(guide.get(page)).toContain(sentence.replace('N', value.toLocaleString('en')))
  })
})

// Exported files as libhdf5 reads them: the files of make-files.py and make-structures.py, and the samples where they
// are, are imported and exported, and libhdf5 must find in the export what the store has. h5diff, where it is, compares
// the export with the file itself.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseDomainPath } from '@hyperslab/model/names'
import type { Store } from '@hyperslab/store/store'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { openMemoryStore } from '../fixtures/server.ts'
import { compareFile, type Finding } from './compare-file.ts'
import type { Description } from './description.ts'
import { DomainReader } from './domain-reader.ts'
import { exportTo, importInto } from './export-file.ts'
import { describeFiles, isMissing, makeFiles, PYTHON, run, SAMPLE_FILES } from './h5py.ts'

const DOMAIN = parseDomainPath('/test/exported.h5')

interface ExpectedValues {
  readonly file: RegExp
  readonly message: RegExp
}

/** The parts of its domain that a file rightly does not have. Each of them must be found. */
const LEFT_OUT: readonly ExpectedValues[] = [
  // Datasets without values, and user-defined links, are left out with a warning.
  {
    file: /^(damaged|external|virtual|h5ex_d_extern|tall_with_udlink)\.h5$/,
    message: /links/,
  },
  { file: /^(damaged|external|virtual|h5ex_d_extern)\.h5$/, message: /no object at unknown/ },
  // Filters that nothing here can apply, so that no chunk went through them.
  { file: /^filter_kinds-/, message: /the filters: expected \[\], got \[(4|6)\]/ },
  // Chunks that are very small in a file are stored in larger ones.
  { file: /^indexes-/, message: /the chunk extents/ },
  // Contiguous values of which only a small part was ever written are written in chunks.
  { file: /^(external|virtual-latest)\.h5$/, message: /the layout|the chunk extents/ },
  // Creation properties of h5serv whose layout names no class.
  { file: /^dset_creationprop\.h5$/, message: /the layout: expected "H5D_CONTIGUOUS", got null/ },
]

/** Files that are there to be refused. */
const NO_HDF5 = /\/(notahdf5file|no-hdf5)\.h5$/
/**
 * Files whose contents another one has in a different form of the format: their domains, and so their exports, are
 * alike.
 */
const ANOTHER_FORM =
  /\/((bounds|cache-image|killed|node-sizes|shared-messages|space|userblock|widths)[^/]*|[^/]*-earliest)\.h5$/

const folder = mkdtempSync(join(tmpdir(), 'hyperslab-export-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The differences that libhdf5 finds between an export and its domain. */
async function findingsOf(store: Store, description: Description): Promise<readonly Finding[]> {
  return store.read(async reader => {
    const found = await DomainReader.open(reader, DOMAIN, description)
    return compareFile(async () => found, description, { addressOf: found.addressOf, complete: false })
  })
}

describe.skipIf(isMissing('a Python with h5py', PYTHON !== undefined))('exports', () => {
  if (PYTHON === undefined) return
  const exported = join(folder, 'exported')
  mkdirSync(exported)
  const files = [...makeFiles(), ...SAMPLE_FILES].filter(
    file => !NO_HDF5.test(file) && !ANOTHER_FORM.test(file),
  )
  // A store for each: one that holds many files takes longer for each.
  const cases = files.map(file => ({
    name: basename(file),
    file,
    store: openMemoryStore(),
    copy: join(exported, basename(file)),
  }))
  afterAll(() => Promise.all(cases.map(({ store }) => store.close())))
  /** One process describes all, because Python takes long to start. */
  let described: readonly Description[] | undefined
  const descriptionOf = (copy: string): Description => {
    const copies = cases.map(one => one.copy)
    described ??= describeFiles(copies)
    return described[copies.indexOf(copy)]
  }

  it.each(cases)('$name is exported', async ({ file, store, copy }) => {
    await importInto(store, DOMAIN, file)
    await exportTo(store, DOMAIN, copy)
    expect(existsSync(copy)).toBe(true)
  })

  it.each(cases)('libhdf5 finds in $name what the store has', async ({ name, store, copy }) => {
    const findings = await findingsOf(store, descriptionOf(copy))
    const expected = LEFT_OUT.filter(one => one.file.test(name))
    const others = findings.filter(({ message }) => !expected.some(one => one.message.test(message)))
    const absent = expected.filter(one => !findings.some(({ message }) => one.message.test(message)))
    expect([...others, ...absent]).toEqual([])
  })
})

describe.skipIf(isMissing('a Python with h5py', PYTHON !== undefined))('an export', () => {
  if (PYTHON === undefined) return
  const file = join(folder, 'members.h5')
  const [first, second] = [join(folder, 'members-1.h5'), join(folder, 'members-2.h5')]

  it('of many links, attributes and chunks is equal to the file, and libhdf5 can change it', async () => {
    const store = openMemoryStore()
    onTestFinished(() => store.close())
    run('export-members.py', ['make', file])
    await importInto(store, DOMAIN, file)
    expect(await exportTo(store, DOMAIN, first)).toEqual([])
    await exportTo(store, DOMAIN, second)
    // Equal domains give equal bytes.
    expect(Buffer.compare(readFileSync(first), readFileSync(second))).toBe(0)
    expect(run('export-members.py', ['compare', file, first])).toBe('equal\n')
    expect(run('export-members.py', ['change', first])).toBe('changed\n')
  })
})

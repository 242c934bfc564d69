// Files of every structure, and the samples where they are, against libhdf5: what the reader gives of each file, and
// what the store holds after the file was imported. `npm run compare` does the same with a folder of files.

import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { basic } from '@hyperslab/client'
import type { ImportTarget } from '@hyperslab/files/import'
import { importFile, type OpenFileSource, openFileSource, openStoreTarget } from '@hyperslab/files/import'
import { parseDomainPath } from '@hyperslab/model/names'
import { openFilterThreads } from '@hyperslab/store/chunks'
import type { Store } from '@hyperslab/store/store'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { ServerDestination } from '../../packages/server/cli/import/import-into-server.ts'
import { readSettings } from '../../packages/server/cli/settings/config.ts'
import { ALL_PERMISSIONS } from '../../packages/server/service/access/access.ts'
import { accessWithin } from '../../packages/server/service/access/folder-access.ts'
import { openMemoryStore, serverOf } from '../fixtures/server.ts'
import { NO_ACCOUNTS } from '../fixtures/service.ts'
import { compareFile, type Finding } from './compare-file.ts'
import type { Description } from './description.ts'
import { DomainReader } from './domain-reader.ts'
import { describeFiles, isMissing, makeFiles, PYTHON, SAMPLE_FILES } from './h5py.ts'
import { type MountedDomain, mountFile } from './mounted-file.ts'
import { openReader } from './open-reader.ts'

const DOMAIN = parseDomainPath('/test/imported.h5')

interface ExpectedValues {
  readonly file: RegExp
  readonly path: RegExp
  readonly kind: Finding['kind']
  readonly message: RegExp
}

const expected = (file: RegExp, path: RegExp, kind: Finding['kind'], message: RegExp): ExpectedValues => ({
  file,
  path,
  kind,
  message,
})

/** Where the reader rightly differs from libhdf5. Each of them must be found. */
const READ: readonly ExpectedValues[] = [
  // libhdf5 gives fill values, which look like data.
  expected(/^virtual.h5$/, /^.virtual missing$/, 'refused', /nowhere.h5/),
  expected(/^virtual.h5$/, /^.virtual unknown$/, 'refused', /virtual-source.h5/),
  // The model has at most 2^53 elements.
  expected(/^storage-/, /^.enormous$/, 'refused', /2\^53 elements/),
  // Everything that is there is read.
  expected(/^cut.h5$/, /^$/, 'beyond', /truncated file/),
]

/** A file that h5serv made: its table of ids is not data, and creation properties are those that h5serv wrote there. */
const MADE_BY_H5SERV: readonly ExpectedValues[] = [
  expected(/^dset_creationprop.h5$/, /^.$/, 'different', /the links: expected \["__db__ /),
  expected(/^dset_creationprop.h5$/, /^$/, 'different', /no link leads to/),
  expected(
    /^dset_creationprop.h5$/,
    /^.dset1$/,
    'different',
    /the layout: expected "H5D_CONTIGUOUS", got null/,
  ),
  expected(
    /^dset_creationprop.h5$/,
    /^.dset1$/,
    'different',
    /the allocation time: .* got "H5D_ALLOC_TIME_INCR"/,
  ),
  expected(/^dset_creationprop.h5$/, /^.dset1$/, 'different', /the fill time: .* got "H5D_FILL_TIME_NEVER"/),
]

/** Where the store differs besides: references to objects that no link leads to are null. */
const IMPORTED: readonly ExpectedValues[] = [
  ...MADE_BY_H5SERV,
  ...READ.filter(({ message }) => !message.test('2^53 elements')),
  expected(/^storage-/, /^$/, 'different', /no link leads to/),
  expected(/^storage-/, /^.$/, 'different', /the links.*enormous/),
  expected(/^reference_kinds-/, /^.to unlinked /, 'different', /got @null/),
  expected(/^(references-\w+|userblock).h5$/, /^.dangling /, 'different', /got @null/),
]

/** Where a mounted file differs besides. */
const MOUNTED: readonly ExpectedValues[] = [
  ...MADE_BY_H5SERV,
  ...READ.filter(({ message }) => !message.test('2^53 elements')),
  expected(/^storage-/, /^$/, 'different', /no link leads to/),
  expected(/^storage-/, /^.$/, 'different', /the links.*enormous/),
  // The objects are deleted.
  expected(/^reference_kinds-/, /^.to unlinked /, 'different', /got @null/),
  expected(/^(references-\w+|userblock).h5$/, /^.dangling /, 'different', /got @null/),
]

/** Where files that are sent to a server differ besides. */
const SENT_FILES: readonly ExpectedValues[] = [
  ...IMPORTED.filter(({ kind }) => kind !== 'refused'),
  // Datasets without values have no place in the one file that is sent.
  expected(/^(external|virtual).h5$/, /^.$/, 'different', /the links.*missing/),
  expected(/^(external|virtual).h5$/, /^$/, 'different', /no link leads to/),
  // In one file, what can grow is in chunks.
  expected(/^external.h5$/, /^.unlimited$/, 'different', /the layout|the chunk extents/),
]

function isExpected(file: string, finding: Finding, known: ExpectedValues): boolean {
  return (
    known.file.test(file) &&
    known.path.test(finding.path) &&
    known.kind === finding.kind &&
    known.message.test(finding.message)
  )
}

/** Findings that are none of the expected ones, and expected ones that were not found. */
function surprises(
  file: string,
  findings: readonly Finding[],
  known: readonly ExpectedValues[],
): readonly unknown[] {
  const others = findings.filter(finding => !known.some(one => isExpected(file, finding, one)))
  const absent = known.filter(
    one => one.file.test(file) && !findings.some(finding => isExpected(file, finding, one)),
  )
  return [...others, ...absent]
}

async function importInto(
  file: string,
  openTarget: (source: OpenFileSource) => Promise<ImportTarget>,
): Promise<readonly string[]> {
  const source = openFileSource(file)
  const reader = await openReader(file)
  try {
    const target = await openTarget(source)
    const signal = new AbortController().signal
    const requireUnchanged = () => source.requireUnchanged()
    const { warnings } = await importFile(reader, target, {
      signal,
      progress: () => {},
      requireUnchanged,
      file: { size: source.size, pieces: stop => source.pieces(stop) },
    })
    return warnings.map(({ path, message }) => `${path}: ${message}`)
  } finally {
    await reader.close()
    source.close()
  }
}

const store = openMemoryStore()
const ANYONE = { password: { plain: 'right' }, groups: [], admin: true }
const server = serverOf(store, { accounts: { ...NO_ACCOUNTS, find: () => ANYONE } })
let port: number | undefined

afterAll(async () => {
  await server.close()
  await store.close()
})

async function findingsOfDomain(store: Store, expected: Description): Promise<readonly Finding[]> {
  return store.read(async reader => {
    const domain = await DomainReader.open(reader, DOMAIN, expected)
    return compareFile(async () => domain, expected, { addressOf: domain.addressOf, complete: false })
  })
}

/** Files that are alone, and files whose values are in others. */
const SENT = /^((compounds|references)-earliest|tall_with_udlink|external|virtual)\.h5$/

describe.skipIf(isMissing('a Python with h5py', PYTHON !== undefined))('files', () => {
  if (PYTHON === undefined) return
  isMissing('the folder of sample files', SAMPLE_FILES.length > 0)
  const files = [...makeFiles(), ...SAMPLE_FILES]
  const descriptions = describeFiles(files)
  const cases = files.map((file, index) => ({ name: basename(file), file, expected: descriptions[index] }))

  it.each(cases)('$name is read as libhdf5 reads it', async ({ name, file, expected }) => {
    expect(surprises(name, await compareFile(() => openReader(file), expected), READ)).toEqual([])
  })

  it.each(cases)('$name is imported as libhdf5 reads it', async ({ name, file, expected }) => {
    // A store of its own: one that holds many files takes longer for each.
    const store = openMemoryStore()
    onTestFinished(() => store.close())
    const openTarget = ({ size, lastModified }: OpenFileSource) =>
      openStoreTarget(store, {
        path: DOMAIN,
        file: { size, lastModified },
        readOnly: false,
        replace: false,
        accessWithin: (reader, folder) => accessWithin(reader, folder, { defaultAcl: ALL_PERMISSIONS }),
      })
    if (!expected.objects && !READ.some(one => one.file.test(name)))
      return expect(importInto(file, openTarget)).rejects.toThrow(file)
    await importInto(file, openTarget)
    const time = Math.floor(statSync(file).mtimeMs * 1000)
    const { created, lastModified } = (await store.read(reader => reader.domain(DOMAIN))) ?? {}
    expect([created, lastModified]).toEqual([time, time])
    expect(surprises(name, await findingsOfDomain(store, expected), IMPORTED)).toEqual([])
  })

  it.each(cases)('$name is mounted as libhdf5 reads it', async ({ name, file, expected }) => {
    let addressOf: MountedDomain['addressOf'] | undefined
    const open = async () => {
      const mounted = await mountFile(file, DOMAIN, expected.root ?? '')
      onTestFinished(mounted.close)
      addressOf = mounted.addressOf
      return DomainReader.open(mounted.reader, DOMAIN, expected, addressOf)
    }
    const findings = await compareFile(open, expected, {
      addressOf: id => addressOf?.(id) ?? id,
      complete: false,
    })
    expect(surprises(name, findings, MOUNTED)).toEqual([])
  })

  const sent = cases.filter(({ name }) => SENT.test(name))
  it.each(sent)('$name is imported into a server as libhdf5 reads it', async ({ name, file, expected }) => {
    const endpoint = `http://127.0.0.1:${(port ??= await server.listen('127.0.0.1', 0))}`
    const filterRunner = openFilterThreads()
    const source = openFileSource(file)
    onTestFinished(async () => {
      source.close()
      await filterRunner.close()
    })
    const authorization = basic('ann', 'right')
    const settings = readSettings({}, {})
    const destination = new ServerDestination({
      endpoint,
      authorization,
      replace: true,
      settings,
      filterRunner,
    })
    const signal = new AbortController().signal
    const local = { name: file, source, root: dirname(file), path: DOMAIN, isReadOnly: false }
    await destination.import(local, { signal, progress() {}, strict: false })
    expect(surprises(name, await findingsOfDomain(store, expected), SENT_FILES)).toEqual([])
  })
})

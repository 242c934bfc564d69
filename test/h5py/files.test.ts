// Files of every structure, and the samples where they are, against libhdf5: what the reader gives of each file, and what the store
// holds after the file was imported. `npm run compare` does the same with a folder of files.

import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { openHttpTarget } from '../../src/cli/remote-target.ts'
import { formatDnsName, parseDomainPath } from '../../src/hdf5/domain-path.ts'
import { ALL_PERMISSIONS } from '../../src/service/access/access.ts'
import type { Store } from '../../src/storage/store.ts'
import { type OpenFileSource, openFileSource } from '../../src/transfer/file-source.ts'
import { importFile } from '../../src/transfer/import-file.ts'
import { openStoreTarget } from '../../src/transfer/store-target.ts'
import type { ImportTarget } from '../../src/transfer/target.ts'
import { openMemoryStore, serverOf } from '../fixtures/server.ts'
import { compareFile, type Finding } from './compare-file.ts'
import type { Description } from './description.ts'
import { DomainReader } from './domain-reader.ts'
import { describeFiles, isMissing, makeFiles, PYTHON, SAMPLE_FILES } from './h5py.ts'
import { type MountedDomain, mountFile } from './mounted-file.ts'
import { openReader } from './open-reader.ts'

const DOMAIN = parseDomainPath('/test/imported.h5')

interface Expected {
  readonly file: RegExp
  readonly path: RegExp
  readonly kind: Finding['kind']
  readonly message: RegExp
}

const expected = (file: RegExp, path: RegExp, kind: Finding['kind'], message: RegExp): Expected => ({
  file,
  path,
  kind,
  message,
})

/** Where the reader rightly differs from libhdf5. Each of them must be found. */
const READ: readonly Expected[] = [
  // libhdf5 gives fill values, which nobody can tell from data.
  expected(/^virtual.h5$/, /^.virtual missing$/, 'refused', /nowhere.h5/),
  expected(/^virtual.h5$/, /^.virtual unknown$/, 'refused', /virtual-source.h5/),
  // The model has at most 2^53 elements.
  expected(/^storage-/, /^.enormous$/, 'refused', /2\^53 elements/),
  // What is there is read.
  expected(/^cut.h5$/, /^$/, 'beyond', /truncated file/),
]

/** Where the store differs besides: references to objects that no link leads to are null. */
const IMPORTED: readonly Expected[] = [
  ...READ.filter(({ message }) => !message.test('2^53 elements')),
  expected(/^storage-/, /^$/, 'different', /no link leads to/),
  expected(/^storage-/, /^.$/, 'different', /the links.*enormous/),
  expected(/^reference_kinds-/, /^.to unlinked /, 'different', /got @null/),
  expected(/^(references-\w+|userblock).h5$/, /^.dangling /, 'different', /got @null/),
  expected(/^committed-/, /^.of a deleted type$/, 'different', /the committed type/),
]

/** Where a mounted file differs besides. */
const MOUNTED: readonly Expected[] = [
  ...READ.filter(({ message }) => !message.test('2^53 elements')),
  expected(/^storage-/, /^$/, 'different', /no link leads to/),
  expected(/^storage-/, /^.$/, 'different', /the links.*enormous/),
  // The objects are deleted.
  expected(/^reference_kinds-/, /^.to unlinked /, 'different', /got @null/),
  expected(/^(references-\w+|userblock).h5$/, /^.dangling /, 'different', /got @null/),
]

/** Where HTTP carries less. */
const OVER_HTTP: readonly Expected[] = [
  ...IMPORTED,
  expected(/^text-earliest.h5$/, /^.space$/, 'different', /the type/),
  expected(/^tall_with_udlink.h5$/, /^.g2$/, 'different', /user-defined/),
]

function isExpected(file: string, finding: Finding, known: Expected): boolean {
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
  known: readonly Expected[],
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
const server = serverOf(store, { http: { maxJsonBody: 2 ** 28 } })
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

/** Files that show how objects, values and references are written over HTTP. */
const SENT =
  /^((compounds|enums|links|numbers|references|sequences|text|bits)-earliest|tall_with_udlink|committed_type|dim_scale|null_space_attr|null_space_dset|opaque_dset|resizable)\.h5$/

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
        access: { defaultAcl: ALL_PERMISSIONS },
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

  const overHttp = cases.filter(({ name }) => SENT.test(name))
  it.each(overHttp)('$name is imported over HTTP as libhdf5 reads it', async ({ name, file, expected }) => {
    const endpoint = `http://127.0.0.1:${(port ??= await server.listen('127.0.0.1', 0))}`
    const dnsName = formatDnsName(DOMAIN, 'example.org')
    await store.write(async writer => {
      if (await writer.domain(DOMAIN)) await writer.deleteDomain(DOMAIN)
    })
    await importInto(file, () => openHttpTarget({ endpoint, dnsName, path: DOMAIN }))
    expect(surprises(name, await findingsOfDomain(store, expected), OVER_HTTP)).toEqual([])
  })
})

// Records of the files of a joined domain: they are there for other processes, and gone with the domain.

import { parseDomainPath } from '@hyperslab/model/names'
import { beforeEach, describe, expect, it } from 'vitest'
import { newRoot } from '../../../test/conformance/sample-objects.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import type { KeyValue } from '../interfaces/engine.ts'
import type { KeptOutline, KnownFile, KnownFiles } from '../interfaces/joined-domains.ts'
import { objectKey } from '../records/keys.ts'
import { encodeRecord } from '../records/record.ts'
import { knownFilesOf, setKnownFiles } from './known-files.ts'

const ROOT = newRoot()
const NO_ROOT = newRoot()

let keyValue: KeyValue
let known: KnownFiles
let warnings: string[]

beforeEach(async () => {
  keyValue = openMemoryEngine().keyValue
  warnings = []
  known = knownFilesOf(keyValue, message => warnings.push(message))
  const set = { op: 'set', key: objectKey(ROOT, 'record'), value: encodeRecord({ created: 1 }) } as const
  await keyValue.commit({ expect: [], changes: [set] })
})

async function outlinesOf(root = ROOT): Promise<readonly KeptOutline[]> {
  const found: KeptOutline[] = []
  for await (const one of known.outlines(root)) found.push(one)
  return found
}

const outline = (key: string, data?: Uint8Array): KeptOutline => ({
  key,
  head: { ends: [1n, Number.NaN], datasets: new Map([['/d', { dims: [3] }]]) },
  ...(data && { data }),
})

describe('known files', () => {
  it('are read back with their places and their parts, in the order of the keys', async () => {
    const files: readonly KnownFile[] = [
      { path: parseDomainPath('/f/b'), length: 2, after: parseDomainPath('/f/a') },
      { path: parseDomainPath('/f/a'), length: 0 },
    ]
    await known.write(ROOT, files)
    expect(new Set((await known.read(ROOT)).values())).toEqual(new Set(files))
    const parts = [outline('/f/b', Uint8Array.of(1, 0, 2)), outline('#x'), outline('/f/a', Uint8Array.of(0))]
    await known.keepOutlines(ROOT, parts)
    expect(await outlinesOf()).toEqual([parts[1], parts[2], parts[0]])
    await known.keepOutlines(ROOT, [outline('/f/c')], ['/f/a', '/f/none'])
    expect((await outlinesOf()).map(({ key }) => key)).toEqual(['#x', '/f/b', '/f/c'])
    expect(warnings).toEqual([])
  })

  it('are more than one commit has', async () => {
    const parts = Array.from({ length: 2500 }, (_, i) => outline(`/f/${i}`))
    await known.keepOutlines(ROOT, parts)
    expect(await outlinesOf()).toHaveLength(2500)
  })

  it('are not written for a domain that is gone', async () => {
    await known.write(NO_ROOT, [{ path: parseDomainPath('/f/a'), length: 1 }])
    await known.keepOutlines(NO_ROOT, [outline('/f/a')])
    expect([(await known.read(NO_ROOT)).size, await outlinesOf(NO_ROOT)]).toEqual([0, []])
  })

  it('that cannot be written are a warning', async () => {
    const failing = { ...keyValue, snapshot: () => keyValue.snapshot(), commit: () => Promise.reject('full') }
    known = knownFilesOf(failing as KeyValue, message => warnings.push(message))
    await known.keepOutlines(ROOT, [outline('/f/a')])
    await known.write(ROOT, [{ path: parseDomainPath('/f/a'), length: 1 }])
    expect(await known.setProgress(ROOT, { limit: 1, done: 1 }, undefined)).toBe(false)
    expect(warnings).toEqual([
      'the structures of files of a joined domain were not stored: full',
      'the places of files of a joined domain were not stored: full',
      'the progress of a joined domain was not stored: full',
    ])
  })
})

describe('the progress', () => {
  it('is changed by one process only, and no outline', async () => {
    const first = { limit: 3, done: 3 }
    const next = { limit: 5, done: 5 }
    expect([await known.progress(ROOT), await known.setProgress(ROOT, first, next)]).toEqual([
      undefined,
      false,
    ])
    const changes: { key: Uint8Array; value: Uint8Array }[] = []
    setKnownFiles(
      { set: (key: Uint8Array, value: Uint8Array) => changes.push({ key, value }) } as never,
      ROOT,
      [],
      first,
    )
    await keyValue.commit({ expect: [], changes: changes.map(change => ({ op: 'set', ...change })) })
    expect(await known.progress(ROOT)).toEqual(first)
    expect(await outlinesOf()).toEqual([])
    const both = await Promise.all([
      known.setProgress(ROOT, first, next),
      known.setProgress(ROOT, first, next),
    ])
    expect(both.toSorted()).toEqual([false, true])
    expect(await known.setProgress(NO_ROOT, next, undefined)).toBe(false)
    expect(await known.setProgress(ROOT, next, undefined)).toBe(true)
    expect(await known.progress(ROOT)).toBeUndefined()
  })
})

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '../interfaces/engine.ts'
import { openFolderBlobs, serveFolderRecords } from './data-folder.ts'
import { open } from './lmdb/lmdb.ts'
import { inFolder } from './location.ts'
import { openEngine } from './open-engine.ts'

let folder: string
const engines: Engine[] = []

async function openFolder(path = folder): Promise<Engine> {
  const engine = await openEngine(inFolder(path))
  engines.push(engine)
  return engine
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-open-'))
})
afterEach(async () => {
  await Promise.all(engines.splice(0).map(engine => engine.close()))
  await rm(folder, { recursive: true })
})

const bytes = (text: string) => new TextEncoder().encode(text)
const setTo = (key: string, value: string) =>
  ({ expect: [], changes: [{ op: 'set', key: bytes(key), value: bytes(value) }] }) as const

async function get(engine: Engine, key: string): Promise<string | undefined> {
  const snapshot = engine.keyValue.snapshot()
  const value = await snapshot.get(bytes(key))
  snapshot.close()
  return value && Buffer.from(value).toString()
}

describe('the data folder', () => {
  it('is created with what is missing above it', async () => {
    const path = join(folder, 'some', 'where', 'data')
    await openFolder(path)
    expect((await readdir(path)).sort()).toEqual(['blobs', 'hyperslab.json', 'lmdb'])
    expect(await readFile(join(path, 'hyperslab.json'), 'utf8')).toBe('{"format":7}\n')
    expect((await readdir(join(path, 'lmdb'))).sort()).toEqual(['data.mdb', 'lock.mdb'])
  })

  it('keeps records and blobs from one opening to the next', async () => {
    const engine = await openFolder()
    await engine.keyValue.commit(setTo('k', 'kept'))
    await engine.blobs.put('ab/01', [bytes('kept')])
    await engine.close()
    const again = await openFolder()
    expect(await get(again, 'k')).toBe('kept')
    expect(await again.blobs.read('ab/01', 0, new Uint8Array(10))).toBe(4)
  })

  it('may hold other files, and empty folders of the names that it needs', async () => {
    await writeFile(join(folder, '.gitignore'), '*')
    await mkdir(join(folder, 'lmdb'))
    await mkdir(join(folder, 'blobs'))
    await openFolder()
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).toBe('*')
  })

  it.each(['lmdb', 'blobs'])(
    'with a filled %s but no hyperslab.json is refused and left as it is',
    async name => {
      await mkdir(join(folder, name))
      await writeFile(join(folder, name, 'file'), '')
      await expect(openEngine(inFolder(folder))).rejects.toThrow(`${folder} holds data but no hyperslab.json`)
      expect(await readdir(folder)).toEqual([name])
    },
  )

  it.each<[string, string, string]>([
    [
      'a newer format',
      '{"format": 8}',
      'names the format 8, but this version of Hyperslab reads the format 7: use a newer version',
    ],
    [
      'an older format',
      '{"format": 1}',
      'names the format 1, but this version of Hyperslab reads the format 7: use an older version',
    ],
    ['no format', '{}', 'should hold {"format": 7} but holds {}'],
    ['no object', 'null', 'should hold {"format": 7} but holds null'],
    ['no JSON', '{"format": 1', 'should hold {"format": 7} but holds'],
    ['nothing', '', 'should hold {"format": 7}'],
  ])('with %s is refused', async (_case, text, message) => {
    await writeFile(join(folder, 'hyperslab.json'), text)
    await expect(openEngine(inFolder(folder))).rejects.toThrow(message)
  })

  describe('of an older format', () => {
    const formatNow = () => readFile(join(folder, 'hyperslab.json'), 'utf8')
    const older = '{"format":5}\n'

    it('is raised, which is said, or keeps it, or is refused', async () => {
      await (await openEngine(inFolder(folder))).close()
      await writeFile(join(folder, 'hyperslab.json'), older)
      const open = async (olderFormat: 'keep' | 'refuse' | 'raise') => {
        const warnings: string[] = []
        const warn = (message: string) => warnings.push(message)
        await (await openEngine(inFolder(folder), { olderFormat, warn })).close()
        return warnings
      }
      expect([await open('keep'), await formatNow()]).toEqual([[], older])
      await expect(open('refuse')).rejects.toThrow('has the format 5, and this version writes the format 7')
      expect(await formatNow()).toBe(older)
      const raised = `${folder} had the format 5 and has the format 7 now`
      expect([await open('raise'), await formatNow()]).toEqual([
        [expect.stringContaining(raised)],
        '{"format":7}\n',
      ])
      expect(await open('raise')).toEqual([])
    })

    it('is not raised while a service of that format has it open', async () => {
      const engine = await openFolder()
      const service = await serveFolderRecords(folder, engine.keyValue)
      await writeFile(join(folder, 'hyperslab.json'), older)
      await expect(openEngine(inFolder(folder))).rejects.toThrow('a service of an earlier version has')
      expect(await formatNow()).toBe(older)
      await service?.close()
      await openFolder()
      expect(await formatNow()).toBe('{"format":7}\n')
    })
  })

  it('may be created by several at once', async () => {
    const opened = await Promise.all([1, 2, 3].map(() => openFolder()))
    await Promise.all(opened.map((engine, number) => engine.keyValue.commit(setTo(`k${number}`, 'v'))))
    for (const engine of opened) {
      for (const number of [0, 1, 2]) expect(await get(engine, `k${number}`)).toBe('v')
    }
    expect((await readdir(folder)).sort()).toEqual(['blobs', 'hyperslab.json', 'lmdb'])
  })

  it('that several create at once for values has one id, and belongs to one store', async () => {
    const open = (store: string) => openFolderBlobs(folder, { holds: 'blobs', store })
    const [first, ...others] = await Promise.all(['one', 'one', 'one'].map(open))
    expect(others.map(({ locationId }) => locationId)).toEqual([first.locationId, first.locationId])
    await Promise.all([first, ...others].map(blobs => blobs.close()))
    await rm(join(folder, 'hyperslab.json'))
    await rm(join(folder, 'blobs'), { recursive: true })
    const results = await Promise.allSettled(['one', 'other'].map(open))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    for (const result of results) if (result.status === 'fulfilled') await result.value.close()
  })

  it('that is a file is refused', async () => {
    await writeFile(join(folder, 'file'), '')
    await expect(openEngine(inFolder(join(folder, 'file')))).rejects.toThrow(/EEXIST|ENOTDIR/)
  })
})

describe('commits', () => {
  it('that are made at the same time share one transaction of LMDB', async () => {
    const engine = await openFolder()
    const lmdb = open({ path: join(folder, 'lmdb'), overlappingSync: false })
    const transactions = () => {
      lmdb.resetReadTxn()
      return (lmdb.getStats() as { lastTxnId: number }).lastTxnId
    }
    const before = transactions()
    await Promise.all(
      Array.from({ length: 100 }, (_, number) => engine.keyValue.commit(setTo(`k${number}`, 'v'))),
    )
    expect(transactions() - before).toBeLessThan(20)
    await lmdb.close()
  })
})

describe('blob files', () => {
  it('files that are no blobs are not listed, and folders that became empty are removed', async () => {
    const engine = await openFolder()
    await engine.blobs.put('ab/cd/01', [bytes('x')])
    await writeFile(join(folder, 'blobs', 'ab', '.hidden'), '')
    await writeFile(join(folder, 'blobs', 'README'), '')
    const listed: string[] = []
    for await (const name of engine.blobs.list('')) listed.push(name)
    expect(listed).toEqual(['ab/cd/01'])
    await engine.blobs.delete('ab/cd/01')
    expect(await readdir(join(folder, 'blobs', 'ab'))).toEqual(['.hidden'])
  })

  it('a blob that is in the way of another one is not harmed', async () => {
    const engine = await openFolder()
    await engine.blobs.put('ab', [bytes('x')])
    await expect(engine.blobs.put('ab/01', [bytes('y')])).rejects.toThrow(Error)
    await engine.blobs.delete('ab/01')
    expect(await engine.blobs.read('ab', 0, new Uint8Array(2))).toBe(1)
  })
})

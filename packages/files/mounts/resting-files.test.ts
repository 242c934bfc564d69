import { type ByteSource, readRange } from '@hyperslab/h5/reader'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LocalFile } from './local-file.ts'
import { type ReopenableFile, RestingFiles } from './resting-files.ts'

const LIMIT = 3

let openNow = 0
let mostOpen = 0
let reading = 0
let mostReading = 0
let looks = 0

beforeEach(() => {
  openNow = 0
  mostOpen = 0
  reading = 0
  mostReading = 0
  looks = 0
})

/** A file of one byte that changes when `state` does. */
function fileOf(byte: number, state = { now: 's' }): ReopenableFile {
  const first = state.now
  return {
    name: `/m/${byte}`,
    owner: state,
    onRead() {},
    async open() {
      if (state.now !== first) return undefined
      mostOpen = Math.max(mostOpen, ++openNow)
      const source: ByteSource = {
        size: 1,
        stamp: first,
        async read() {
          mostReading = Math.max(mostReading, ++reading)
          await new Promise(setImmediate)
          reading--
          return [Uint8Array.of(byte)]
        },
        readInto: async () => 0,
      }
      return {
        source,
        async isUnchanged() {
          looks++
          return state.now === first
        },
        close: () => openNow--,
      }
    },
  }
}

async function opened(files: RestingFiles, file: ReopenableFile): Promise<LocalFile> {
  const found = await files.open(file)
  if (!found) throw new Error(`${file.name} is not there`)
  return found
}

const byteOf = async (file: LocalFile) => (await readRange(file, 0, 1))[0]

describe('files that rest', () => {
  it('are read although there are more than may be open, one after another and together', async () => {
    const files = new RestingFiles(LIMIT)
    const all: LocalFile[] = []
    for (let i = 0; i < 20; i++) all.push(await opened(files, fileOf(i)))
    const bytes = Array.from({ length: 20 }, (_, i) => i)
    const inTurn: number[] = []
    for (const file of all) inTurn.push(await byteOf(file))
    expect(inTurn).toEqual(bytes)
    expect(await Promise.all(all.map(byteOf))).toEqual(bytes)
    expect([mostOpen, mostReading]).toEqual([LIMIT, LIMIT])
    for (const file of all) file.close()
    expect(openNow).toBe(0)
  })

  it('stay open while there is room', async () => {
    const files = new RestingFiles(LIMIT)
    const all = await Promise.all([0, 1, 2].map(byte => opened(files, fileOf(byte))))
    await Promise.all(all.map(byteOf))
    expect(openNow).toBe(LIMIT)
  })

  it('are never more than may be open, whatever happens at once', async () => {
    const files = new RestingFiles(LIMIT)
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => opened(files, fileOf(i))))
    await Promise.all([...all, ...all.toReversed()].map(byteOf))
    expect(mostOpen).toBe(LIMIT)
  })

  it('are looked at when they are closed, so that they need not be opened for it', async () => {
    const files = new RestingFiles(1)
    const state = { now: 's' }
    const file = await opened(files, fileOf(1, state))
    await byteOf(file)
    await opened(files, fileOf(2))
    expect([looks, openNow]).toEqual([1, 1])
    state.now = 'other'
    expect(await file.isUnchanged()).toBe(true)
    expect([looks, mostOpen]).toEqual([1, 1])
  })

  it('are read in their first state, or not at all', async () => {
    const files = new RestingFiles(1)
    const state = { now: 's' }
    const file = await opened(files, fileOf(1, state))
    await byteOf(file)
    state.now = 'other'
    await opened(files, fileOf(2))
    await expect(file.isUnchanged()).rejects.toMatchObject({ code: 'file-changed', subject: '/m/1' })
    await expect(byteOf(file)).rejects.toMatchObject({ code: 'file-changed', subject: '/m/1' })
    state.now = 's'
    expect(await byteOf(file)).toBe(1)
  })
})

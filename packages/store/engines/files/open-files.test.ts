import { existsSync, readdirSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileSlots } from './file-slots.ts'
import { OpenFiles } from './open-files.ts'

let folder: string
const path = (number: number) => join(folder, String(number))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-files-'))
  for (let number = 0; number < 20; number++) await writeFile(path(number), `content ${number}`)
})
afterEach(() => rm(folder, { recursive: true }))

async function content(files: OpenFiles, number: number): Promise<string> {
  const into = new Uint8Array(20)
  return Buffer.from(into.subarray(0, await files.read(path(number), 0, into))).toString()
}

/** How many files of the folder this process has open, deleted ones included. */
function openDescriptors(): number {
  return readdirSync('/proc/self/fd').filter(name => {
    try {
      return readlinkSync(join('/proc/self/fd', name)).startsWith(folder)
    } catch {
      return false
    }
  }).length
}

describe.skipIf(!existsSync('/proc/self/fd'))('open files', () => {
  it('no more than the capacity stay open, however many are read at once', async () => {
    const files = new OpenFiles(4, new FileSlots(100))
    for (let round = 0; round < 3; round++) {
      const all = await Promise.all(Array.from({ length: 20 }, (_, number) => content(files, number)))
      expect(all).toEqual(all.map((_, number) => `content ${number}`))
    }
    await files.close()
    expect(openDescriptors()).toBe(0)
  })

  it('the files most recently read stay open, the others not', async () => {
    const files = new OpenFiles(2, new FileSlots(100))
    for (const number of [0, 1, 0, 2, 0]) await content(files, number)
    await unlink(path(0))
    await unlink(path(1))
    expect(await content(files, 0)).toBe('content 0')
    await expect(content(files, 1)).rejects.toThrow('ENOENT')
    await files.close()
    expect(openDescriptors()).toBe(0)
  })

  it('a file that is forgotten while it is read is read to the end, and then opened anew', async () => {
    const files = new OpenFiles(4, new FileSlots(100))
    const reading = [content(files, 0), content(files, 0)]
    files.forget(path(0))
    expect(await Promise.all(reading)).toEqual(['content 0', 'content 0'])
    await writeFile(path(0), 'other')
    expect(await content(files, 0)).toBe('other')
    await files.close()
    expect(openDescriptors()).toBe(0)
  })

  it('a file that was missing can be read once it is there', async () => {
    const files = new OpenFiles(4, new FileSlots(100))
    await Promise.allSettled([content(files, 99), content(files, 99)])
    await writeFile(path(99), 'now')
    expect(await content(files, 99)).toBe('now')
    await files.close()
  })

  it('give their slots to those that wait, and no more are open than there are slots', async () => {
    const slots = new FileSlots(3)
    const files = new OpenFiles(10, slots)
    const all = Array.from({ length: 20 }, (_, number) => content(files, number))
    const others = slots.take(2).then(() => openDescriptors())
    expect(await Promise.all(all)).toEqual(all.map((_, number) => `content ${number}`))
    expect(await others).toBeLessThanOrEqual(1)
    slots.give(2)
    // All files are closed, so that no read below waits: a file that a read leaves while another waits is closed too.
    await slots.take(3)
    slots.give(3)
    await Promise.all([content(files, 1), content(files, 2), content(files, 3)])
    expect(openDescriptors()).toBe(3)
    await expect(content(files, 99)).rejects.toThrow('ENOENT')
    await slots.take(3)
    expect(openDescriptors()).toBe(0)
    slots.give(3)
    await files.close()
  })

  it('close waits for reads under way', async () => {
    const files = new OpenFiles(4, new FileSlots(100))
    let read = ''
    const reading = Promise.all([content(files, 0), content(files, 1), content(files, 99).catch(() => '')])
    void reading.then(contents => {
      read = contents.join()
    })
    await files.close()
    expect(openDescriptors()).toBe(0)
    await reading
    expect(read).toBe('content 0,content 1,')
  })
})

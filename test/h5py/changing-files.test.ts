// Mounted files that are replaced, or that a SWMR writer appends to, between ranges and while they are sent: another
// state has another tag, conditions notice it, and no answer has bytes of two states.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedHere, serveHere } from '../fixtures/served.ts'
import { type Reply, sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'
import { isMissing, PYTHON } from './h5py.ts'

const missing = isMissing('a Python with h5py', PYTHON !== undefined)

/** Does what each line says, and prints it: `new PATH VALUE`, `open PATH`, `append ROWS`, `count PATH`. */
const WRITER = `
import sys, h5py, numpy
file = None
for line in sys.stdin:
    word, *rest = line.split()
    if word == "new":
        with h5py.File(rest[0], "w") as made:
            made["d"] = numpy.full(2000000, int(rest[1]), "u1")
            made.create_dataset("z", data=numpy.full(1000, int(rest[1]), "i4"), chunks=(1000,), compression="gzip")
    elif word == "open":
        file = h5py.File(rest[0], "w", libver="latest")
        rows = file.create_dataset("rows", (0,), "i8", maxshape=(None,), chunks=(512,))
        file.swmr_mode = True
    elif word == "append":
        size = rows.shape[0] + int(rest[0])
        rows.resize((size,))
        rows[size - int(rest[0]):] = numpy.arange(size - int(rest[0]), size)
        rows.flush()
    elif word == "count":
        with h5py.File(rest[0], "r", swmr=True) as copy:
            values = copy["rows"][...]
            print("torn" if (values != numpy.arange(len(values))).any() else len(values), flush=True)
            continue
    print(line.strip(), flush=True)
`

describe.skipIf(missing)('a mounted file', () => {
  let directory: string
  let server: ServedHere
  const writer = spawn(PYTHON ?? 'python3', ['-c', WRITER], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(writer.stdout)

  async function tell(line: string): Promise<string> {
    const answer = once(lines, 'line')
    writer.stdin.write(`${line}\n`)
    return String((await answer)[0])
  }

  const pathOf = (name: string) => join(directory, 'files', name)
  const ask = (path: string, headers: Record<string, string> = {}): Promise<Reply> =>
    sendTo(server.address, 'GET', path, undefined, { headers, alone: true })

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    mkdirSync(join(directory, 'files'))
    for (const value of [1, 2]) await tell(`new ${pathOf(`state${value}`)} ${value}`)
    await tell(`new ${pathOf('replaced.h5')} 1`)
    server = await serveHere({ mount: [`${join(directory, 'files')}=/m`] })
  })

  afterAll(async () => {
    writer.stdin.end()
    await server?.end()
    rmSync(directory, { recursive: true, force: true })
  })

  /** Replaces the file at once by one whose values are all this one. */
  async function replace(value: number): Promise<void> {
    await tell(`new ${pathOf('next')} ${value}`)
    renameSync(pathOf('next'), pathOf('replaced.h5'))
  }

  it('that is replaced between two ranges has another tag, which conditions and pinned addresses notice', async () => {
    const Range = 'bytes=10000-10099'
    const first = await ask('/h5/m/replaced.h5', { Range })
    const tag = String(first.headers.etag)
    const chunk = await ask('/zarr/v3/m/replaced.h5/z/c/0')
    const { refs } = (await ask('/zarr/refs/m/replaced.h5')).json<{ refs: Record<string, [string]> }>()
    const pinned = ['z/0', 'd/0'].map(key => new URL(refs[key][0]).pathname)
    for (const path of pinned) expect((await ask(path, { Range: 'bytes=0-9' })).status).toBe(206)
    await replace(3)
    const whole = await ask('/h5/m/replaced.h5', { Range, 'If-Range': tag })
    expect(whole.status).toBe(200)
    expect(whole.headers.etag).not.toBe(tag)
    expect((await ask('/h5/m/replaced.h5', { Range, 'If-Match': tag })).status).toBe(412)
    const second = await ask('/h5/m/replaced.h5', { Range })
    expect([second.status, second.headers.etag]).toEqual([206, whole.headers.etag])
    expect(second.bytes.equals(whole.bytes.subarray(10000, 10100))).toBe(true)
    const later = await ask('/zarr/v3/m/replaced.h5/z/c/0', { 'If-None-Match': String(chunk.headers.etag) })
    expect(later.status).toBe(200)
    expect(later.headers.etag).not.toBe(chunk.headers.etag)
    for (const path of pinned) expect((await ask(path, { Range: 'bytes=0-9' })).status).toBe(410)
  })

  it('that is replaced while it is sent gives no answer of two states', async () => {
    let isDone = false
    let complete = 0
    const values = new Set<number>()
    const readers = Array.from({ length: 3 }, async () => {
      while (!isDone) {
        // An answer that has begun is broken off.
        const reply = await ask('/h5/m/replaced.h5').catch(() => undefined)
        if (reply?.status !== 200) continue
        complete++
        // The values are the longest run of equal bytes, from somewhere before the middle on.
        const middle = reply.bytes[1_000_000]
        values.add(middle)
        const run = reply.bytes.subarray(100_000, 1_900_000)
        expect(run.every(byte => byte === middle)).toBe(true)
      }
    })
    for (let i = 0; i < 12 || values.size < 2; i++) await replace(1 + (i % 2))
    isDone = true
    await Promise.all(readers)
    expect(complete).toBeGreaterThan(0)
  })

  it('that a SWMR writer appends to is sent in one of its states', async () => {
    const path = '/h5/m/growing.h5'
    await tell(`open ${pathOf('growing.h5')}`)
    await tell('append 1000')
    const first = await ask(path)
    expect(first.status, first.story).toBe(200)
    const tag = String(first.headers.etag)
    await tell('append 1000')
    const Range = 'bytes=0-99'
    const whole = await ask(path, { Range, 'If-Range': tag })
    expect(whole.status).toBe(200)
    expect(whole.headers.etag).not.toBe(tag)
    expect((await ask(path, { Range, 'If-Match': tag })).status).toBe(412)
    let appending = true
    const appended = (async () => {
      for (let i = 0; i < 20; i++) await tell('append 700')
      appending = false
    })()
    const copies: Buffer[] = [first.bytes, whole.bytes]
    while (appending) {
      const reply = await ask(path).catch(() => undefined)
      if (reply?.status === 200) copies.push(reply.bytes)
    }
    await appended
    const counts: string[] = []
    for (const bytes of copies) {
      writeFileSync(join(directory, 'copy.h5'), bytes)
      counts.push(await tell(`count ${join(directory, 'copy.h5')}`))
    }
    expect(counts.slice(0, 2)).toEqual(['1000', '2000'])
    expect(counts).not.toContain('torn')
  })
})

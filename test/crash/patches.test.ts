// Small parts of one chunk, and frames of another, written by several clients to a server that is killed with
// SIGKILL at random moments, also while it folds: every acknowledged part is there, none is torn, and `hyperslab
// check` finds nothing wrong with what a kill has left. The moments follow from the seed, which is printed.

import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seededNumbers } from '../engines/clock.ts'
import { newWorkingDirectory, runCommand, startServer } from '../wire/server.ts'
import { connect } from './writers.ts'

const KILLS = Number(process.env.HYPERSLAB_CRASH_KILLS ?? 3)
const SEED = Number(process.env.HYPERSLAB_CRASH_SEED ?? Date.now() % 2 ** 31)
const LONGEST_RUN_MS = 1500
/** One chunk, a little larger than what is kept with the records: a few tiles make it worth folding. */
const SHAPE = [136, 128]
const TILE = 16
const WRITERS = 8

/** Parts that are too long for a record: each patch has a blob, in a chunk of ten frames. */
const MOVIE = [10, 100, 200]
const FRAME = MOVIE[1] * MOVIE[2]
const FRAME_WRITERS = 3

/**
 * The writes that were sent to a tile or a frame, and the acknowledged ones: each element holds the number of its last
 * write.
 */
interface Tile {
  readonly start: readonly number[]
  sent: number
  acknowledged: number
}

test(`${KILLS} kills while small parts are written, seed ${SEED}: none is lost, none is torn`, {
  timeout: 90_000 + KILLS * 20_000,
}, async () => {
  const random = seededNumbers(SEED)
  const directory = await newWorkingDirectory()
  let server = await startServer(directory)
  try {
    await connect(server.address).want(201, 'PUT', '/')
    const { id } = await connect(server.address).want<{ id: string }>(201, 'POST', '/datasets', {
      type: 'H5T_STD_I32LE',
      shape: SHAPE,
      creationProperties: { layout: { class: 'H5D_CHUNKED', dims: SHAPE } },
    })
    const tiles = Array.from({ length: WRITERS }, (_, i): Tile => {
      return { start: [TILE * i, (5 * TILE * i) % 112], sent: 0, acknowledged: 0 }
    })
    const path = `/datasets/${id}/value`
    const movie = await connect(server.address).want<{ id: string }>(201, 'POST', '/datasets', {
      type: 'H5T_STD_I32LE',
      shape: MOVIE,
      creationProperties: { layout: { class: 'H5D_CHUNKED', dims: MOVIE } },
    })
    const moviePath = `/datasets/${movie.id}/value`
    const frames = Array.from(
      { length: MOVIE[0] },
      (_, i): Tile => ({ start: [i, 0, 0], sent: 0, acknowledged: 0 }),
    )
    for (let kill = 0; kill < KILLS; kill++) {
      const client = connect(server.address)
      let isKilled = false
      const write = async (tile: Tile): Promise<void> => {
        while (!isKilled) {
          const number = ++tile.sent
          const stop = tile.start.map(first => first + TILE)
          const value = Array.from({ length: TILE }, () => new Array(TILE).fill(number))
          await client.want(200, 'PUT', path, { start: tile.start, stop, value })
          tile.acknowledged = number
        }
      }
      /** Frames in turn, so that the chunk is folded again and again. */
      const film = async (writer: number): Promise<void> => {
        const own = frames.filter((_, i) => i % FRAME_WRITERS === writer)
        for (let i = 0; !isKilled; i++) {
          const frame = own[i % own.length]
          const number = ++frame.sent
          const [first] = frame.start
          const stop = [first + 1, MOVIE[1], MOVIE[2]]
          const value_base64 = Buffer.from(new Int32Array(FRAME).fill(number).buffer).toString('base64')
          await client.want(200, 'PUT', moviePath, { start: frame.start, stop, value_base64 })
          frame.acknowledged = number
        }
      }
      const ignoreKill = (error: unknown): void => {
        if (!isKilled) throw error
      }
      const writing = Promise.all([
        ...tiles.map(tile => write(tile).catch(ignoreKill)),
        ...Array.from({ length: FRAME_WRITERS }, (_, i) => film(i).catch(ignoreKill)),
      ])
      const isTime = async (): Promise<void> => {
        await delay(200 + random() * LONGEST_RUN_MS)
        while (tiles.some(({ acknowledged }) => acknowledged < 3 * (kill + 1))) await delay(10)
      }
      await Promise.race([isTime(), writing])
      isKilled = true
      await server.end('SIGKILL')
      await writing
      await runCommand(directory, ['check', 'data', '--values'])
      server = await startServer(directory)
      const reply = await connect(server.address).send('GET', path, undefined, 'application/octet-stream')
      expect(reply.status, reply.story).toBe(200)
      for (const tile of tiles) {
        const [y, x] = tile.start
        const numbers = Array.from({ length: TILE * TILE }, (_, i) =>
          reply.bytes.readInt32LE(4 * ((y + Math.floor(i / TILE)) * SHAPE[1] + x + (i % TILE))),
        )
        expectWhole(tile, new Set(numbers))
      }
      const shown = await connect(server.address).send(
        'GET',
        moviePath,
        undefined,
        'application/octet-stream',
      )
      expect(shown.status, shown.story).toBe(200)
      for (const [i, frame] of frames.entries()) {
        const numbers = new Set<number>()
        for (let at = i * FRAME; at < (i + 1) * FRAME; at++) numbers.add(shown.bytes.readInt32LE(4 * at))
        expectWhole(frame, numbers)
      }
    }
    await server.end('SIGTERM')
    await runCommand(directory, ['check', 'data', '--values'])
    const written = [...tiles, ...frames].reduce((sum, { sent }) => sum + sent, 0)
    console.log(`crash test of patches: seed ${SEED}, ${KILLS} kills, ${written} writes`)
  } finally {
    await server.end('SIGKILL')
    await rm(directory, { recursive: true, force: true })
  }
})

/** All elements are of one write, and of none before the last one that was acknowledged. */
function expectWhole(tile: Tile, numbers: ReadonlySet<number>): void {
  expect(numbers.size, 'a torn write: elements of several numbers').toBe(1)
  const [number] = numbers
  expect(number).toBeGreaterThanOrEqual(tile.acknowledged)
  expect(number).toBeLessThanOrEqual(tile.sent)
  tile.acknowledged = number
}

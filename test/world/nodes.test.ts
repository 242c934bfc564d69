// Several processes on one disk, which are killed, stopped and started while clients write: what was acknowledged is
// there, in every process, and what was refused is not; also when the disk fails or is full, and when blobs of a killed
// process are left.

import { HyperslabError } from '@hyperslab/base/errors'
import { expect, test } from 'vitest'
import { inWorlds, type World } from './world.ts'

const DOMAIN = 'domain=/d.h5'
/** Bytes of values that are blobs, not records. */
const LONG = 100_000
/** Statuses that say that nothing was done: the service is busy, its disk full or away. */
const NOT_DONE = [503, 507]

/** The knowledge of all clients about one attribute, or about the values of the dataset. */
interface KnownValue {
  /** The acknowledged value; undefined: there is none. */
  value: number | undefined
  /** Values of requests that may have been done since. */
  readonly maybe: Set<number | undefined>
  isBusy: boolean
}

class Scene {
  readonly world: World
  readonly known = new Map<string, KnownValue>()
  /** The path of the dataset's values. */
  values = ''
  root = ''
  #next = 0

  constructor(world: World) {
    this.world = world
  }

  start(): void {
    this.world.start({}, this.world.below(4000) - 2000)
  }

  async begin(processes: number): Promise<void> {
    for (let i = 0; i < processes; i++) this.start()
    this.root = (await this.world.ask('PUT', `/?${DOMAIN}`)).json<{ root: string }>().root
    const body = { type: 'H5T_STD_I8LE', shape: [LONG], layout: { class: 'H5D_CHUNKED', dims: [LONG] } }
    const { id } = (await this.world.ask('POST', `/datasets?${DOMAIN}`, body)).json<{ id: string }>()
    this.values = `/datasets/${id}/value?${DOMAIN}`
  }

  #attribute(name: string): string {
    return `/groups/${this.root}/attributes/${name}?${DOMAIN}`
  }

  /** Writes, replaces or deletes an attribute, or all values of the dataset, and notes what is known then. */
  async write(): Promise<void> {
    const { world } = this
    const name = world.pick(['a', 'b', 'c', 'd', 'values'])
    const known = this.known.get(name) ?? { value: undefined, maybe: new Set(), isBusy: false }
    this.known.set(name, known)
    if (known.isBusy) return
    known.isBusy = true
    const number = ++this.#next % 128
    const deletes = name !== 'values' && known.value !== undefined && world.below(4) === 0
    const value = deletes ? undefined : number
    const sent =
      name === 'values'
        ? world.send('PUT', this.values, { value: Array(LONG).fill(number) })
        : deletes
          ? world.send('DELETE', this.#attribute(name))
          : world.send('PUT', `${this.#attribute(name)}&replace=1`, { type: 'H5T_STD_I32LE', value: number })
    try {
      const { status } = await sent
      if (NOT_DONE.includes(status)) return
      // A deletion that was done before and whose answer was lost.
      if (deletes && status === 404 && known.maybe.has(undefined)) expect(known.maybe).toContain(undefined)
      else expect([200, 201]).toContain(status)
      known.value = value
      known.maybe.clear()
    } catch (error) {
      if ((error as { code?: string }).code !== 'ECONNRESET') throw error
      known.maybe.add(value)
    } finally {
      known.isBusy = false
    }
  }

  /** All values, which are of one state, however long that takes. */
  async read(): Promise<void> {
    try {
      const reply = await this.world.send('GET', this.values)
      expect(reply.status, reply.text.slice(0, 200)).toBe(200)
      expect(new Set(reply.json<{ value: number[] }>().value).size).toBe(1)
    } catch (error) {
      if ((error as { code?: string }).code !== 'ECONNRESET') throw error
    }
  }

  /** Every process gives what is known. */
  async expectAll(): Promise<void> {
    for (const to of this.world.services.filter(({ isAlive }) => isAlive)) {
      for (const [name, { value, maybe }] of this.known) {
        let found: number | undefined
        if (name === 'values') {
          const reply = await this.world.ask('GET', this.values, undefined, { to })
          expect(reply.status).toBe(200)
          const all = new Set(reply.json<{ value: number[] }>().value)
          expect(all.size).toBe(1)
          ;[found] = all
          if (found === 0 && value === undefined) found = undefined
        } else {
          const reply = await this.world.ask('GET', this.#attribute(name), undefined, { to })
          expect([200, 404, 410]).toContain(reply.status)
          if (reply.status === 200) found = reply.json<{ value: number }>().value
        }
        this.world.note(`${to.name} has ${name} = ${found}; known ${value}, maybe ${[...maybe]}`)
        expect([value, ...maybe]).toContain(found)
      }
    }
  }
}

const inScenes = (program: (scene: Scene, world: World) => Promise<void>) =>
  inWorlds(world => program(new Scene(world), world))

const failures: Error[] = []
const failed = (error: unknown) => {
  failures.push(error as Error)
}

test('what was acknowledged is in every process, whatever is killed, and what was refused is not', () =>
  inScenes(async (scene, world) => {
    world.disk.delay = () => world.below(60)
    world.network.delay = () => world.below(20)
    await scene.begin(3)
    // Longer than the sweeper waits.
    world.disk.readDelay = () => world.below(5000)
    for (let step = 0; step < 60; step++) {
      const draw = world.below(12)
      if (draw < 7) scene.write().catch(failed)
      else if (draw < 9) scene.read().catch(failed)
      else if (draw === 9) {
        const alive = world.services.filter(({ isAlive }) => isAlive)
        if (alive.length > 1) world.pick(alive).kill()
        scene.start()
      } else if (draw === 10)
        void world
          .pick(world.services.filter(({ isAlive }) => isAlive))
          .store.sweeper.findOrphans()
          .catch(failed)
      await world.pass(world.below(1000))
    }
    world.disk.readDelay = () => 0
    await world.pass(20_000)
    expect(failures.splice(0)).toEqual([])
    await scene.expectAll()
    // Blobs that killed processes have left are removed, and nothing that is needed is.
    const [service] = world.services.filter(({ isAlive }) => isAlive)
    await world.until(service.store.sweeper.findOrphans())
    await world.pass(60_000)
    await scene.expectAll()
  }))

test('a full disk refuses writes and changes nothing; reads go on, and writes when there is room again', () =>
  inScenes(async (scene, world) => {
    await scene.begin(2)
    for (let step = 0; step < 20; step++) {
      world.disk.isFull = world.below(2) === 0
      const before = [...scene.known].map(([name, { value }]) => [name, value])
      await world.until(scene.write())
      const after = [...scene.known].map(([name, { value }]) => [name, value])
      if (world.disk.isFull)
        expect(after.filter(([, value]) => value !== undefined)).toEqual(
          before.filter(([, value]) => value !== undefined),
        )
      await scene.expectAll()
    }
  }))

test('a disk that fails now and then makes no request half done', () =>
  inScenes(async (scene, world) => {
    await scene.begin(2)
    for (let step = 0; step < 30; step++) {
      world.disk.fault = operation =>
        (operation === 'commit' || operation === 'put' || operation === 'read') && world.below(4) === 0
          ? new HyperslabError('storage-failed', 'the disk of the test fails')
          : undefined
      await world.until(scene.write())
      world.disk.fault = () => undefined
      await scene.expectAll()
    }
  }))

import type { DomainPath, ObjectId } from '@hyperslab/model/names'
import { expect, it } from 'vitest'
import { newRoot } from '../../../test/conformance/sample-objects.ts'
import { seededRandom, testClock } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import type { MountedEntry, MountedLook, Mounts } from '../interfaces/mounted-domains.ts'
import { eventsAfter, newestEvent } from '../records/events.ts'
import { withSnapshot } from '../records/with-snapshot.ts'
import { FollowedFiles } from './followed-files.ts'

const FOLDER = '/m' as DomainPath

/** Files that a test changes, and the looks at them, one after another. */
async function scene(count: number) {
  const files = new Map<DomainPath, MountedEntry>()
  for (let i = 0; i < count; i++) {
    const path = `${FOLDER}/${i}.h5` as DomainPath
    files.set(path, { path, root: newRoot() as ObjectId, state: 'one' })
  }
  /** Files that a list passes over, because they do not answer. */
  const failing = new Set<DomainPath>()
  let look: (() => void) | undefined
  const rests: number[] = []
  const clock = {
    ...testClock(),
    after(milliseconds: number, work: () => void) {
      rests.push(milliseconds)
      look = work
      return () => {}
    },
  }
  const mounts: Pick<Mounts, 'look'> = {
    async look(path, _, isFolder): Promise<MountedLook> {
      const there = isFolder ? [...files.values()] : [files.get(path)].filter(entry => entry !== undefined)
      const entries = there.filter(entry => !failing.has(entry.path))
      const unknown = !isFolder && failing.has(path) ? [path] : []
      return { entries, isWhole: true, unknown, aclAt: () => [] }
    },
  }
  const engine = openMemoryEngine()
  const { keyValue } = engine
  let processorTime = 0
  let costOfLook = 0
  const followed = new FollowedFiles({
    mounts: mounts as Mounts,
    keyValue,
    base: { engine, clock, random: seededRandom(1) },
    report: error => {
      throw error
    },
    processorTime: () => (processorTime += costOfLook),
  })
  const following = followed.follow(FOLDER, true)
  await following.ready
  let position = await withSnapshot(keyValue, newestEvent)
  /** The changes that the next look finds. */
  const lookAgain = async () => {
    const before = rests.length
    look?.()
    await expect.poll(() => rests.length).toBeGreaterThan(before)
    const events = await withSnapshot(keyValue, snapshot => eventsAfter(snapshot, position, 100))
    if (typeof events === 'string') throw new Error(events)
    position = events.at(-1)?.id ?? position
    return events.flatMap(({ entries }) => entries.map(({ path, change }) => `${change} ${path}`))
  }
  const setCost = (microseconds: number) => {
    costOfLook = microseconds
  }
  return { files, failing, lookAgain, rests, setCost }
}

it('a file that does not answer counts as deleted only when it is gone', async () => {
  const { files, failing, lookAgain } = await scene(3)
  const path = `${FOLDER}/1.h5` as DomainPath
  failing.add(path)
  expect(await lookAgain()).toEqual([])
  expect(await lookAgain()).toEqual([])
  files.delete(path)
  failing.clear()
  expect(await lookAgain()).toEqual([`deleted ${path}`])
  expect(await lookAgain()).toEqual([])
})

it('looks take a hundredth of the processor, and those at a thousand files come within two seconds', async () => {
  const few = await scene(1000)
  await few.lookAgain()
  expect(few.rests.at(-1)).toBe(500)
  few.setCost(10_000)
  await few.lookAgain()
  expect(few.rests.at(-1)).toBe(990)
  few.setCost(1_000_000)
  await few.lookAgain()
  expect(few.rests.at(-1)).toBe(1500)
  const many = await scene(1001)
  many.setCost(50_000)
  await many.lookAgain()
  expect(many.rests.at(-1)).toBe(4950)
  many.setCost(1_000_000)
  await many.lookAgain()
  expect(many.rests.at(-1)).toBe(10_000)
})

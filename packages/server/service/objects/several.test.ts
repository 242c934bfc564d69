import { HyperslabError } from '@hyperslab/base/errors'
import { expect, it } from 'vitest'
import { openTestService } from '../../../../test/fixtures/service.ts'
import { type MemberReads, readSeveral } from './several.ts'

/** Members by name, each read a while after all that is asked for in the same turn. */
class SlowReads implements MemberReads<string> {
  /** The number of members that are read at the same time, each time. */
  readonly batches: number[] = []
  #running = 0

  page(): never {
    throw new Error('all members have names')
  }

  async named(_context: unknown, _domain: unknown, _owner: unknown, name: string): Promise<string> {
    this.#running++
    await new Promise(setImmediate)
    if (this.#running > 0) this.batches.push(this.#running)
    this.#running = 0
    if (name.startsWith('missing')) throw new HyperslabError('link-not-found', `there is no ${name}`)
    return `member ${name}`
  }
}

const NAMES = Array.from({ length: 300 }, (_, index) => `n${index}`)

async function read(names: readonly string[], reads: SlowReads): Promise<readonly unknown[]> {
  const service = await openTestService()
  return service.readIn(async (context, domain) => {
    const owner = { kind: 'group', id: domain.root.id } as const
    const members: unknown[] = []
    for await (const found of await readSeveral(context, domain, [{ owner, names }], {}, reads)) {
      members.push(found.members)
    }
    return members
  })
}

it('reads members by their names in groups, and gives them in the order of the names', async () => {
  const reads = new SlowReads()
  expect(await read(NAMES, reads)).toEqual([NAMES.map(name => `member ${name}`)])
  expect(reads.batches).toEqual([128, 128, 44])
})

it('looks for no further group of members when one is missing', async () => {
  const reads = new SlowReads()
  const names = [...NAMES.slice(0, 5), 'missing', ...NAMES.slice(5)]
  await expect(read(names, reads)).rejects.toThrow('there is no missing')
  expect(reads.batches).toEqual([128])
})

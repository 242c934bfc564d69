import { describe, expect, it } from 'vitest'
import { Lines, type Turn } from './write-queue.ts'

const held = (lines: Lines<string>): Turn<string> => {
  const turn = lines.begin()
  expect(turn.line.hold('key')).toBe(true)
  return turn
}

describe('a line', () => {
  it('is served in order, and is no more when the last one has left', async () => {
    const lines = new Lines<string>()
    const first = held(lines)
    const served: string[] = []
    const others = ['a', 'b', 'c'].map(async name => {
      const turn = await lines.at('key')?.stand(name)
      served.push(name)
      await Promise.resolve()
      turn?.leave()
    })
    expect(served).toEqual([])
    first.leave()
    first.leave()
    await Promise.all(others)
    expect(served).toEqual(['a', 'b', 'c'])
    expect(lines.at('key')).toBeUndefined()
    expect(lines.areEmpty).toBe(true)
  })

  it('holds keys that no other line gets meanwhile', () => {
    const lines = new Lines<string>()
    const first = held(lines)
    const second = lines.begin()
    expect(second.line.hold('key')).toBe(false)
    expect(first.line.hold('key')).toBe(true)
    first.leave()
    expect(second.line.hold('key')).toBe(true)
    second.leave()
    expect(lines.areEmpty).toBe(true)
  })

  it('whose works are done by another one: they are told, up to the one that wants a turn', async () => {
    const lines = new Lines<string>()
    const first = held(lines)
    const { line } = first
    const [a, b] = [line.stand('a'), line.stand('b')]
    const own = line.turn()
    const c = line.stand('c')
    const taken = [line.takeWork(), line.takeWork()]
    expect(taken.map(waiting => waiting?.work)).toEqual(['a', 'b'])
    expect(line.takeWork()).toBeUndefined()
    taken[0]?.admit(undefined)
    expect(await a).toBeUndefined()
    if (taken[1]) line.putBack([taken[1]])
    first.leave()
    const turn = await b
    turn?.leave()
    ;(await own).leave()
    ;(await c)?.leave()
    expect(lines.areEmpty).toBe(true)
  })

  it.each(['a turn', 'a work'])(
    'becomes part of the one whose key it meets, by %s that moves there',
    async by => {
      const lines = new Lines<string>()
      const [one, other] = [held(lines), lines.begin()]
      other.line.hold('other key')
      const behind = ['a', 'b'].map(work => other.line.stand(work))
      const moved = by === 'a turn' ? lines.turnAt('key', other) : lines.standAt('key', other, 'moved')
      other.leave()
      expect(lines.at('other key')).toBe(one.line)
      one.leave()
      const turn = await moved
      // Those who stood behind it can be taken along.
      const taken = [turn?.line.takeWork(), turn?.line.takeWork()]
      expect(taken.map(waiting => waiting?.work)).toEqual(['a', 'b'])
      for (const waiting of taken) waiting?.admit(undefined)
      expect(await Promise.all(behind)).toEqual([undefined, undefined])
      turn?.leave()
      expect(lines.areEmpty).toBe(true)
    },
  )

  it('of those who never stop coming does not hold ever more keys', () => {
    const lines = new Lines<string>()
    const turn = held(lines)
    for (let i = 0; i < 5000; i++) turn.line.hold(`key${i}`)
    expect([lines.at('key'), lines.at('key4999')]).toEqual([undefined, turn.line])
    const kept = Array.from({ length: 5000 }, (_, i) => lines.at(`key${i}`)).filter(
      line => line !== undefined,
    )
    expect(kept).toHaveLength(1024)
    turn.leave()
    expect(lines.areEmpty).toBe(true)
  })

  it('does not wait for long for one that works alone', async () => {
    const lines = new Lines<string>()
    const alone = held(lines)
    const turn = await alone.line.stand('a')
    expect(alone.isOver).toBe(true)
    expect(lines.at('key')).toBe(alone.line)
    // It would now have to wait for its turn like all others.
    const again = lines.turnAt('key', alone)
    turn?.leave()
    ;(await again).leave()
    expect(lines.areEmpty).toBe(true)
  })
})

describe('a turn at a key', () => {
  it('is the one that is there, if nobody else holds the key', async () => {
    const lines = new Lines<string>()
    const turn = lines.begin()
    expect(await lines.turnAt('key', turn)).toBe(turn)
    expect(await lines.turnAt('key', turn)).toBe(turn)
    turn.leave()
    const later = await lines.turnAt('key', turn)
    expect(later.isOver).toBe(false)
    expect(lines.at('key')).toBe(later.line)
  })

  it('is left before another one is waited for, so two that want each other’s both get it', async () => {
    const lines = new Lines<string>()
    const [one, other] = [lines.begin(), lines.begin()]
    one.line.hold('one')
    other.line.hold('other')
    const turns = [lines.turnAt('other', one), lines.turnAt('one', other)]
    const [first, second] = await Promise.all(turns.map(async turn => (await turn).leave()))
    expect([first, second]).toEqual([undefined, undefined])
    expect(lines.areEmpty).toBe(true)
  })
})

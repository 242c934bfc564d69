// Walks: each object once, no further than needed, and one walk for all that wait for it.

import { describe, expect, it } from 'vitest'
import { Walk } from './walk.ts'

/** Objects 0 to 999 in a row, with ways back. */
const next = (address: string): string[] => {
  const number = Number(address)
  return number < 999 ? [`${number + 1}`, '0', address, `${Math.min(999, number * 2)}`] : ['0']
}

function walkOf(visit: (address: string) => Promise<Iterable<string>> = async address => next(address)) {
  const visited: string[] = []
  const walk = new Walk('0', address => {
    visited.push(address)
    return visit(address)
  })
  return { walk, visited }
}

describe('a walk', () => {
  it('visits each object once, for all that wait for it', async () => {
    const { walk, visited } = walkOf()
    await Promise.all([
      walk.complete(),
      walk.complete(),
      walk.complete(undefined, () => visited.includes('500')),
    ])
    await walk.complete()
    expect(visited.length).toBe(1000)
    expect(new Set(visited).size).toBe(1000)
  })

  it('goes no further than is enough, and on from there', async () => {
    const { walk, visited } = walkOf()
    await walk.complete(undefined, () => visited.includes('4'))
    expect(visited.length).toBeLessThan(100)
    await walk.complete()
    expect(visited.length).toBe(1000)
  })

  it('ends for a caller that has left, and goes on for those that wait', async () => {
    let hasLeft = false
    const leaves = {
      throwIfAborted() {
        if (hasLeft) throw new Error('left')
      },
    }
    const { walk, visited } = walkOf(async address => {
      if (address === '3') hasLeft = true
      return next(address)
    })
    const [left, stayed] = await Promise.allSettled([walk.complete(leaves), walk.complete()])
    expect(left).toMatchObject({ status: 'rejected', reason: { message: 'left' } })
    expect(stayed.status).toBe('fulfilled')
    expect(new Set(visited).size).toBe(1000)
  })

  it('ends a visit that no caller waits for, which is begun again for the next caller', async () => {
    let hasLeft = false
    const leaves = {
      throwIfAborted() {
        if (hasLeft) throw new Error('left')
      },
    }
    let isLong = true
    const walk = new Walk('0', async (address, signal) => {
      while (address === '3' && isLong) {
        hasLeft = true
        await new Promise(resolve => setImmediate(resolve))
        signal.throwIfAborted()
      }
      return next(address)
    })
    await expect(walk.complete(leaves)).rejects.toThrow('left')
    // One that comes while the visit ends does not fail because another has left.
    hasLeft = false
    const leaving = walk.complete(leaves)
    const waiting = walk.complete()
    isLong = false
    await Promise.allSettled([leaving])
    await waiting
    expect(walk.size).toBe(1000)
  })

  it('visits again only those objects whose visit failed', async () => {
    let failures = 2
    const { walk, visited } = walkOf(async address => {
      if (address === '7' && failures-- > 0) throw new Error('cut off')
      return next(address)
    })
    await expect(walk.complete()).rejects.toThrow('cut off')
    await expect(walk.complete()).rejects.toThrow('cut off')
    await walk.complete()
    expect(visited.length).toBe(1002)
    expect(visited.filter(address => address === '7').length).toBe(3)
  })
})

import { describe, expect, it } from 'vitest'
import { SharedWork } from './shared-work.ts'
import type { AbortCheck } from './turns.ts'

class Client implements AbortCheck {
  hasLeft = false
  throwIfAborted(): void {
    if (this.hasLeft) throw new Error('the client has left')
  }
}

/** Work that ends when the test says so, and looks at its signal then. */
function held() {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const works: string[] = []
  const work = (name: string) => async (signal: AbortCheck) => {
    works.push(name)
    await ended
    signal.throwIfAborted()
    return name
  }
  return { works, work, end: () => end() }
}

describe('work that is shared', () => {
  it('is done once for callers that come together, and again for later ones', async () => {
    const shared = new SharedWork<string>()
    const { works, work, end } = held()
    const all = ['a', 'b', 'c'].map(name => shared.run('/d', '1', new Client(), work(name)))
    end()
    expect(await Promise.all(all)).toEqual(['a', 'a', 'a'])
    expect(await shared.run('/d', '1', new Client(), work('d'))).toBe('d')
    expect(works).toEqual(['a', 'd'])
  })

  it('is one at a time for a subject, whatever the version, and no subject waits for another', async () => {
    const shared = new SharedWork<string>()
    const { works, work, end } = held()
    const all = [
      shared.run('/d', '1', new Client(), work('first')),
      shared.run('/d', '2', new Client(), work('second')),
      shared.run('/d', '2', new Client(), work('joined')),
      shared.run('/e', '1', new Client(), work('other')),
    ]
    await Promise.resolve()
    expect(works).toEqual(['first', 'other'])
    end()
    expect(await Promise.all(all)).toEqual(['first', 'second', 'second', 'other'])
    expect(works).toEqual(['first', 'other', 'second'])
  })

  it('goes on while one of its callers waits', async () => {
    const shared = new SharedWork<string>()
    const { works, work, end } = held()
    const clients = [new Client(), new Client(), new Client()]
    const all = clients.map((client, i) => shared.run('/d', '1', client, work(`${i}`)))
    clients[0].hasLeft = true
    clients[2].hasLeft = true
    end()
    expect(await all[1]).toBe('0')
    expect(works).toEqual(['0'])
    await Promise.allSettled(all)
  })

  it('stops when all have left; a later caller begins it anew', async () => {
    const shared = new SharedWork<string>()
    const { works, work, end } = held()
    const clients = [new Client(), new Client()]
    const all = clients.map((client, i) => shared.run('/d', '1', client, work(`${i}`)))
    for (const client of clients) client.hasLeft = true
    const results = Promise.allSettled(all)
    end()
    const late = results.then(() => shared.run('/d', '1', new Client(), work('late')))
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await late).toBe('late')
    expect(works).toEqual(['0', 'late'])
  })

  it('whose callers have left is not joined while it ends', async () => {
    const shared = new SharedWork<string>()
    const first = new Client()
    const late = new Client()
    let joined: Promise<string> | undefined
    const begun = shared.run('/d', '1', first, async signal => {
      first.hasLeft = true
      try {
        signal.throwIfAborted()
      } finally {
        joined = shared.run('/d', '1', late, async () => 'anew')
      }
      return 'never'
    })
    await expect(begun).rejects.toThrow('the client has left')
    expect(await joined).toBe('anew')
  })

  it('gives its failure to all callers', async () => {
    const shared = new SharedWork<string>()
    const fails = async () => {
      await Promise.resolve()
      throw new Error('the file is damaged')
    }
    const all = [1, 2].map(() => shared.run('/d', '1', new Client(), fails))
    for (const { status } of await Promise.allSettled(all)) expect(status).toBe('rejected')
  })
})

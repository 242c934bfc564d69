import { parseDomainPath } from '@hyperslab/model/names'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MountCalls } from './mount-calls.ts'

const MILLISECONDS = 10_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

interface Begun {
  readonly name: string
  readonly resolve: (result: string) => void
  readonly reject: (error: Error) => void
}

/** Calls of a mount whose file system answers when the test says so. */
function openCalls(limit = 4) {
  const warnings: string[] = []
  const begun: Begun[] = []
  const calls = new MountCalls({
    path: parseDomainPath('/beam'),
    limit,
    milliseconds: MILLISECONDS,
    warn: message => warnings.push(message),
  })
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push({ name, resolve, reject })
    })
  const run = (name: string) => {
    const result = calls.for(name).run(work(name))
    // Each test looks at the results that it means.
    result.catch(() => undefined)
    return result
  }
  const names = () => begun.map(({ name }) => name)
  return { calls, warnings, begun, names, run, work }
}

const later = async () => {
  vi.advanceTimersByTime(MILLISECONDS + 1)
  await turn()
}
const turn = () => new Promise(resolve => setImmediate(resolve))
const unavailable = (name: string) => ({
  code: 'file-unavailable',
  subject: name,
  message: `${name} cannot be read now: the file system of the mount /beam does not answer; try again later`,
  retryAfter: 10,
})

describe('calls that end', () => {
  it('run up to the limit, half of it for one file; the others queue in their order', async () => {
    const { begun, names, run } = openCalls()
    const results = ['a', 'a', 'a', 'b', 'c', 'c'].map(run)
    expect(names()).toEqual(['a', 'a', 'b', 'c'])
    begun[2].resolve('of b')
    expect(await results[3]).toBe('of b')
    await turn()
    expect(names()).toEqual(['a', 'a', 'b', 'c', 'c'])
    begun[0].resolve('of a')
    await turn()
    expect(names()).toEqual(['a', 'a', 'b', 'c', 'c', 'a'])
  })

  it('fail as they do', async () => {
    const { begun, run } = openCalls()
    const result = run('a')
    begun[0].reject(new Error('ENOENT'))
    await expect(result).rejects.toThrow('ENOENT')
  })

  it('are not overdue when each takes less than the time, however many there are', async () => {
    const { calls, begun, run } = openCalls(1)
    const results = ['a', 'b', 'c'].map(run)
    for (const i of [0, 1, 2]) {
      vi.advanceTimersByTime(MILLISECONDS - 1)
      begun[i].resolve('done')
      await turn()
    }
    expect(await Promise.all(results)).toEqual(['done', 'done', 'done'])
    await later()
    expect(calls.unwell).toBeUndefined()
  })
})

describe('a file that does not answer', () => {
  it('is refused, at once after the first time, and the others are read', async () => {
    const { calls, names, begun, run, warnings } = openCalls()
    const [first, second, waiting] = ['a', 'a', 'a'].map(run)
    await later()
    for (const result of [first, second, waiting]) {
      await expect(result).rejects.toMatchObject(unavailable('a'))
    }
    await expect(run('a')).rejects.toMatchObject(unavailable('a'))
    expect(names()).toEqual(['a', 'a'])
    const other = run('b')
    begun[2].resolve('of b')
    expect(await other).toBe('of b')
    expect(warnings).toEqual([
      'the file system of the mount /beam does not answer: a call for a has not ended in 10 s',
    ])
    expect(calls.unwell).toMatchObject({ path: '/beam', overdue: 2, reason: 'does not answer' })
  })

  it('is read again when its calls have ended', async () => {
    const { calls, begun, run, warnings } = openCalls()
    run('a')
    await later()
    begun[0].resolve('late')
    await turn()
    expect(calls.unwell).toBeUndefined()
    expect(warnings.at(-1)).toBe('the file system of the mount /beam answers again')
    const again = run('a')
    begun[1].resolve('now')
    expect(await again).toBe('now')
  })
})

describe('a mount with overdue calls for several files', () => {
  it('refuses all at once, also those that wait, until one has ended', async () => {
    const { begun, names, run } = openCalls()
    const results = ['a', 'b', 'c', 'd', 'e'].map(run)
    await later()
    for (const [i, name] of ['a', 'b', 'c', 'd', 'e'].entries()) {
      await expect(results[i]).rejects.toMatchObject(unavailable(name))
    }
    await expect(run('f')).rejects.toMatchObject(unavailable('f'))
    expect(names()).toEqual(['a', 'b', 'c', 'd'])
    for (const i of [0, 1]) begun[i].resolve('late')
    await turn()
    const result = run('f')
    begun[4].resolve('of f')
    expect(await result).toBe('of f')
  })

  it('closes files when there is room, not before', async () => {
    const { calls, begun, names, run, work } = openCalls(2)
    run('a')
    run('b')
    await later()
    calls.for('c').runLater(work('closing c'))
    await later()
    await later()
    expect(names()).toEqual(['a', 'b'])
    begun[0].resolve('late')
    await turn()
    expect(names()).toEqual(['a', 'b', 'closing c'])
  })
})

describe('a call that fails because a server is away', () => {
  const failure = (code: string) => Object.assign(new Error(`${code}: the test`), { code, errno: -1 })

  /** Calls that fail with these codes, one after another, and then succeed. */
  function failing(...codes: string[]) {
    const opened = openCalls()
    let made = 0
    const read = (name: string) =>
      opened.calls.for(name).run(async () => {
        made++
        const code = codes.shift()
        if (code !== undefined) throw failure(code)
        return `of ${name}`
      })
    return { ...opened, read, made: () => made }
  }

  it.each(['EIO', 'ESTALE', 'ETIMEDOUT', 'ENOTCONN', 'ESHUTDOWN'])('is made once more (%s)', async code => {
    const { read, made, warnings, calls } = failing(code)
    expect(await read('a')).toBe('of a')
    expect([made(), warnings, calls.unwell]).toEqual([2, [], undefined])
  })

  it('is an error when it fails again, with the mount and the code', async () => {
    const { read, made } = failing('EIO', 'EIO')
    await expect(read('a')).rejects.toMatchObject({
      code: 'file-unavailable',
      subject: 'a',
      message: 'a cannot be read now: the file system of the mount /beam fails (EIO); try again later',
      retryAfter: 10,
      cause: failure('EIO'),
    })
    expect(made()).toBe(2)
  })

  it.each(['ENOENT', 'EACCES', 'ENOMEM'])('%s is no such failure', async code => {
    const { read, made } = failing(code)
    await expect(read('a')).rejects.toEqual(failure(code))
    expect(made()).toBe(1)
  })

  it('is forgotten when a call succeeds at its second attempt', async () => {
    const { read, calls } = failing(...Array<string>(7).fill('EIO'))
    for (const name of ['a', 'b', 'c']) await expect(read(name)).rejects.toThrow('fails (EIO)')
    expect(calls.unwell).toBeDefined()
    expect(await read('a')).toBe('of a')
    expect(calls.unwell).toBeUndefined()
  })

  it('for several files makes the mount unwell, until a call succeeds', async () => {
    const { read, warnings, calls } = failing(...Array<string>(8).fill('EIO'))
    for (const name of ['a', 'b', 'a']) await expect(read(name)).rejects.toThrow('fails (EIO)')
    expect(calls.unwell).toBeUndefined()
    await expect(read('c')).rejects.toThrow('fails (EIO)')
    expect(calls.unwell).toMatchObject({ path: '/beam', overdue: 0, reason: 'fails (EIO)' })
    expect(await read('d')).toBe('of d')
    expect(calls.unwell).toBeUndefined()
    expect(warnings).toEqual([
      'the file system of the mount /beam fails (EIO)',
      'the file system of the mount /beam no longer fails',
    ])
  })
})

describe('a call for which there is no file descriptor', () => {
  const failure = Object.assign(new Error('EMFILE: the test'), { code: 'EMFILE', errno: -24 })

  /** Lets the pauses between attempts pass until the call has ended. */
  async function ended<T>(result: Promise<T>): Promise<T> {
    let hasEnded = false
    const end = () => {
      hasEnded = true
    }
    result.then(end, end)
    while (!hasEnded) {
      await turn()
      vi.advanceTimersByTime(20)
    }
    return result
  }

  it('is made again until there is one', async () => {
    const { calls, warnings } = openCalls()
    let made = 0
    const result = calls.for('a').run(async () => {
      if (++made < 50) throw failure
      return 'opened'
    })
    expect(await ended(result)).toBe('opened')
    expect([made, warnings, calls.unwell]).toEqual([50, [], undefined])
  })

  it('fails when there is none for the time that a call may take', async () => {
    const { calls } = openCalls()
    const result = calls.for('a').run(() => Promise.reject(failure))
    await expect(ended(result)).rejects.toBe(failure)
    expect(calls.unwell).toBeUndefined()
  })
})

it('does not count the time in which this thread was busy', async () => {
  const { calls, begun, run } = openCalls()
  const result = run('a')
  // The timer is due, and then the event loop comes to the call, which has ended.
  vi.advanceTimersByTime(MILLISECONDS + 1)
  begun[0].resolve('done')
  await turn()
  expect(await result).toBe('done')
  expect(calls.unwell).toBeUndefined()
})

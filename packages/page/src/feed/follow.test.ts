// What a window asks of the service and is told, in each order of ways and answers.

import { RequestError, UnreachableError } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { type Following, follow } from './follow.ts'
import type { Way } from './place.ts'

/** What the service answers: items or an answer of a page, the position after them, or an error. */
type Step =
  | { readonly way: Way }
  | { readonly items: readonly (string | boolean)[]; readonly position: string }
  | { readonly answer: { events: readonly string[]; next: string; gone?: true; state?: string } }
  | { readonly error: Error }

/** All that a window asks, is told and says, in order, while these steps happen. The last one ends it. */
async function story(steps: readonly Step[]): Promise<{ said: readonly string[]; error?: unknown }> {
  const said: string[] = []
  const left = [...steps]
  const abort = new AbortController()
  const listeners = new Set<() => void>()
  let way: Way = 'stream'
  /** The next answer; a change of the way, and the end, come instead of one. */
  function nextAnswer() {
    const step = left.shift()
    if (step === undefined) abort.abort()
    else if ('error' in step) throw step.error
    else if ('way' in step) {
      way = step.way
      for (const act of [...listeners]) act()
    } else return step
    throw new Error('aborted')
  }
  const feed = {
    async *events(path: string, { since, onConnection, onPosition }: Record<string, never>) {
      said.push(`stream ${path} ${since}`)
      for (let isFirst = true; ; isFirst = false) {
        const step = nextAnswer()
        if (!('items' in step)) throw new Error('a stream has items')
        if (isFirst) (onConnection as (is: boolean) => void)(true)
        for (const item of step.items) {
          if (typeof item === 'boolean') (onConnection as (is: boolean) => void)(item)
          else yield { type: item, since: step.position }
        }
        ;(onPosition as (since: string) => void)(step.position)
      }
    },
    async request(_: string, { domain, since }: { domain: string; since?: string }) {
      said.push(`poll ${domain} ${since}`)
      const step = nextAnswer()
      if (!('answer' in step)) throw new Error('a poll has an answer')
      const { events, ...answer } = step.answer
      return { ...answer, events: events.map(id => ({ id, changes: Array(Number(id)).fill({}) })) }
    },
  }
  const first = left[0]
  if (first && 'way' in first) way = (left.shift() as { way: Way }).way
  const options = {
    ways: {
      get way() {
        return way
      },
      onChange(act: () => void) {
        listeners.add(act)
        // Nothing is asked of the service while a window rests.
        if (way === 'rest')
          queueMicrotask(() => {
            try {
              nextAnswer()
            } catch {}
          })
        return () => listeners.delete(act)
      },
    },
    signal: abort.signal,
    pause: async (milliseconds: number) => {
      said.push(`pause ${milliseconds}`)
    },
    onFollowing: (following: Following) => said.push(following),
  }
  try {
    for await (const item of follow(feed as never, '/f', options)) said.push(`${item.type} ${item.since}`)
  } catch (error) {
    return { said, error }
  }
  expect(listeners.size).toBe(0)
  return { said }
}

const rejected = (status: number, code = 'x') => new RequestError('no', status, code)

describe('a window follows', () => {
  test.each<[string, readonly Step[], readonly string[]]>([
    [
      'by a stream',
      [
        { items: ['start'], position: '1' },
        { items: ['event', 'event'], position: '2' },
      ],
      ['stream /f undefined', 'live', 'start 1', 'event 2', 'event 2'],
    ],
    [
      'and says that the connection was lost',
      [{ items: ['start', false, true], position: '1' }],
      ['stream /f undefined', 'live', 'start 1', 'lost', 'live'],
    ],
    [
      'not while it is hidden; then it goes on behind the last event, and says so when it does',
      [
        { items: ['start'], position: '1' },
        { items: [], position: '2' },
        { way: 'rest' },
        { way: 'stream' },
        { items: ['event'], position: '3' },
      ],
      [
        'stream /f undefined',
        'live',
        'start 1',
        'connecting',
        'connecting',
        'stream /f 2',
        'live',
        'event 3',
      ],
    ],
    [
      'after it was opened in the background: what has changed until then is read',
      [{ way: 'rest' }, { way: 'stream' }, { items: ['start'], position: '1' }],
      ['connecting', 'stream /f undefined', 'live', 'gone 1'],
    ],
    [
      'in another way before the feed has begun: what has changed until then is read',
      [{ way: 'poll' }, { way: 'stream' }, { items: ['start'], position: '1' }],
      ['poll /f undefined', 'connecting', 'stream /f undefined', 'live', 'gone 1'],
    ],
    [
      'by a request now and then, and by a stream again',
      [
        { way: 'poll' },
        { answer: { events: [], next: '1', state: 's' } },
        { answer: { events: [], next: '2' } },
        { answer: { events: ['1'], next: '3' } },
        { way: 'stream' },
        { items: ['event'], position: '4' },
        { way: 'poll' },
        { answer: { events: [], next: '5', gone: true } },
      ],
      [
        ...['poll /f undefined', 'live', 'start 1', 'pause 2000'],
        ...['poll /f 1', 'live', 'pause 2000', 'poll /f 2', 'live', 'event 3', 'pause 2000'],
        ...['poll /f 3', 'connecting', 'stream /f 3', 'live', 'event 4', 'connecting'],
        ...['poll /f 4', 'live', 'gone 5', 'pause 2000', 'poll /f 5'],
      ],
    ],
    [
      'and asks again at once where more has happened already',
      [{ way: 'poll' }, { answer: { events: ['60', '40'], next: '1' } }],
      ['poll /f undefined', 'live', 'start 1', 'event 1', 'event 1', 'poll /f 1'],
    ],
    [
      'anew when its position is not known any more',
      [
        { items: ['start'], position: '1' },
        { way: 'rest' },
        { way: 'stream' },
        { error: rejected(400, 'event-unknown') },
        { items: ['start'], position: '2' },
      ],
      [
        ...['stream /f undefined', 'live', 'start 1', 'connecting', 'connecting'],
        ...['stream /f 1', 'stream /f undefined', 'live', 'gone 2'],
      ],
    ],
    [
      'again when the service is away as the window begins',
      [{ error: rejected(503) }, { items: ['start'], position: '1' }],
      ['stream /f undefined', 'lost', 'pause 2000', 'stream /f undefined', 'live', 'gone 1'],
    ],
    ...[rejected(503), new UnreachableError('away')].map(
      (error): [string, readonly Step[], readonly string[]] => [
        `again when the service is away as the window is shown again: ${error.message}`,
        [{ way: 'rest' }, { way: 'stream' }, { error }, { items: ['start'], position: '1' }],
        [
          ...['connecting', 'stream /f undefined', 'lost', 'pause 2000'],
          ...['stream /f undefined', 'live', 'gone 1'],
        ],
      ],
    ),
  ])('%s', async (_, steps, said) => {
    expect(await story(steps)).toEqual({ said })
  })

  test.each<[string, readonly Step[], number]>([
    ['at first', [{ error: rejected(403) }], 403],
    ['later', [{ way: 'rest' }, { way: 'stream' }, { error: rejected(403) }], 403],
    ['of a position that it never had', [{ error: rejected(400, 'event-unknown') }], 400],
  ])('until the service rejects it, %s', async (_, steps, status) => {
    expect((await story(steps)).error).toMatchObject({ status })
  })
})

// Which windows have a stream, whatever people do with them.

import { describe, expect, test } from 'vitest'
import { type Message, STREAMS, type Way, WindowPlace } from './place.ts'

/** Windows of a browser, which hear each other at once. A step is a millisecond. */
function browser() {
  const places: WindowPlace[] = []
  const waiting = new Set<() => void>()
  let time = 0
  return {
    places,
    ways: () => places.map(({ way }) => way),
    open(now = () => ++time): WindowPlace {
      const window = new WindowPlace({
        post: message => {
          for (const other of places) if (other !== window) other.hear(message)
        },
        later(act) {
          waiting.add(act)
          return () => waiting.delete(act)
        },
        now,
        random: () => places.length,
      })
      places.push(window)
      return window
    },
    /** The time after which a window counts as hidden has passed. */
    pass() {
      for (const act of waiting) act()
      waiting.clear()
    },
  }
}

describe('a window', () => {
  type Step = 'show' | 'hide' | 'leave' | 'pass'
  test.each<[string, Step[], Way, Way[]]>([
    ['opened in the background', [], 'rest', []],
    ['opened in the background, and hidden', ['hide', 'pass'], 'rest', []],
    ['seen', ['show'], 'stream', ['stream']],
    ['hidden a moment ago', ['show', 'hide'], 'stream', ['stream']],
    ['hidden for a moment', ['show', 'hide', 'show', 'pass'], 'stream', ['stream']],
    ['hidden for longer', ['show', 'hide', 'pass'], 'rest', ['stream', 'rest']],
    ['shown again', ['show', 'hide', 'pass', 'show'], 'stream', ['stream', 'rest', 'stream']],
    ['that closes', ['show', 'leave'], 'rest', ['stream', 'rest']],
    ['that closes after it was hidden', ['show', 'hide', 'leave', 'pass'], 'rest', ['stream', 'rest']],
    ['shown twice', ['show', 'show'], 'stream', ['stream']],
  ])('%s', (_, steps, way, expected) => {
    const { open, pass } = browser()
    const window = open()
    const told: Way[] = []
    window.onChange(() => told.push(window.way))
    for (const step of steps) step === 'pass' ? pass() : window[step]()
    expect({ way: window.way, told }).toEqual({ way, told: expected })
  })

  test('tells nobody that has stopped to listen', () => {
    const window = browser().open()
    const stop = window.onChange(() => expect.fail('told'))
    stop()
    window.show()
  })
})

describe('of windows that are seen together, those shown last have a stream', () => {
  const shown = (count: number) => {
    const windows = browser()
    for (let i = 0; i < count; i++) windows.open().show()
    return windows
  }
  const polls = (count: number): Way[] => Array.from({ length: count }, () => 'poll')
  const streams = (count: number): Way[] => Array.from({ length: count }, () => 'stream')

  test.each([1, STREAMS, STREAMS + 1, 20])('of %d', count => {
    const most = Math.min(count, STREAMS)
    expect(shown(count).ways()).toEqual([...polls(count - most), ...streams(most)])
  })

  test('and the next one has it when one of them is hidden or closed', () => {
    const { places, ways, pass } = shown(7)
    places[5]?.leave()
    expect(ways()).toEqual([...polls(2), ...streams(3), 'rest', 'stream'])
    places[6]?.hide()
    expect(ways()).toEqual([...polls(2), ...streams(3), 'rest', 'stream'])
    pass()
    expect(ways()).toEqual(['poll', ...streams(4), 'rest', 'rest'])
    places[0]?.leave()
    places[0]?.show()
    expect(ways()).toEqual(['stream', 'poll', ...streams(3), 'rest', 'rest'])
  })

  test('so the seventh tab, which hides the sixth, loads', () => {
    const { open, places, ways, pass } = browser()
    for (let i = 0; i < 20; i++) {
      places.at(-1)?.hide()
      open().show()
      expect(ways().filter(way => way === 'stream').length).toBeLessThanOrEqual(STREAMS)
    }
    pass()
    expect(ways()).toEqual([...Array.from({ length: 19 }, () => 'rest'), 'stream'])
  })

  test('also when all are shown in the same millisecond, and hear of each other later', () => {
    const said: [from: number, message: Message][] = []
    const places = Array.from({ length: 9 }, (_, i) => {
      const post = (message: Message) => said.push([i, message])
      return new WindowPlace({ post, later: () => () => {}, now: () => 1, random: () => (i * 4) % 9 })
    })
    for (const place of places) place.show()
    for (const [from, message] of said)
      for (const [i, place] of places.entries()) if (i !== from) place.hear(message)
    expect(places.filter(({ way }) => way === 'stream').length).toBe(STREAMS)
  })
})

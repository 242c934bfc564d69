// A surface for tests: it keeps what is painted on it as lines of text.

import type { Surface } from './surface.ts'

const round = (part: unknown) => (typeof part === 'number' ? Math.round(part * 100) / 100 : part)

/** Each character of a text is 6 pixels wide. */
export function newSurface() {
  const calls: string[] = []
  const state: Record<string, unknown> = {}
  const surface = new Proxy(state, {
    get: (_, name) => {
      if (name === 'measureText') return (text: string) => ({ width: 6 * text.length })
      if (name in state) return state[String(name)]
      return (...parts: readonly unknown[]) => {
        calls.push([String(name), ...parts.map(round)].join(' '))
      }
    },
  }) as unknown as Surface
  const of = (name: string) => calls.filter(call => call.startsWith(`${name} `))
  return { surface, calls, of }
}

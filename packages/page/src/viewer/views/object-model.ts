// Which view of an object is shown, and what a choice in it or a key on its tabs leads to, without the page.

import { formatView, NO_MARK, parseView, type View } from '../view-address.ts'
import type { Subject } from './view.ts'
import type { ViewRule } from './views.ts'

type Ranked = Pick<ViewRule, 'name' | 'rank'>

/** The view that the address names, or the first one of the greatest rank; undefined: the object is not known yet. */
export function chosenView<Definition extends Ranked>(
  views: readonly Definition[],
  subject: Subject | undefined,
  name: string | undefined,
): Definition | undefined {
  const named = views.find(view => view.name === name)
  if (named || subject === undefined) return named
  return views.reduce<Definition | undefined>(
    (best, view) => (best && best.rank(subject) >= view.rank(subject) ? best : view),
    undefined,
  )
}

/** Choices that the button Back takes back one by one; others replace each other. */
const STEPS = ['tab'] as const

export interface ViewChange {
  readonly query: string
  readonly isStep: boolean
}

/** The address after some choices; undefined: it stays. */
export function changedView(query: string, choices: Partial<View>): ViewChange | undefined {
  const next = formatView({ ...parseView(query), ...choices })
  return next === query ? undefined : { query: next, isStep: STEPS.some(choice => choice in choices) }
}

/** The choice of a view by its tab: the zoom and the mark of one view mean nothing in another one. */
export function tabChoice(tab: string): Partial<View> {
  return { ...NO_MARK, zoom: undefined, slice: undefined, axis: undefined, range: undefined, tab }
}

/** The tab that a key leads to, in a circle; undefined: the key does nothing. */
export function tabForKey<Definition>(
  key: string,
  views: readonly Definition[],
  shown: Definition | undefined,
): Definition | undefined {
  const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  const at = shown === undefined ? 0 : views.indexOf(shown)
  return step === 0 ? undefined : views[(at + step + views.length) % views.length]
}

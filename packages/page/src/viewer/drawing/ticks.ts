// The ticks of an axis: round numbers at places that are far enough from each other, and their texts where these have
// room.

import type { ValueScale } from '../view-address.ts'
import type { Domain } from './scales.ts'

/** About as many ticks as an axis of so many pixels has room for: one in 90 to 100. */
export function tickCount(pixels: number): number {
  return Math.round(Math.min(10, Math.max(3, 3 + ((pixels - 300) * 7) / 600)))
}

/** Numbers between two ends that have a tick, from the least. `isWhole`: only whole numbers have one. */
export function ticksOf(
  domain: Domain,
  scale: ValueScale,
  count: number,
  isWhole = false,
): readonly number[] {
  const [least, most] = [Math.min(...domain), Math.max(...domain)]
  if (!(most > least) || !Number.isFinite(most - least)) return []
  if (scale === 'log' && least > 0) return logTicks(least, most, count)
  if (scale === 'symlog' && most - least > 20) return symmetricTicks(least, most)
  return linearTicks(least, most, count, isWhole)
}

function linearTicks(least: number, most: number, count: number, isWhole: boolean): readonly number[] {
  const rough = (most - least) / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(rough))
  // The step whose ratio to the wanted one is nearest to 1.
  const found = rough / power
  const factor = found >= Math.sqrt(50) ? 10 : found >= Math.sqrt(10) ? 5 : found >= Math.sqrt(2) ? 2 : 1
  const step = isWhole ? Math.max(1, factor * power) : factor * power
  const first = Math.ceil(least / step)
  const length = Math.max(0, Math.floor(most / step) - first + 1)
  return Array.from({ length }, (_, i) => Number(((first + i) * step).toPrecision(15)))
}

/** Powers of ten, with the numbers between them where there are few powers. */
function logTicks(least: number, most: number, count: number): readonly number[] {
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))]
  const isIn = (tick: number) => tick >= least && tick <= most
  if (to - from > count) {
    const step = Math.ceil((to - from) / count)
    const powers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    return powers
      .filter(power => power % step === 0)
      .map(powerOfTen)
      .filter(isIn)
  }
  const ticks = Array.from({ length: 9 * (to - from + 1) }, (_, i) => {
    return ((i % 9) + 1) * powerOfTen(from + Math.floor(i / 9))
  })
  const inside = ticks.filter(isIn)
  return inside.length * 2 < count ? linearTicks(least, most, count, false) : inside
}

/** 0 and powers of ten on both sides of it. */
function symmetricTicks(least: number, most: number): readonly number[] {
  const powers = Array.from({ length: 309 }, (_, power) => powerOfTen(power))
  const side = (end: number) => powers.filter(power => power <= end)
  const ticks = [
    ...side(-least)
      .reverse()
      .map(power => -power),
    0,
    ...side(most),
  ]
  return ticks.filter(tick => tick >= least && tick <= most)
}

/** Without the last digits of arithmetic: 1e-5. */
function powerOfTen(power: number): number {
  return Number(`1e${power}`)
}

/** A text at a place along an axis, as long as it is there. */
export interface PlacedText {
  readonly place: number
  readonly length: number
}

/** Pixels between two texts at least. */
const GAP = 6

/**
 * The indexes of texts that have room: each first, second or third one and so on, and of these sets that with the
 * shortest texts, which are the roundest. A length of 0 is no text.
 */
export function textsWithRoom(texts: readonly PlacedText[]): ReadonlySet<number> {
  const indexes = texts.map((_, i) => i)
  const lengthOf = (set: readonly number[]) => set.reduce((sum, i) => sum + (texts[i]?.length ?? 0), 0)
  for (let step = 1; step <= texts.length; step++) {
    const sets = Array.from({ length: step }, (_, first) => indexes.filter(i => i % step === first))
      .map(set => set.filter(i => (texts[i]?.length ?? 0) > 0))
      .filter(set => set.length > 0)
      .sort((one, other) => lengthOf(one) - lengthOf(other))
    const [best] = sets
    if (best === undefined || haveRoom(best.flatMap(i => texts[i] ?? []))) return new Set(best)
  }
  return new Set()
}

function haveRoom(texts: readonly PlacedText[]): boolean {
  return texts.every(({ place, length }, i) => {
    const next = texts[i + 1]
    return next === undefined || Math.abs(next.place - place) >= (length + next.length) / 2 + GAP
  })
}

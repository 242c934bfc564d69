// Going through the frames of a stack, for a component: by keys, and one after another by itself.

import { useEffect, useRef, useState } from 'react'
import { useShortcut } from '../../common/shortcut.ts'
import type { DimensionUse } from '../view-address.ts'
import { frameAfter, frameDimension, likelyFrame } from './frames.ts'

/** Frames for each second, if they come so fast. */
export const RATES = ['1', '2', '5', '10', '25'] as const
export type Rate = (typeof RATES)[number]

export interface Playing {
  readonly dimension: number
  readonly isOn: boolean
  readonly toggle: () => void
  readonly rate: Rate
  readonly setRate: (rate: Rate) => void
}

/** The frame to read ahead; undefined: none is likely. */
export function useLikelyFrame(
  uses: readonly DimensionUse[],
  shape: readonly number[],
): readonly DimensionUse[] | undefined {
  const last = useRef<{ uses: readonly DimensionUse[]; likely?: readonly DimensionUse[] | undefined }>({
    uses,
  })
  if (last.current.uses.join() !== uses.join())
    last.current = { uses, likely: likelyFrame(last.current.uses, uses, shape) }
  return last.current.likely
}

/** `isReady`: the frame is drawn. Undefined: there is one frame only. */
export function useFrames(
  uses: readonly DimensionUse[],
  shape: readonly number[],
  isReady: boolean,
  choose: (uses: readonly DimensionUse[]) => void,
): Playing | undefined {
  const [isOn, setOn] = useState(false)
  const [rate, setRate] = useState<Rate>('5')
  const dimension = frameDimension(uses, shape)
  const step = (steps: number) => {
    const next = frameAfter(uses, shape, steps)
    if (next) choose(next)
  }
  useShortcut('.', () => step(1))
  useShortcut(',', () => step(-1))
  useShortcut('p', () => setOn(!isOn))
  const begun = useRef(0)
  const frame = uses.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says which frame it is
  useEffect(() => {
    begun.current = performance.now()
  }, [frame])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the step is that of the frame
  useEffect(() => {
    if (!isOn || !isReady || dimension === undefined) return undefined
    const pause = 1000 / Number(rate) - (performance.now() - begun.current)
    const timer = setTimeout(() => step(1), Math.max(0, pause))
    return () => clearTimeout(timer)
  }, [isOn, isReady, rate, frame, dimension])
  return dimension === undefined ? undefined : { dimension, isOn, toggle: () => setOn(!isOn), rate, setRate }
}

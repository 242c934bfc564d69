// The mark of a drawing, for a component: the address has it, and a drag draws another one.

import { useMemo, useState } from 'react'
import { useShortcut } from '../../../common/shortcut.ts'
import type { PlotAxis } from '../../data/axis.ts'
import type { Zoom } from '../../data/sight.ts'
import type { Domain } from '../../drawing/scales.ts'
import type { Layer } from '../../drawing/scene.ts'
import { NO_MARK, type View } from '../../view-address.ts'
import type { ImageGeometry } from '../models/geometry.ts'
import type { ImageSubject } from '../models/image.ts'
import type { LineSubject } from '../models/line.ts'
import { axesOf, xDomainOf } from '../models/line-axis.ts'
import { canReduce } from '../models/numbers.ts'
import type { Marking } from '../use-gestures.ts'
import {
  drawnMark,
  type Mark,
  type MarkKind,
  markButtons,
  markChange,
  markLayers,
  markOf,
  measuredPart,
  type Seen,
  seenOf,
} from './marks.ts'

export interface MarkState {
  /** The mark of the address, which is measured. */
  readonly mark: Mark | undefined
  /** The one on the drawing: while the user draws it, it is not that of the address. */
  readonly drawn: Mark | undefined
  /** Undefined: a drag moves the drawing. */
  readonly marking: Marking | undefined
  readonly buttons: ReturnType<typeof markButtons>
}

interface MarkOptions {
  readonly kinds: readonly MarkKind[]
  readonly view: View
  readonly change: (choices: Partial<View>) => void
  /** The axes in sight, and whole; undefined: they are not known yet. */
  readonly seen: Seen | undefined
  readonly all: Seen | undefined
}

export function useMark({ kinds, view, change, seen, all }: MarkOptions): MarkState {
  const [unfinished, setUnfinished] = useState<Mark>()
  const mark = markOf(view, kinds)
  useShortcut('Escape', () => {
    if (mark) change(NO_MARK)
  })
  const marking = mark &&
    all && {
      isStraightened: mark.kind === 'profile',
      draw: (...[from, to, isDone]: Parameters<Marking['draw']>) => {
        const next = drawnMark(mark.kind, from, to, all, seen)
        setUnfinished(isDone ? undefined : next)
        if (isDone) change(markChange(next))
      },
    }
  return {
    mark,
    drawn: mark && (unfinished?.kind === mark.kind ? unfinished : mark),
    marking,
    buttons: markButtons(kinds, view, seen),
  }
}

interface ImageMarkOptions extends Pick<MarkOptions, 'view' | 'change'> {
  readonly subject: Pick<ImageSubject, 'plot' | 'part'>
  readonly zoom: Zoom | undefined
  readonly geometry: ImageGeometry | undefined
}

/** The service computes the numbers of a box, if it can. */
export function useImageMark({ subject, view, change, zoom, geometry }: ImageMarkOptions): MarkState {
  const { x, y } = geometry ?? {}
  const isComputed = canReduce(subject.plot, measuredPart(subject))
  return useMark({
    kinds: isComputed ? ['profile', 'box'] : ['profile'],
    view,
    change,
    seen: x && y && seenOf(zoom, x.config.domain, y.config.domain),
    all: x && y && { x: x.config.domain, y: y.config.domain },
  })
}

interface LineMarkOptions extends Pick<MarkOptions, 'view' | 'change'> {
  readonly subject: LineSubject
  readonly zoom: Zoom | undefined
  readonly x: PlotAxis | undefined
  readonly y: Domain
}

/** An interval has elements where the axis goes one way. */
export function useLineMark({ subject, view, change, zoom, x, y }: LineMarkOptions): MarkState {
  const all = x && { x: xDomainOf(axesOf(x, subject.curves), 'linear'), y }
  return useMark({
    kinds: (x?.isMonotonic ?? true) && canReduce(subject.plot, subject.part) ? ['interval'] : [],
    view,
    change,
    seen: all && seenOf(zoom, all.x, all.y),
    all,
  })
}

/** The layers and the mark above them: the same list as long as they are the same. */
export function useMarkedLayers(
  layers: readonly Layer[],
  mark: Mark | undefined,
  y: Domain,
): readonly Layer[] {
  const text = JSON.stringify([mark, y])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the mark
  return useMemo(() => [...layers, ...markLayers(mark, y)], [layers, text])
}

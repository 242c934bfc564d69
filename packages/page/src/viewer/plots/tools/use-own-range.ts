// The range that the user has chosen for data of this kind before, for a component: it is put into the address.

import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { Session } from '../../../shell/session.ts'
import { useViewer } from '../../viewer-context.ts'
import type { ViewProps } from '../../views/view.ts'
import { remembered } from '../models/remembered.ts'
import { kindOf, OwnRanges } from './own-ranges.ts'

const rangesOf = remembered((_: Session) => new OwnRanges())

export function useOwnRange(
  name: string,
  { plot, view, change }: Pick<ViewProps, 'plot' | 'view' | 'change'>,
): Pick<ViewProps, 'view' | 'change'> {
  const ranges = rangesOf(useViewer().session)
  const kind = kindOf(name, plot, view)
  const own = ranges.rangeFor(kind, view)
  useEffect(() => {
    if (own) change(own)
  }, [own, change])
  const latest = useRef({ kind, view })
  latest.current = { kind, view }
  const choose = useCallback(
    (choices: Parameters<typeof change>[0]) => {
      ranges.choose(latest.current.kind, latest.current.view, choices)
      change(choices)
    },
    [ranges, change],
  )
  return { view: useMemo(() => ({ ...view, ...own }), [view, own]), change: choose }
}

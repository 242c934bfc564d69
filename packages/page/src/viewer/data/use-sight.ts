// What is in sight of a drawing, for a component.

import { useState } from 'react'
import { type Area, expectedSight, type Sight, type Zoom } from './sight.ts'

export interface SightState {
  readonly sight: Sight | undefined
  readonly setSight: (sight: Sight) => void
  readonly setArea: (area: Area) => void
}

export function useSight(zoom: Zoom | undefined, hasBar: boolean): SightState {
  const [seen, setSight] = useState<Sight>()
  const [area, setArea] = useState<Area>()
  return { sight: seen ?? (area && expectedSight(area, zoom, hasBar)), setSight, setArea }
}

// The profile of a map along a line, which goes through the cells that are drawn.

import { useMemo } from 'react'
import type { View } from '../../view-address.ts'
import { FigureContext } from '../figure/figure.ts'
import { MeasurePanel } from '../measure/MeasurePanel.tsx'
import type { Mark } from '../measure/marks.ts'
import { ProfilePlot } from '../measure/ProfilePanel.tsx'
import type { ImageSubject } from '../models/image.ts'
import { mapProfile } from './map-profile.ts'
import type { MapPicture } from './model.ts'
import { PROJECTIONS, type Projection } from './projection.ts'

interface MapPanelProps {
  readonly mark: Mark | undefined
  readonly change: (choices: Partial<View>) => void
  readonly subject: ImageSubject
  readonly pictures: readonly MapPicture[]
  readonly projection: Projection
}

const DEGREES = ['From longitude', 'From latitude', 'To longitude', 'To latitude']

const NOTE =
  'The line has the cells that are drawn, by their distance on the earth. The tab Image measures boxes: on a map cells differ in area.'

export function MapPanel({ mark, change, subject, pictures, projection }: MapPanelProps) {
  const ends = mark?.kind === 'profile' ? mark.ends : undefined
  const text = JSON.stringify(ends)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the ends
  const profile = useMemo(() => ends && mapProfile(ends, pictures, projection), [text, pictures, projection])
  const { label, plot } = subject
  const rows = useMemo(() => {
    if (profile === undefined) return undefined
    const { distances, latitudes, longitudes, values } = profile
    const row = (value: number, i: number) => [
      distances[i] ?? 0,
      latitudes[i] ?? 0,
      longitudes[i] ?? 0,
      value,
    ]
    return [['km', 'latitude', 'longitude', label], ...Array.from(values, row)]
  }, [profile, label])
  const drawn = useMemo(
    () =>
      profile && {
        values: [profile.values],
        scale: { label: 'Distance (km)', places: profile.distances, format: undefined, isIndex: false },
      },
    [profile],
  )
  if (mark === undefined) return null
  return (
    <MeasurePanel
      {...{ mark, change, rows }}
      note={profile ? NOTE : 'Loading …'}
      error={undefined}
      // Elsewhere they are no degrees.
      fields={projection === PROJECTIONS.plane ? DEGREES : undefined}
    >
      {/* A figure has the map alone. */}
      <FigureContext.Provider value={undefined}>
        <div className="measure-plot">
          {drawn ? (
            <ProfilePlot {...drawn} {...{ label }} channels={ONE_CHANNEL} meaning={plot.meaning} />
          ) : null}
        </div>
      </FigureContext.Provider>
    </MeasurePanel>
  )
}

const ONE_CHANNEL = [{ colour: undefined }]

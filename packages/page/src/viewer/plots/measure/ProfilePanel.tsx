// The profile of an image along a line: a small drawing of its numbers.

import { useMemo, useState } from 'react'
import { readBlocks } from '../../data/blocks.ts'
import type { Image } from '../../data/image.ts'
import type { Zoom } from '../../data/sight.ts'
import { boundsOfNumbers, extendDomain } from '../../drawing/bounds.ts'
import type { View } from '../../view-address.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import { FigureContext } from '../figure/figure.ts'
import type { ImageGeometry } from '../models/geometry.ts'
import type { ImageSubject } from '../models/image.ts'
import { canReduce, formatValue, numberOptions } from '../models/numbers.ts'
import { PlotCanvas } from '../PlotCanvas.tsx'
import { Tip } from '../Tip.tsx'
import { useConverters } from '../use-parts.ts'
import { MeasurePanel } from './MeasurePanel.tsx'
import { type Mark, measuredPart } from './marks.ts'
import {
  obliqueProfile,
  type Profile,
  type ProfileAxes,
  profileRows,
  profileScale,
  selectionOfLine,
  straightLine,
  straightProfile,
} from './profile.ts'

export interface MeasuredImage {
  readonly subject: ImageSubject
  readonly geometry: ImageGeometry
  readonly axes: ProfileAxes
  readonly image: Image
}

export interface ImagePanelProps extends MeasuredImage {
  readonly mark: Extract<Mark, { readonly kind: 'profile' | 'box' }>
  readonly change: (choices: Partial<View>) => void
}

export function ProfilePanel({ mark, change, ...measured }: ImagePanelProps) {
  const { subject, axes } = measured
  const { profile, error } = useProfile(mark, measured)
  const rows = useMemo(
    () => profile && profileRows(profile, axes, subject.label),
    [profile, axes, subject.label],
  )
  return (
    <MeasurePanel {...{ mark, change, rows, error }} note={profile?.text ?? 'Loading …'}>
      {/* A figure has the image alone. */}
      <FigureContext.Provider value={undefined}>
        <div className="measure-plot">{profile ? <ProfilePlot profile={profile} {...measured} /> : null}</div>
      </FigureContext.Provider>
    </MeasurePanel>
  )
}

/** Elements where the line is straight, else what is drawn. */
function useProfile({ ends }: ImagePanelProps['mark'], { subject, geometry, image }: MeasuredImage) {
  const { contents } = useViewer()
  const { dataset, plot, uses } = subject
  const part = measuredPart(subject)
  const [convert] = useConverters([plot], part)
  const line = straightLine(ends, geometry)
  const hasExtremes = canReduce(plot, part)
  const read = async (signal: AbortSignal) => {
    if (line === undefined || convert === undefined) return undefined
    const numbered = { ...dataset, numbers: numberOptions(plot, part) }
    const value = hasExtremes ? 'minmax' : 'first'
    const { data } = await readBlocks(contents.domain, numbered, selectionOfLine(line, uses), value, signal)
    return straightProfile(line, convert(data), hasExtremes)
  }
  const wanted = JSON.stringify([line, uses, part, dataset.stamp, dataset.shape])
  const { value, error } = useLoaded(read, [dataset.id, wanted])
  const { picture, overview } = image
  const oblique = useMemo(
    () => obliqueProfile(ends, geometry, { picture, overview }),
    [ends, geometry, picture, overview],
  )
  return { profile: line ? value : oblique, error }
}

function ProfilePlot({ profile, subject, axes }: MeasuredImage & { readonly profile: Profile }) {
  const [zoom, setZoom] = useState<Zoom>()
  const { plot, uses, label } = subject
  const [x, y] = (['x', 'y'] as const).map(use => plot.axes[uses.indexOf(use)]?.meaning?.units)
  const { values } = profile
  const scale = useMemo(
    () => profileScale(profile, axes, x === y ? { common: x } : undefined),
    [profile, axes, x, y],
  )
  const { places } = scale
  const layers = useMemo(() => [curveThrough(places, values)], [places, values])
  const bounds = boundsOfNumbers(values)
  const span = boundsOfNumbers(places)
  const format = plot.meaning.kind === 'time' ? plot.meaning.formatUnpacked : undefined
  const text = format ?? formatValue
  const tipAt = (at: number) => {
    const i = nearestIn(places, at)
    const place = places[i] ?? Number.NaN
    const value = values[i]
    return (
      <Tip
        place={`${scale.label} = ${scale.format?.(place) || formatValue(place)}`}
        value={value === undefined ? '–' : text(value)}
      />
    )
  }
  return (
    <PlotCanvas
      title={`Profile of ${label}`}
      aspect="auto"
      x={{ ...scale, domain: extendDomain([span?.min ?? 0, span?.max ?? 1], 0.01, 'linear'), hasGrid: true }}
      y={{
        domain: extendDomain([bounds?.min ?? 0, bounds?.max ?? 1], 0.05, 'linear'),
        hasGrid: true,
        isEmpty: bounds === undefined,
        label,
        format,
      }}
      layers={layers}
      values={bounds ? `Numbers from ${text(bounds.min)} to ${text(bounds.max)}.` : ''}
      zoom={zoom}
      onZoom={setZoom}
      onSight={() => {}}
      isLine
      guides="vertical"
      tipAt={tipAt}
    />
  )
}

function curveThrough(x: Float64Array, y: Float64Array) {
  const hasLine = y.length > 1
  return { kind: 'curve' as const, x, y, colour: '#d81b60', hasLine, hasPoints: !hasLine }
}

function nearestIn(places: Float64Array, at: number): number {
  return places.reduce(
    (nearest, place, i) =>
      Math.abs(place - at) < Math.abs((places[nearest] ?? Number.NaN) - at) ? i : nearest,
    0,
  )
}

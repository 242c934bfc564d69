// The profile of an image along a line: a small drawing of its numbers.

import { useMemo, useState } from 'react'
import { readBlocks } from '../../data/blocks.ts'
import type { Image } from '../../data/image.ts'
import type { Zoom } from '../../data/sight.ts'
import { boundsOfNumbers, extendDomain } from '../../drawing/bounds.ts'
import type { View } from '../../view-address.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import { FigureContext } from '../figure/figure.ts'
import { joinedBounds } from '../models/domains.ts'
import type { ImageGeometry } from '../models/geometry.ts'
import { canReduce, formatValue, numberOptions } from '../models/numbers.ts'
import { PlotCanvas } from '../PlotCanvas.tsx'
import { Tip } from '../Tip.tsx'
import { useConverters } from '../use-parts.ts'
import { channelsOf, type MeasuredChannel, type MeasuredSubject } from './channels.ts'
import { MeasurePanel } from './MeasurePanel.tsx'
import { type Mark, measuredPart } from './marks.ts'
import {
  obliqueProfile,
  type Profile,
  type ProfileAxes,
  type ProfileScale,
  profileRows,
  profileScale,
  selectionOfLine,
  straightLine,
  straightProfile,
} from './profile.ts'

export interface MeasuredImage {
  readonly subject: MeasuredSubject
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
  const channels = channelsOf(subject)
  const { profile, error } = useProfile(mark, measured, channels)
  const labels = JSON.stringify(channels.map(({ label }) => label))
  const rows = useMemo(
    () => profile && profileRows(profile, axes, JSON.parse(labels)),
    [profile, axes, labels],
  )
  return (
    <MeasurePanel {...{ mark, change, rows, error }} note={profile?.text ?? 'Loading …'}>
      {/* A figure has the image alone. */}
      <FigureContext.Provider value={undefined}>
        <div className="measure-plot">
          {profile ? <ImageProfile {...{ profile, channels }} {...measured} /> : null}
        </div>
      </FigureContext.Provider>
    </MeasurePanel>
  )
}

/** Elements where the line is straight, else what is drawn. */
function useProfile(
  { ends }: ImagePanelProps['mark'],
  { subject, geometry, image }: MeasuredImage,
  channels: readonly MeasuredChannel[],
) {
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
    const found = await Promise.all(
      channels.map(async ({ uses }) => {
        const select = selectionOfLine(line, uses)
        return convert((await readBlocks(contents.domain, numbered, select, value, signal)).data)
      }),
    )
    return straightProfile(line, found, hasExtremes)
  }
  const wanted = JSON.stringify([line, uses, part, dataset.stamp, dataset.shape])
  const { value, error } = useLoaded(read, [dataset.id, wanted])
  const { picture, overview } = image
  const oblique = useMemo(
    () => obliqueProfile(ends, geometry, { picture, overview }, channels.length),
    [ends, geometry, picture, overview, channels.length],
  )
  return { profile: line ? value : oblique, error }
}

interface ImageProfileProps extends MeasuredImage {
  readonly profile: Profile
  readonly channels: readonly MeasuredChannel[]
}

function ImageProfile({ profile, channels, subject, axes }: ImageProfileProps) {
  const { plot, uses, label } = subject
  const [x, y] = (['x', 'y'] as const).map(use => plot.axes[uses.indexOf(use)]?.meaning?.units)
  const scale = useMemo(
    () => profileScale(profile, axes, x === y ? { common: x } : undefined),
    [profile, axes, x, y],
  )
  return <ProfilePlot {...{ scale, channels, label }} values={profile.values} meaning={plot.meaning} />
}

interface ProfilePlotProps {
  readonly scale: ProfileScale
  /** Those of each channel. */
  readonly values: readonly Float64Array[]
  readonly channels: readonly Pick<MeasuredChannel, 'colour'>[]
  readonly meaning: MeasuredSubject['plot']['meaning']
  readonly label: string
}

export function ProfilePlot({ scale, values, channels, meaning, label }: ProfilePlotProps) {
  const [zoom, setZoom] = useState<Zoom>()
  const { places } = scale
  const colours = JSON.stringify(channels.map(({ colour }) => colour))
  const layers = useMemo(() => {
    const known: readonly (string | null)[] = JSON.parse(colours)
    return values.map((numbers, i) => curveThrough(places, numbers, known[i] ?? '#d81b60'))
  }, [places, values, colours])
  const bounds = joinedBounds(values.map(boundsOfNumbers))
  const span = boundsOfNumbers(places)
  const format = meaning.kind === 'time' ? meaning.formatUnpacked : undefined
  const text = format ?? formatValue
  const tipAt = (at: number) => {
    const i = nearestIn(places, at)
    const place = places[i] ?? Number.NaN
    const numbers = values.map(one => one[i])
    return (
      <Tip
        place={`${scale.label} = ${scale.format?.(place) || formatValue(place)}`}
        value={numbers.map(value => (value === undefined ? '–' : text(value))).join(', ')}
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

function curveThrough(x: Float64Array, y: Float64Array, colour: string) {
  const hasLine = y.length > 1
  return { kind: 'curve' as const, x, y, colour, hasLine, hasPoints: !hasLine }
}

function nearestIn(places: Float64Array, at: number): number {
  return places.reduce(
    (nearest, place, i) =>
      Math.abs(place - at) < Math.abs((places[nearest] ?? Number.NaN) - at) ? i : nearest,
    0,
  )
}

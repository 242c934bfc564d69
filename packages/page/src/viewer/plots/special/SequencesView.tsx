// Sequences of numbers, each of a length of its own: the chosen one as a line, and the next ones beside it.

import { useCallback, useEffect, useMemo } from 'react'
import { Dimensions } from '../../Dimensions.tsx'
import { useExports } from '../../data/exports.ts'
import type { Plot } from '../../data/plot.ts'
import type { Zoom } from '../../data/sight.ts'
import { useFrames } from '../../data/use-frames.ts'
import { useSelection } from '../../data/use-selection.ts'
import { extendDomain } from '../../drawing/bounds.ts'
import { Follow } from '../../Follow.tsx'
import type { DimensionUse, View } from '../../view-address.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import type { ViewProps } from '../../views/view.ts'
import { domainsOf } from '../models/domains.ts'
import { formatValue } from '../models/numbers.ts'
import { PlotCanvas } from '../PlotCanvas.tsx'
import { PlotFrame } from '../PlotFrame.tsx'
import { toolNodes } from '../tools/tool-nodes.tsx'
import {
  boundsOfSequences,
  longestOf,
  readSequences,
  type Sequence,
  sequenceLayers,
  sequencesNote,
  sequencesOf,
  sequencesSettings,
  sequencesTools,
  sequenceTexts,
} from './sequences.ts'

export function SequencesView({ plot, view, change, onShow }: ViewProps) {
  if (plot?.signal.dataset === undefined) return null
  return <SequencesPlot plot={plot} view={view} change={change} onShow={onShow} />
}

type SequencesPlotProps = Pick<ViewProps, 'view' | 'change' | 'onShow'> & { readonly plot: Plot }

function SequencesPlot({ plot, view, change, onShow }: SequencesPlotProps) {
  const { contents } = useViewer()
  const subject = sequencesOf(plot, view)
  const { dataset, uses, count, first } = subject
  const { path } = plot.signal
  const select = useSelection(uses)
  useEffect(() => onShow(path, select), [onShow, path, select])
  const { value, error, isLoading } = useLoaded(
    async abort => (count > 0 ? readSequences(contents.domain, subject, abort) : []),
    [dataset.id, dataset.stamp, first, count],
  )
  const changeSlice = (slice: readonly DimensionUse[]) =>
    change({ slice, isFollowed: undefined, hidden: undefined })
  const playing = useFrames(uses, dataset.shape ?? [], !isLoading, changeSlice)
  const exports = useExports(dataset, select, ['json'])
  const settings = sequencesSettings(view)
  const isEmpty = value?.length === 0
  return (
    <PlotFrame
      tools={toolNodes(sequencesTools(settings, value), change)}
      exports={exports}
      isSlice={select !== undefined}
      dimensions={<Dimensions dimensions={plot.axes} axes={[]} change={changeSlice} {...{ uses, playing }} />}
      follow={<Follow plot={plot} uses={uses} view={view} change={change} />}
      note={value && !isEmpty ? sequencesNote(value, count) : undefined}
      error={error}
    >
      {isEmpty ? <p className="note">There are no sequences: an extent is 0.</p> : null}
      {value && !isEmpty ? <SequencesDrawing sequences={value} {...{ plot, view, change }} /> : null}
      {value === undefined && error === undefined ? <p className="plot-loading">Loading …</p> : null}
    </PlotFrame>
  )
}

interface SequencesDrawingProps {
  readonly plot: Plot
  readonly view: View
  readonly change: ViewProps['change']
  readonly sequences: readonly Sequence[]
}

function SequencesDrawing({ plot, view, change, sequences }: SequencesDrawingProps) {
  const settings = sequencesSettings(view)
  const text = JSON.stringify(settings)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the settings
  const layers = useMemo(() => sequenceLayers(sequences, settings), [sequences, text])
  const bounds = boundsOfSequences(sequences, settings)
  const scale = settings.scale.value
  const hasGrid = settings.hasGrid.value
  const { domain } = domainsOf(bounds, scale, undefined)
  const onZoom = useCallback((zoom: Zoom | undefined) => change({ zoom }), [change])
  return (
    <PlotCanvas
      title={plot.title}
      aspect="auto"
      x={{
        domain: extendDomain([0, longestOf(sequences) - 1], 0.01),
        hasGrid,
        isIndex: true,
        label: 'Index',
      }}
      y={{
        domain: extendDomain(domain, 0.05, scale),
        scale,
        hasGrid,
        isEmpty: bounds === undefined,
        label: plot.label,
      }}
      layers={layers}
      values={bounds ? `Numbers from ${formatValue(bounds.min)} to ${formatValue(bounds.max)}.` : ''}
      zoom={view.zoom}
      onSight={ignoreSight}
      onZoom={onZoom}
      isLine
      guides="vertical"
      tipAt={at => {
        const index = Math.max(0, Math.round(at))
        const texts = sequenceTexts(sequences, settings, index)
        return (
          <>
            index = {index}
            {texts.map(line => (
              <div key={line}>{line}</div>
            ))}
          </>
        )
      }}
    />
  )
}

const ignoreSight = () => {}

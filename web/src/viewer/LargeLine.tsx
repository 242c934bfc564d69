// A line of more points than can be drawn: the service sends the least and the greatest element of each block, and the
// line between them covers the same area as one through all points, so that no peak is lost.

import {
  AXIS_SCALE_TYPES,
  DomainWidget,
  getDomain,
  getSafeDomain,
  getVisDomain,
  LineVis,
  ScaleSelector,
  ScaleType,
  Separator,
  Toolbar,
} from '@h5web/lib'
import ndarray from 'ndarray'
import { type ComponentProps, useEffect, useMemo, useState } from 'react'
import type { Elements } from '../../../client/index.ts'
import type { DrawingProps } from './LargePlot.tsx'
import { blockSizes, drawnDimensions } from './large-part.ts'

/** Two points of each block. */
interface Curve {
  readonly abscissas: Float64Array
  readonly ordinates: Float64Array
}

type LineScale = ComponentProps<typeof ScaleSelector<(typeof AXIS_SCALE_TYPES)[number]>>['value']
type CustomDomain = ComponentProps<typeof DomainWidget>['customDomain']

/** The domain of a scale without drawable values; the same as in h5web. */
const NO_DOMAIN: [number, number] = [0.1, 1]

export function LargeLine({ domain, part, title, retry, children }: DrawingProps) {
  const { attempt, fail } = retry
  const [curve, setCurve] = useState<Curve>()
  const [dimension = 0] = drawnDimensions(part)
  const block = blockSizes(part)[dimension] ?? 1
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads the same again
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const { dataset, select } = part
    const read = async (name: string) => {
      const { data } = await domain.read(dataset, {
        select,
        reduce: `${name}:${blockSizes(part).join(',')}`,
        signal,
      })
      return data
    }
    Promise.all([read('min'), read('max')])
      .then(([low, high]) => setCurve(curveOf(low, high, block)))
      .catch((reason: unknown) => {
        if (!signal.aborted) fail(reason)
      })
    return () => abort.abort()
  }, [domain, part, block, attempt, fail])
  return (
    <>
      <p>
        The line goes through the least and the greatest of each {block} elements. {children}
      </p>
      {curve === undefined ? <p>Loading …</p> : <Line curve={curve} title={title} />}
    </>
  )
}

function curveOf(low: Elements, high: Elements, block: number): Curve {
  const abscissas = new Float64Array(2 * low.length)
  const ordinates = new Float64Array(2 * low.length)
  for (let i = 0; i < low.length; i++) {
    abscissas[2 * i] = i * block
    abscissas[2 * i + 1] = (i + 0.5) * block
    ordinates[2 * i] = Number(low[i])
    ordinates[2 * i + 1] = Number(high[i])
  }
  return { abscissas, ordinates }
}

function Line({ curve, title }: { readonly curve: Curve; readonly title: string }) {
  const [customDomain, setCustomDomain] = useState<CustomDomain>([null, null])
  const [scaleType, setScaleType] = useState<LineScale>(ScaleType.Linear)
  const array = useMemo(() => ndarray(curve.ordinates), [curve])
  const dataDomain = useMemo(() => getDomain(array, { scaleType }) ?? NO_DOMAIN, [array, scaleType])
  const [domain] = getSafeDomain(getVisDomain(customDomain, dataDomain), dataDomain, scaleType)
  return (
    <>
      <div className="plot-tools">
        <Toolbar>
          <DomainWidget
            dataDomain={dataDomain}
            customDomain={customDomain}
            scaleType={scaleType}
            onCustomDomainChange={setCustomDomain}
          />
          <Separator />
          <ScaleSelector
            label="Y"
            value={scaleType}
            onScaleChange={setScaleType}
            options={AXIS_SCALE_TYPES}
          />
        </Toolbar>
      </div>
      <div className="plot">
        <LineVis
          dataArray={array}
          domain={domain}
          scaleType={scaleType}
          title={title}
          abscissaParams={{ value: curve.abscissas }}
        />
      </div>
    </>
  )
}

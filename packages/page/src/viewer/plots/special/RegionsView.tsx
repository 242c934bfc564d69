// References to regions: their list, and the dataset of the chosen one with its regions on it.

import './regions.css'
import { useCallback, useMemo } from 'react'
import { messageOf } from '../../../common/errors.ts'
import { plotOf } from '../../data/plot.ts'
import { findById } from '../../meaning/axes.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import type { ViewProps } from '../../views/view.ts'
import { ImageView } from '../ImageView.tsx'
import { LineView } from '../LineView.tsx'
import { OutlinesContext } from './outlines.ts'
import { MAX_REGIONS, type Region, regionsIn, regionText, sliceAt } from './regions.ts'

export function RegionsView(props: ViewProps) {
  const { plot, view, change } = props
  const { contents } = useViewer()
  const { dataset } = plot?.signal ?? {}
  const [count = 0] = dataset?.shape ?? []
  const { value, error } = useLoaded(
    async signal => {
      if (dataset === undefined) return []
      const select = [{ start: 0, stop: Math.min(count, MAX_REGIONS) }]
      return regionsIn((await contents.domain.read(dataset, { select, signal })).data)
    },
    [dataset?.id, dataset?.stamp, count],
  )
  const choose = useCallback(
    (region: number) => change({ region, slice: undefined, zoom: undefined }),
    [change],
  )
  if (error !== undefined) return <Problem error={error} />
  if (value === undefined) return <p className="plot-loading">Loading …</p>
  const known = value.findIndex(region => region !== undefined)
  const at = view.region !== undefined && value[view.region] ? view.region : known
  const chosen = value[at]
  return (
    <div className="regions">
      <nav aria-label="Regions">
        {value.map((region, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: references have no other name
          <button key={i} type="button" disabled={!region} aria-pressed={i === at} onClick={() => choose(i)}>
            <b>{i}</b> {region ? regionText(region) : 'none'}
          </button>
        ))}
        {count > value.length ? (
          <p className="note">
            The first {value.length.toLocaleString('en')} of {count.toLocaleString('en')}.
          </p>
        ) : null}
      </nav>
      {chosen ? (
        <Drawn {...props} regions={value} chosen={chosen} />
      ) : (
        <p className="note">There is no region.</p>
      )}
    </div>
  )
}

interface DrawnProps extends ViewProps {
  readonly regions: readonly (Region | undefined)[]
  readonly chosen: Region
}

/** The dataset of the chosen region. */
function Drawn({ regions, chosen, ...props }: DrawnProps) {
  const { contents, version } = useViewer()
  const { id } = chosen
  const { value: plot, error } = useLoaded(
    async signal => {
      const found = await findById(contents, id, signal)
      if (typeof found === 'string' || found.path === '')
        throw new Error('The dataset of the region is not found.')
      return plotOf(contents, await contents.at(found.path))
    },
    [id, version],
  )
  const outlines = useMemo(
    () => ({ regions: regions.filter(region => region?.id === id) as readonly Region[], chosen }),
    [regions, id, chosen],
  )
  if (error !== undefined) return <Problem error={error} />
  if (plot === undefined) return <p className="plot-loading">Loading …</p>
  const { path, dataset } = plot.signal
  const isImage = (dataset?.shape?.length ?? 0) > 1
  const View = isImage ? ImageView : LineView
  const view = isImage ? { ...props.view, slice: sliceAt(plot, props.view, chosen) } : props.view
  return (
    <section aria-label={path}>
      <button type="button" className="crumb" title="Open the dataset" onClick={() => props.choose(path)}>
        {path}
      </button>
      <OutlinesContext.Provider value={outlines}>
        <View {...props} plot={plot} view={view} />
      </OutlinesContext.Provider>
    </section>
  )
}

function Problem({ error }: { readonly error: unknown }) {
  return (
    <p role="alert" className="error">
      {messageOf(error)}
    </p>
  )
}

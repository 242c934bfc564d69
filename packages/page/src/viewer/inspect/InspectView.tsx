// Information on an object: its head as xarray shows it, attributes, storage, and statistics when they are asked for.
// References are links. Ids of objects are not for people.

import { formatDatatype } from '@hyperslab/client/elements'
import './inspect.css'
import { useEffect } from 'react'
import { formatTime } from '../../common/format.ts'
import { Skeleton } from '../../common/Skeleton.tsx'
import type { Entity } from '../data/contents.ts'
import { describeAxes } from '../meaning/axes.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views/view.ts'
import { AttributeTable } from './AttributeTable.tsx'
import { DatasetHead } from './DatasetHead.tsx'
import { JoinedFiles } from './JoinedFiles.tsx'
import { Lines, TypeLines } from './parts.tsx'
import { Statistics } from './Statistics.tsx'
import { Storage } from './Storage.tsx'

/** Grey rows in the place of what is being loaded. */
const GREY_ROWS = 8

export function InspectView({ entity, choose, onShow }: ViewProps) {
  const { contents } = useViewer()
  const { path, kind, object, dataset, attributes } = entity
  useEffect(() => onShow(path, undefined), [onShow, path])
  const axes = useLoaded(
    async signal => (dataset ? describeAxes(contents, { path, dataset, attributes }, signal) : undefined),
    [object.id, contents, attributes],
  )
  const hasAxes = dataset === undefined || axes.value !== undefined || axes.error !== undefined
  // All comes at once, so that nothing moves.
  if (!hasAxes)
    return (
      <div className="inspect">
        <Skeleton rows={GREY_ROWS} />
      </div>
    )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be in reach of the keyboard
    <div className="inspect" tabIndex={0}>
      {dataset ? (
        <DatasetHead entity={entity} dataset={dataset} attributes={attributes} axes={axes} choose={choose} />
      ) : null}
      {kind === 'datatype' && entity.type ? (
        <>
          <p className="dataset-head">
            <strong>{entity.name}</strong> <span className="dataset-type">{formatDatatype(entity.type)}</span>
          </p>
          <TypeLines type={entity.type} />
        </>
      ) : null}
      <h3>Attributes</h3>
      <AttributeTable entity={entity} attributes={attributes} choose={choose} />
      {dataset ? <Storage entity={entity} dataset={dataset} choose={choose} /> : null}
      {dataset ? <Statistics dataset={dataset} attributes={attributes} /> : null}
      {path === '/' ? <JoinedFiles /> : null}
      <h3>Object</h3>
      <Lines lines={objectLines(entity)} label="Object" />
    </div>
  )
}

const KINDS = { group: 'Group', dataset: 'Dataset', datatype: 'Committed datatype' }

function objectLines({ kind, object }: Entity) {
  const links =
    object.class === 'group' ? [{ name: 'Links', text: object.linkCount.toLocaleString('en') }] : []
  return [
    { name: 'Kind', text: KINDS[kind] },
    ...links,
    ...(object.created > 0 ? [{ name: 'Created', text: formatTime(object.created) }] : []),
    ...(object.lastModified > 0 ? [{ name: 'Changed', text: formatTime(object.lastModified) }] : []),
  ]
}

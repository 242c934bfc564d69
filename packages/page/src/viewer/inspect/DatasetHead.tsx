// The head of a dataset, as xarray shows it: dimensions with their names, the type and units, and coordinates.

import type { DatasetShape } from '@hyperslab/client'
import { formatDatatype, formatShape } from '@hyperslab/client/elements'
import type { Loaded } from '../../common/loader.ts'
import type { Entity } from '../data/contents.ts'
import type { Attributes, DomainSource } from '../meaning/attributes.ts'
import type { Axis, DatasetAt, DatasetAxes } from '../meaning/axes.ts'
import { readShown } from '../meaning/letters.ts'
import { meaningOf } from '../meaning/values.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import { coordinatesText, headOf } from './head.ts'
import { Failure, PathLink, TypeLines } from './parts.tsx'

interface DatasetHeadProps {
  readonly entity: Entity
  readonly dataset: DatasetShape
  readonly attributes: Attributes | undefined
  readonly axes: Loaded<DatasetAxes | undefined>
  readonly choose: (path: string) => void
}

/** The head of a dataset: `t2m (time: 12, lat: 73, lon: 144) int16`, and a line for each coordinate. */
export function DatasetHead({ entity: { name }, dataset, attributes, axes, choose }: DatasetHeadProps) {
  const { contents } = useViewer()
  const { value, error } = axes
  const meaning = attributes && meaningOf(dataset.type, attributes)
  const head = headOf(dataset, meaning, value)
  const own = value?.axes.filter(axis => axis.source && axis.source.dataset.id !== dataset.id) ?? []
  return (
    <>
      <p className="dataset-head">
        <strong>{name}</strong> {head.extents} <span className="dataset-type">{head.type}</span>
      </p>
      <TypeLines type={dataset.type} />
      {error === undefined ? null : <Failure error={error} />}
      {head.problems.map(problem => (
        <p key={problem} className="problem">
          {problem}
        </p>
      ))}
      {own.length > 0 || (value?.others.length ?? 0) > 0 ? (
        <>
          <h3>Coordinates</h3>
          <table aria-label="Coordinates">
            <tbody>
              {own.map((axis, d) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two dimensions may have one coordinate
                <CoordinateRow key={d} axis={axis} choose={choose} />
              ))}
              {value?.others.map(other => (
                <OtherCoordinate key={other.dataset.id} source={contents} other={other} choose={choose} />
              ))}
            </tbody>
          </table>
        </>
      ) : null}
    </>
  )
}

interface CoordinateRowProps {
  readonly axis: Axis
  readonly choose: (path: string) => void
}

function CoordinateRow({ axis, choose }: CoordinateRowProps) {
  const { source, coordinates, meaning } = axis
  const { value = '' } = useLoaded(() => coordinatesText(axis), [coordinates])
  return (
    <tr>
      <th scope="row">
        {source ? <PathLink path={source.path} text={axis.name} choose={choose} /> : axis.name}
      </th>
      <td>({axis.name})</td>
      <td>{source ? formatDatatype(source.dataset.type) : ''}</td>
      <td>{meaning?.units ?? ''}</td>
      <td className="coordinate-values">{value}</td>
    </tr>
  )
}

interface OtherCoordinateProps {
  readonly source: DomainSource
  readonly other: DatasetAt
  readonly choose: (path: string) => void
}

function OtherCoordinate({ source, other, choose }: OtherCoordinateProps) {
  const { dataset, path, attributes } = other
  const meaning = meaningOf(dataset.type, attributes)
  const isOne = dataset.shape?.length === 0
  const { value = '' } = useLoaded(
    async signal => {
      if (!isOne) return ''
      const [value] = await readShown(source.domain, dataset, { signal })
      return meaning.format(value)
    },
    [dataset.id, source],
  )
  return (
    <tr>
      <th scope="row">
        <PathLink path={path} text={path.slice(path.lastIndexOf('/') + 1)} choose={choose} />
      </th>
      <td>{isOne ? '()' : formatShape(dataset.shape)}</td>
      <td>{formatDatatype(dataset.type)}</td>
      <td>{meaning.units ?? ''}</td>
      <td className="coordinate-values">{value}</td>
    </tr>
  )
}

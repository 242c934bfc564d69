// Information on an object: its head as xarray shows it (dimensions, coordinates), attributes, storage, and statistics
// when they are asked for. References are links. Ids of objects are not for people.

import './inspect.css'
import { useEffect, useState } from 'react'
import { isBoolean } from '../../../../client/datatype.ts'
import type { DatasetShape, Datatype } from '../../../../client/index.ts'
import { messageOf } from '../../errors.ts'
import { formatTime } from '../../format.ts'
import type { Entity } from '../contents.ts'
import { formatDatatype, formatShape } from '../datatype-text.ts'
import { type Attribute, type Attributes, type DomainSource, readAttributes } from '../meaning/attributes.ts'
import { type Axis, type DatasetAt, describeAxes } from '../meaning/axes.ts'
import { readShown } from '../meaning/letters.ts'
import { meaningOf } from '../meaning/values.ts'
import { isComplex } from '../plot.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views.ts'
import { attributeForm, type ObjectId } from './attribute-form.ts'
import { longText } from './long-text.ts'
import { Statistics } from './Statistics.tsx'
import { storageLines } from './storage.ts'

export function InspectView({ entity, choose, onShow }: ViewProps) {
  const { contents, version } = useViewer()
  const { path, kind, object, dataset } = entity
  useEffect(() => onShow(path, undefined), [onShow, path])
  const { value: attributes, error } = useLoaded(
    signal => readAttributes(contents, `${kind}s`, object, signal),
    [object.id, contents, version],
  )
  return (
    <div className="inspect">
      {dataset ? (
        <DatasetHead entity={entity} dataset={dataset} attributes={attributes} choose={choose} />
      ) : null}
      {entity.kind === 'datatype' && entity.type ? <TypeLines type={entity.type} /> : null}
      <h3>Attributes</h3>
      {error === undefined ? null : <Failure error={error} />}
      {attributes ? <AttributeTable entity={entity} attributes={attributes} choose={choose} /> : null}
      {dataset ? <Storage entity={entity} dataset={dataset} choose={choose} /> : null}
      {dataset ? <Statistics dataset={dataset} attributes={attributes} /> : null}
      <h3>Object</h3>
      <Lines lines={objectLines(entity)} label="Object" />
    </div>
  )
}

function Failure({ error }: { readonly error: unknown }) {
  return (
    <p role="alert" className="error">
      {messageOf(error)}
    </p>
  )
}

interface LinesProps {
  readonly label: string
  readonly lines: readonly { readonly name: string; readonly text: string }[]
}

function Lines({ label, lines }: LinesProps) {
  return (
    <table aria-label={label}>
      <tbody>
        {lines.map(({ name, text }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
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

interface DatasetHeadProps {
  readonly entity: Entity
  readonly dataset: DatasetShape
  readonly attributes: Attributes | undefined
  readonly choose: (path: string) => void
}

/** The head of a dataset: `t2m (time: 12, lat: 73, lon: 144) int16`, and a line for each coordinate. */
function DatasetHead({ entity, dataset, attributes, choose }: DatasetHeadProps) {
  const { contents } = useViewer()
  const { path, name } = entity
  const { value, error } = useLoaded(
    async signal => {
      if (attributes === undefined) return undefined
      return describeAxes(contents, { path, dataset, attributes }, signal)
    },
    [dataset.id, attributes],
  )
  const meaning = attributes && meaningOf(dataset.type, attributes)
  const shape = dataset.shape
  const names = shape?.map(
    (extent, d) => `${value?.axes[d]?.name ?? `D${d}`}: ${extent.toLocaleString('en')}`,
  )
  const problems = [...(meaning?.problems ?? []), ...(value?.problems ?? [])]
  const own = value?.axes.filter(axis => axis.source && axis.source.dataset.id !== dataset.id) ?? []
  return (
    <>
      <p className="dataset-head">
        <strong>{name}</strong> {names && names.length > 0 ? `(${names.join(', ')})` : formatShape(shape)}{' '}
        <span className="dataset-type">
          {formatDatatype(dataset.type)}
          {value?.shown.letters === undefined ? '' : ', letters of strings along the last dimension'}
          {meaning?.isPacked ? ', packed: values are unpacked by scale_factor and add_offset' : ''}
          {meaning?.units === undefined ? '' : `, ${meaning.units}`}
        </span>
      </p>
      {dataset.type.class === 'H5T_COMPOUND' ? <TypeLines type={dataset.type} /> : null}
      {error === undefined ? null : <Failure error={error} />}
      {problems.map(problem => (
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
  const { source, coordinates, length, meaning } = axis
  const { value = '' } = useLoaded(async () => {
    const isLong = length > 5
    const first = await coordinates.texts({ start: 0, stop: isLong ? 3 : length })
    const last = isLong ? await coordinates.texts({ start: length - 1, stop: length }) : []
    return [...first, ...(isLong ? ['…'] : []), ...last].join('  ')
  }, [coordinates])
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

interface PathLinkProps {
  readonly path: string
  readonly text: string
  readonly choose: (path: string) => void
}

function PathLink({ path, text, choose }: PathLinkProps) {
  if (path === '') return text
  return (
    <button type="button" className="crumb" onClick={() => choose(path)}>
      {text}
    </button>
  )
}

/** Members of a type that are listed. */
const MAX_MEMBERS = 500

/** A compound with its members, and an enum with its names, below each other. */
function TypeLines({ type }: { readonly type: Datatype }) {
  const lines = typeLines(type, 0)
  return <pre className="type-lines">{lines.slice(0, MAX_MEMBERS).join('\n')}</pre>
}

function typeLines(type: Datatype, depth: number): readonly string[] {
  const indent = '  '.repeat(depth)
  if (type.class === 'H5T_ENUM')
    return Object.entries(type.mapping).map(([name, value]) => `${indent}${name} = ${value}`)
  if (type.class === 'H5T_ARRAY' || type.class === 'H5T_VLEN') return typeLines(type.base, depth)
  if (type.class !== 'H5T_COMPOUND') return depth === 0 ? [formatDatatype(type)] : []
  return type.fields.flatMap(field => [
    `${indent}${field.name}: ${formatDatatype(field.type)}`,
    ...(isNested(field.type) ? typeLines(field.type, depth + 1) : []),
  ])
}

function isNested(type: Datatype): boolean {
  if (type.class === 'H5T_ARRAY' || type.class === 'H5T_VLEN') return isNested(type.base)
  return type.class === 'H5T_COMPOUND' ? !isComplex(type) : type.class === 'H5T_ENUM' && !isBoolean(type)
}

interface AttributeTableProps {
  readonly entity: Entity
  readonly attributes: Attributes
  readonly choose: (path: string) => void
}

function AttributeTable({ entity, attributes, choose }: AttributeTableProps) {
  const { kind, object } = entity
  const { contents } = useViewer()
  const more = object.attributeCount - attributes.size
  if (attributes.size === 0) return <p className="note">The {kind} has no attributes.</p>
  const addressOf = (name: string) => {
    const parameters = { id: object.id, name, domain: contents.domain.pathOf(object.id) }
    return contents.client.url(`GET /${kind}s/{id}/attributes/{name}/value`, parameters)
  }
  return (
    <>
      <table aria-label="Attributes" className="attributes">
        <tbody>
          {[...attributes.values()].map(attribute => (
            <tr key={attribute.name}>
              <th scope="row">{attribute.name}</th>
              <td>
                <AttributeValue attribute={attribute} address={addressOf(attribute.name)} choose={choose} />
              </td>
              <td className="attribute-type">{typeText(attribute)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 ? <p className="note">{more.toLocaleString('en')} more attributes are not shown.</p> : null}
    </>
  )
}

function typeText({ type, shape, reason, data }: Attribute): string {
  if (data === undefined && shape === undefined && reason !== undefined) return ''
  const text = formatDatatype(type)
  return shape === undefined || shape.length === 0 ? text : `${formatShape(shape)} of ${text}`
}

interface AttributeValueProps {
  readonly attribute: Attribute
  readonly address: string
  readonly choose: (path: string) => void
}

function AttributeValue({ attribute, address, choose }: AttributeValueProps) {
  const form = attributeForm(attribute)
  switch (form.kind) {
    case 'nothing':
      return (
        <span className="target">
          {form.reason}{' '}
          {attribute.data === undefined && attribute.shape ? (
            <a href={address} target="_blank" rel="noreferrer">
              Open it
            </a>
          ) : null}
        </span>
      )
    case 'text':
      return <LongValue text={form.text} />
    case 'list':
      return (
        <>
          {form.text}
          {form.count > form.shown ? (
            <span className="target"> the first of {form.count.toLocaleString('en')}</span>
          ) : null}
        </>
      )
    case 'references':
      return (
        <>
          {form.ids.map((object, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one object may be there twice
            <Reference key={i} object={object} choose={choose} />
          ))}
          {form.count > form.ids.length ? (
            <span className="target">… {form.count.toLocaleString('en')} in all</span>
          ) : null}
        </>
      )
  }
}

/** JSON and XML come in lines; as they are stored on demand. */
function LongValue({ text }: { readonly text: string }) {
  const [isRaw, setRaw] = useState(false)
  const { text: lines, form } = longText(text)
  if (form === undefined) return <span className="attribute-text">{text}</span>
  return (
    <>
      <pre className="attribute-text">{isRaw ? text : lines}</pre>
      <button type="button" onClick={() => setRaw(!isRaw)}>
        {isRaw ? `Show the ${form} in lines` : 'Show as stored'}
      </button>
    </>
  )
}

interface ReferenceProps {
  readonly object: ObjectId | undefined
  readonly choose: (path: string) => void
}

/** The path of the object that a reference leads to. */
function Reference({ object, choose }: ReferenceProps) {
  const { contents } = useViewer()
  const { value, error } = useLoaded(
    async signal => {
      if (object === undefined) return undefined
      const { collection, id } = object
      const parameters = { id, domain: contents.domain.pathOf(id), getalias: 1 }
      const { alias } = await contents.client.request(`GET /${collection}/{id}`, parameters, { signal })
      return alias?.[0]
    },
    [object?.id, contents],
  )
  if (object === undefined) return <div className="target">null reference</div>
  if (error !== undefined) return <div className="target">reference to an object that is not there</div>
  if (value === undefined) return <div className="target">reference</div>
  return (
    <div>
      <PathLink path={value} text={value} choose={choose} />
    </div>
  )
}

interface StorageProps {
  readonly entity: Entity
  readonly dataset: DatasetShape
  readonly choose: (path: string) => void
}

function Storage({ entity: { object }, dataset, choose }: StorageProps) {
  const { contents } = useViewer()
  const { id } = dataset
  const { value, error } = useLoaded(
    signal =>
      contents.client.request(
        'GET /datasets/{id}',
        { id, domain: contents.domain.pathOf(id), verbose: 1 },
        { signal },
      ),
    [id, contents, contents.changesOf(id)],
  )
  if (object.class !== 'dataset') return null
  const source = value ?? object
  const isCounted = value?.num_chunks !== undefined && value.allocated_size !== undefined
  const lines = storageLines({
    dataset,
    layout: source.layout,
    creationProperties: source.creationProperties,
    maxExtents: 'maxdims' in source.shape ? source.shape.maxdims : undefined,
    stored: isCounted ? { chunks: value.num_chunks ?? 0, bytes: value.allocated_size ?? 0 } : undefined,
  })
  const committed = typeof object.type === 'object' ? object.type.id : undefined
  return (
    <>
      <h3>Storage</h3>
      {error === undefined ? null : <Failure error={error} />}
      <Lines lines={lines} label="Storage" />
      {typeof committed === 'string' ? (
        <p>
          The type is committed:{' '}
          <Reference object={{ collection: 'datatypes', id: committed }} choose={choose} />
        </p>
      ) : null}
    </>
  )
}

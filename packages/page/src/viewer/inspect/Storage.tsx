// How a dataset is stored: `storage.ts` has the words.

import type { DatasetShape } from '@hyperslab/client'
import type { Entity } from '../data/contents.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import { Failure, Lines, Reference } from './parts.tsx'
import { storageLines } from './storage.ts'

interface StorageProps {
  readonly entity: Entity
  readonly dataset: DatasetShape
  readonly choose: (path: string) => void
}

export function Storage({ entity: { object }, dataset, choose }: StorageProps) {
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
  const committedType = typeof object.type === 'object' ? object.type.id : undefined
  const loading = value === undefined && error === undefined ? [{ name: 'Stored', text: '…' }] : []
  const committed = committedType
    ? [
        {
          name: 'Committed type',
          text: <Reference object={{ collection: 'datatypes', id: committedType }} choose={choose} />,
        },
      ]
    : []
  return (
    <>
      <h3>Storage</h3>
      {error === undefined ? null : <Failure error={error} />}
      <Lines lines={[...lines, ...loading, ...committed]} label="Storage" />
    </>
  )
}

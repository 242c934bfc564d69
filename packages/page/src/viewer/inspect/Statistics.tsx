// Statistics of all elements of a dataset, which the service computes when they are asked for.

import type { Api, DatasetShape } from '@hyperslab/client'
import { numberForm } from '@hyperslab/client/elements'
import type { ValueMeaning } from '@hyperslab/meaning/meaning'
import { useEffect, useMemo, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import type { Attributes } from '../meaning/attributes.ts'
import { meaningOf } from '../meaning/values.ts'
import { useViewer } from '../viewer-context.ts'
import { statisticsTable, storedText } from './statistics-table.ts'

export interface StatisticsProps {
  readonly dataset: DatasetShape
  readonly attributes: Attributes | undefined
}

export function Statistics({ dataset, attributes }: StatisticsProps) {
  const { contents } = useViewer()
  const [request, setRequest] = useState<AbortController>()
  const [result, setResult] = useState<Api.ValueStatistics | string>()
  const stamp = contents.changesOf(dataset.id)
  const meaning = useMemo(() => attributes && meaningOf(dataset.type, attributes), [dataset, attributes])
  // biome-ignore lint/correctness/useExhaustiveDependencies: those of other elements are others
  useEffect(() => {
    setResult(undefined)
    setRequest(undefined)
  }, [dataset.id, stamp])
  useEffect(() => () => request?.abort(), [request])
  if (numberForm(dataset.type) === undefined || !dataset.shape?.length) return null
  const compute = () => {
    const abort = new AbortController()
    setRequest(abort)
    setResult(undefined)
    contents.domain
      .statistics(dataset, { ...meaning?.absent, bins: BINS, signal: abort.signal })
      .then(setResult, (reason: unknown) => {
        if (!abort.signal.aborted) setResult(messageOf(reason))
      })
  }
  const isRunning = request !== undefined && result === undefined && !request.signal.aborted
  return (
    <>
      <h3>Statistics</h3>
      {typeof result === 'object' ? (
        <Result statistics={result} dataset={dataset} meaning={meaning} />
      ) : (
        <p>
          <button type="button" disabled={isRunning} onClick={compute}>
            {isRunning ? 'Computing …' : 'Compute'}
          </button>{' '}
          {isRunning ? (
            <button type="button" onClick={() => setRequest(undefined)}>
              Stop
            </button>
          ) : null}
        </p>
      )}
      {typeof result === 'string' ? (
        <p role="alert" className="error">
          {result}
        </p>
      ) : null}
    </>
  )
}

const BINS = 48

interface ResultProps {
  readonly statistics: Api.ValueStatistics
  readonly dataset: DatasetShape
  readonly meaning: ValueMeaning | undefined
}

function Result({ statistics, dataset: { type }, meaning }: ResultProps) {
  const { histogram } = statistics
  const { rows, hasMeaning } = statisticsTable(statistics, type, meaning)
  const most = Math.max(1, ...(histogram?.counts ?? []))
  return (
    <>
      <table aria-label="Statistics" className="facts">
        {hasMeaning ? (
          <thead>
            <tr>
              <td />
              <th scope="col">stored</th>
              <th scope="col">means</th>
            </tr>
          </thead>
        ) : null}
        <tbody>
          {rows.map(([name, value, meaningText]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              {hasMeaning ? <td>{meaningText}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
      {histogram ? (
        <div
          className="histogram"
          role="img"
          aria-label={`Distribution from ${storedText(histogram.min, type)} to ${storedText(histogram.max, type)}`}
        >
          {histogram.counts.map((count, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: bins have no other name
            <span key={i} title={count.toLocaleString('en')} style={{ height: `${(100 * count) / most}%` }} />
          ))}
        </div>
      ) : null}
    </>
  )
}

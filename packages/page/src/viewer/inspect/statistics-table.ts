// The lines of the statistics of a dataset: numbers as they are stored and, where they mean others, what they mean.

import type { Api, Datatype } from '@hyperslab/client'
import { numberForm } from '@hyperslab/client/elements'
import { formatComputed, formatNumber, type ValueMeaning } from '@hyperslab/meaning/meaning'

/** JSON has texts for numbers that it cannot hold. */
type Statistic = number | string | null | undefined

export function storedText(value: Statistic, type: Datatype): string {
  return typeof value === 'number' ? formatNumber(value, numberForm(type)) : String(value ?? '—')
}

export function statisticsTable(
  { count, nanCount, min, max, mean, standardDeviation }: Api.ValueStatistics,
  type: Datatype,
  meaning: ValueMeaning | undefined,
) {
  const computed = (value: Statistic) =>
    typeof value === 'number' ? formatComputed(value, 8) : String(value ?? '—')
  const meant = (value: Statistic) => {
    if (typeof value !== 'number' || meaning === undefined) return ''
    const [number = Number.NaN] = meaning.unpackPresent(Float64Array.of(value))
    return meaning.formatUnpacked(number)
  }
  const hasMissing = meaning !== undefined && Object.keys(meaning.absent).length > 0
  const rows: readonly (readonly [name: string, stored: string, means: string])[] = [
    ['Numbers', count.toLocaleString('en'), ''],
    [hasMissing ? 'Missing or NaN' : 'NaN', nanCount.toLocaleString('en'), ''],
    ['Least', storedText(min, type), meant(min)],
    ['Greatest', storedText(max, type), meant(max)],
    ['Mean', computed(mean), meant(mean)],
    ['Standard deviation', computed(standardDeviation), ''],
  ]
  return { rows, hasMeaning: meaning?.canReduce && (meaning.isPacked || meaning.kind === 'time') }
}

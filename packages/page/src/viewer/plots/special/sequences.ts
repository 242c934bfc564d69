// Sequences of numbers, each of a length of its own, as lines: what is requested for a view, and what is drawn of it.

import type { Domain, Elements } from '@hyperslab/client'
import { numbersOf } from '../../data/axis.ts'
import { doublePoints } from '../../data/curves.ts'
import type { Plot } from '../../data/plot.ts'
import { type Bounds, boundsOfNumbers } from '../../drawing/bounds.ts'
import type { CurveLayer } from '../../drawing/scene.ts'
import type { View } from '../../view-address.ts'
import { joinedBounds } from '../models/domains.ts'
import { colourOf } from '../models/line.ts'
import { formatValue } from '../models/numbers.ts'
import { type Tool, type ToolName, toolsOf } from '../tools/tools.ts'

/** Lines that are drawn above each other. */
const SHOWN = 6
/** Points of a line; of a longer sequence the least and the greatest of each few numbers are drawn. */
const MOST_POINTS = 2 ** 14

const TOOLS: readonly ToolName[] = ['curves', 'yScale', '…', 'curve', 'grid']

export type SequencesSubject = ReturnType<typeof sequencesOf>

/** The chosen sequence, and the next ones. */
export function sequencesOf(plot: Plot, { slice, isFollowed }: View) {
  const { dataset, path } = plot.signal
  const [count] = dataset?.shape ?? []
  if (dataset === undefined || count === undefined) throw new Error(`${path} has no elements`)
  const [use] = isFollowed ? [Math.max(0, count - 1)] : (slice ?? [])
  const first = typeof use === 'number' && use < count ? use : 0
  return { dataset, count, first, stop: Math.min(count, first + SHOWN), uses: [first] }
}

export interface Sequence {
  readonly label: string
  readonly numbers: Float64Array
}

export async function readSequences(
  domain: Domain,
  { dataset, first, stop }: Pick<SequencesSubject, 'dataset' | 'first' | 'stop'>,
  signal: AbortSignal,
): Promise<readonly Sequence[]> {
  const { data } = await domain.read(dataset, { select: [{ start: first, stop }], signal })
  return Array.from(data as readonly Elements[], (elements, i) => ({
    label: String(first + i),
    numbers: numbersOf(elements),
  }))
}

export function sequencesSettings(view: View) {
  const scale = view.scale === 'log' || view.scale === 'symlog' ? view.scale : 'linear'
  return {
    scale: { value: scale, usual: 'linear' },
    curve: { value: view.curve === 'density' ? 'line' : (view.curve ?? 'line'), usual: 'line' },
    hidden: { value: view.hidden ?? [], usual: undefined },
    hasGrid: { value: view.hasGrid ?? true, usual: true },
  } as const
}

export type SequencesSettings = ReturnType<typeof sequencesSettings>

export function sequencesTools(
  settings: SequencesSettings,
  sequences: readonly Sequence[] = [],
): readonly Tool[] {
  const curves = sequences.map(({ label }, i) => ({ label, colour: colourOf(i) }))
  const tools = toolsOf(TOOLS, { settings, curves, isLine: true })
  return tools.map(tool =>
    tool.kind === 'choice' && tool.key === 'curve'
      ? { ...tool, options: tool.options.filter(([value]) => value !== 'density') }
      : tool,
  )
}

export function sequenceLayers(
  sequences: readonly Sequence[],
  { curve, hidden }: SequencesSettings,
): readonly CurveLayer[] {
  const type = curve.value
  return sequences.flatMap(({ label, numbers }, i) => {
    if (hidden.value.includes(label)) return []
    // A line through one point would be nothing.
    const hasLine = type !== 'points' && numbers.length > 1
    const points = pointsOfSequence(numbers)
    const colour = colourOf(i)
    return {
      kind: 'curve',
      ...points,
      colour,
      width: i === 0 ? 2 : 1,
      hasLine,
      hasPoints: type !== 'line' || !hasLine,
    }
  })
}

function pointsOfSequence(numbers: Float64Array): Pick<CurveLayer, 'x' | 'y'> {
  if (numbers.length <= MOST_POINTS) return { x: Float64Array.from(numbers.keys()), y: numbers }
  const block = Math.ceil((2 * numbers.length) / MOST_POINTS)
  const extremes = Float64Array.from({ length: 2 * Math.ceil(numbers.length / block) }, (_, i) => {
    const bounds = boundsOfNumbers(numbers.subarray((i >> 1) * block, ((i >> 1) + 1) * block))
    return (i % 2 === 0 ? bounds?.min : bounds?.max) ?? Number.NaN
  })
  const { positions, values } = doublePoints({ start: 0, stop: numbers.length, block }, extremes)
  return { x: positions.map(position => Math.min(position, numbers.length - 1)), y: values }
}

/** Those of the lines that are not hidden. */
export function boundsOfSequences(
  sequences: readonly Sequence[],
  { hidden }: SequencesSettings,
): Bounds | undefined {
  const drawn = sequences.filter(({ label }) => !hidden.value.includes(label))
  return joinedBounds(drawn.map(({ numbers }) => boundsOfNumbers(numbers)))
}

export function longestOf(sequences: readonly Sequence[]): number {
  return Math.max(1, ...sequences.map(({ numbers }) => numbers.length))
}

/** Which sequences are drawn, in a sentence. */
export function sequencesNote(sequences: readonly Sequence[], count: number): string {
  const [first, last] = [sequences[0]?.label, sequences.at(-1)?.label]
  const lengths = sequences.map(({ numbers }) => numbers.length)
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)]
  const which = first === last ? `Sequence ${first}` : `Sequences ${first} to ${last}`
  const size =
    least === most
      ? least.toLocaleString('en')
      : `${least.toLocaleString('en')} to ${most.toLocaleString('en')}`
  const reduced =
    most > MOST_POINTS ? ' Lines of many numbers go through the least and the greatest of each few.' : ''
  return `${which} of ${count.toLocaleString('en')}, of ${size} numbers.${reduced}`
}

/** The numbers of the lines at an index, as the tip has them. */
export function sequenceTexts(
  sequences: readonly Sequence[],
  { hidden }: SequencesSettings,
  index: number,
): readonly string[] {
  return sequences.flatMap(({ label, numbers }) =>
    hidden.value.includes(label) || index >= numbers.length ? [] : `${label}: ${formatValue(numbers[index])}`,
  )
}

// The selection of elements to read or write, as the parameter `select` of a request.

/** For each dimension an index, a range, or all of it. Negative numbers count from the end. */
export type Selection = readonly (number | Range | undefined)[]

/** A range that includes `start` and excludes `stop`. */
export interface Range {
  readonly start?: number
  readonly stop?: number
  readonly step?: number
}

/** Formats the selection like `[3,0:10:2,:]`. */
export function formatSelection(selection: Selection): string {
  return `[${selection.map(formatPart).join(',')}]`
}

function formatPart(part: number | Range | undefined): string {
  if (typeof part === 'number') return `${part}`
  const { start = '', stop = '', step } = part ?? {}
  return `${start}:${stop}${step === undefined ? '' : `:${step}`}`
}

/** Parses a selection as NumPy writes it, with or without brackets: `3, 0:10:2, -5:`. */
export function parseSelection(text: string): Selection {
  const [, inside = text] = /^\s*\[(.*)\]\s*$/s.exec(text) ?? []
  return inside.split(',').map(part => {
    const numbers = part.split(':').map(number => number.trim())
    if (numbers.length > 3 || numbers.some(number => !/^-?\d+$|^$/.test(number)) || part.trim() === '')
      throw new RangeError(
        `the selection ${text} must have an index or a range such as 0:10:2 for each dimension, not "${part.trim()}"`,
      )
    if (numbers.length === 1) return Number(numbers[0])
    const [start, stop, step] = numbers.map(number => (number === '' ? undefined : Number(number)))
    return {
      ...(start !== undefined && { start }),
      ...(stop !== undefined && { stop }),
      ...(step !== undefined && { step }),
    }
  })
}

/** Whether a part of the selection counts from the end, so that it means something for an extent only. */
export function countsFromEnd(selection: Selection): boolean {
  return selection.some(part =>
    typeof part === 'number' ? isNegative(part) : isNegative(part?.start) || isNegative(part?.stop),
  )
}

function isNegative(place: number | undefined): boolean {
  return place !== undefined && place < 0
}

/** The selection without negative numbers. An index must be in the extent; ranges end where the dimension does. */
export function selectionWithin(selection: Selection, shape: readonly number[]): Selection {
  if (!countsFromEnd(selection)) return selection
  if (selection.length > shape.length)
    throw new RangeError(
      `the selection ${formatSelection(selection)} must have no more than ${shape.length} dimensions`,
    )
  return selection.map((part, d) => {
    const extent = shape[d] ?? 0
    const fromStart = (place: number) => (place < 0 ? Math.max(0, place + extent) : place)
    if (typeof part === 'number') {
      if (part < -extent)
        throw new RangeError(`the index ${part} must be within dimension ${d}, whose extent is ${extent}`)
      return fromStart(part)
    }
    return {
      ...part,
      ...(part?.start !== undefined && { start: fromStart(part.start) }),
      ...(part?.stop !== undefined && { stop: fromStart(part.stop) }),
    }
  })
}

/** The extents of the selection, 1 for an index. */
export function selectedShape(shape: readonly number[], selection: Selection | undefined): readonly number[] {
  if (!selection) return shape
  return shape.map((extent, d) => {
    const part = selection[d]
    if (typeof part === 'number') return 1
    const { start = 0, stop = extent, step = 1 } = part ?? {}
    return Math.max(0, Math.ceil((Math.min(stop, extent) - start) / step))
  })
}

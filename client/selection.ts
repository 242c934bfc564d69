// The selection of elements to read or write, as the parameter `select` of a request.

/** For each dimension an index, a range, or all of it. */
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

// The elements of a slice as a table of numbers or strings; those in sight are requested.

import { Notation, NotationToggleGroup } from '@h5web/lib'
import type { Datatype, Selection } from '@hyperslab/client'
import { isComplex, numberForm, productOf } from '@hyperslab/client/elements'
import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import { elementText } from '../code/element-text.ts'
import { Dimensions } from '../Dimensions.tsx'
import type { StoredShape } from '../data/contents.ts'
import { useExports } from '../data/exports.ts'
import type { Plot } from '../data/plot.ts'
import { slicedBy } from '../data/slice.ts'
import { useCoordinates } from '../data/use-coordinates.ts'
import { useSelection } from '../data/use-selection.ts'
import { Follow } from '../Follow.tsx'
import { readShown } from '../meaning/letters.ts'
import { Grid } from '../table/Grid.tsx'
import type { DimensionUse, View } from '../view-address.ts'
import { useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views.ts'
import { PlotFrame } from './PlotFrame.tsx'

/** Rows and columns of one request. */
const PAGE_ROWS = 128
const PAGE_COLUMNS = 32
/** Pages that are kept. */
const PAGES_KEPT = 100

const NOTATIONS = { auto: Notation.Auto, scientific: Notation.Scientific, exact: Notation.Exact } as const

export function MatrixView({ plot, view, change, onShow }: ViewProps) {
  if (plot?.signal.dataset === undefined) return null
  return <Matrix plot={plot} view={view} change={change} onShow={onShow} />
}

type MatrixProps = Pick<ViewProps, 'view' | 'change' | 'onShow'> & { readonly plot: Plot }

function Matrix({ plot, view, change, onShow }: MatrixProps) {
  const { signal, axes } = plot
  const dataset = signal.dataset
  if (dataset?.shape === undefined) throw new Error(`${signal.path} has no elements`)
  const { shape, type } = dataset
  const uses = slicedBy(plot, view, { axes: shape.length > 1 ? ['y', 'x'] : ['x'] })
  // The elements of one dimension are below each other.
  const [rowDimension, columnDimension] =
    shape.length > 1 ? [uses.indexOf('y'), uses.indexOf('x')] : [uses.indexOf('x'), undefined]
  const rows = shape[rowDimension] ?? 0
  const columns = columnDimension === undefined ? 1 : (shape[columnDimension] ?? 0)
  // Files and programs have the letters of strings one by one.
  const select = useSelection(dataset.letters === undefined ? uses : [...uses, ':'])
  useEffect(() => onShow(signal.path, select), [onShow, signal.path, select])
  const exports = useExports(dataset, select, ['csv', 'json', 'npy'])
  const notation = view.notation ?? 'auto'
  const { format, error } = useCells({ plot, dataset, uses, rowDimension, columnDimension, notation })
  const rowHead = useCoordinates(axes[rowDimension])
  const columnText = useCoordinates(columnDimension === undefined ? undefined : axes[columnDimension])
  const columnHead = (column: number) => (columnDimension === undefined ? signal.name : columnText(column))
  return (
    <PlotFrame
      tools={[
        <NotationToggleGroup
          key="notation"
          value={NOTATIONS[notation]}
          onChange={next => change({ notation: notationOf(next) })}
        />,
      ]}
      exports={exports}
      isSlice={select !== undefined}
      hasCanvas={false}
      dimensions={
        <Dimensions
          dimensions={axes}
          uses={uses}
          axes={columnDimension === undefined ? ['x'] : ['y', 'x']}
          change={slice => change({ slice, isFollowed: undefined })}
        />
      }
      follow={<Follow plot={plot} uses={uses} view={view} change={change} />}
      note={undefined}
      error={error}
    >
      {productOf(shape) > 0 ? (
        <Grid
          label={`Elements of ${signal.path}`}
          rowCount={rows}
          columnCount={columns}
          columnWidth={widthFor(type)}
          headWidth={112}
          rowHead={rowHead}
          columnHead={columnHead}
          cell={format}
          isNumeric={() => numberForm(type) !== undefined}
        />
      ) : (
        <p className="note">The slice has no elements: an extent is 0.</p>
      )}
    </PlotFrame>
  )
}

function notationOf(notation: Notation): View['notation'] {
  return notation === Notation.Auto ? undefined : notation === Notation.Exact ? 'exact' : 'scientific'
}

function widthFor(type: Datatype): number {
  return type.class === 'H5T_STRING' || type.class === 'H5T_COMPOUND' ? 300 : 132
}

interface CellsRequest {
  readonly plot: Plot
  readonly dataset: StoredShape
  readonly uses: readonly DimensionUse[]
  readonly rowDimension: number
  readonly columnDimension: number | undefined
  readonly notation: NonNullable<View['notation']>
}

interface Page {
  readonly columns: number
  readonly texts: readonly string[]
}

/** The text of each cell, empty until its page has come. */
function useCells({
  plot: { meaning },
  dataset,
  uses,
  rowDimension,
  columnDimension,
  notation,
}: CellsRequest) {
  const { contents, retry } = useViewer()
  const { attempt, fail } = retry
  const { shape = [], type, stamp } = dataset
  const [drawn, redraw] = useReducer((count: number) => count + 1, 0)
  const [error, setError] = useState<unknown>()
  const subject = JSON.stringify([dataset.id, stamp, shape, uses, notation, attempt])
  const pages = useRef({
    subject: '',
    abort: new AbortController(),
    byKey: new Map<string, Page | 'loading'>(),
  })
  if (pages.current.subject !== subject) {
    pages.current.abort.abort()
    pages.current = { subject, abort: new AbortController(), byKey: new Map() }
  }
  useEffect(() => () => pages.current.abort.abort(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what is shown
  const load = useCallback(
    async (key: string, top: number, left: number) => {
      const { byKey, abort } = pages.current
      byKey.set(key, 'loading')
      const range = (start: number, size: number, extent: number) => ({
        start,
        stop: Math.min(start + size, extent),
      })
      const select: Selection = uses.map((use, d) => {
        if (d === rowDimension) return range(top, PAGE_ROWS, shape[d] ?? 0)
        if (d === columnDimension) return range(left, PAGE_COLUMNS, shape[d] ?? 0)
        return Number(use)
      })
      try {
        const data = await readShown(contents.domain, dataset, { select, signal: abort.signal })
        const isPlain = notation === 'auto' && !isComplex(type)
        const textOf = isPlain ? meaning.format : (one: unknown) => elementText(type, one, notation)
        const texts = Array.from(data as ArrayLike<unknown>, textOf)
        const extent = columnDimension === undefined ? 1 : (shape[columnDimension] ?? 1)
        const width = Math.min(PAGE_COLUMNS, extent - left)
        const isByColumns = columnDimension !== undefined && columnDimension < rowDimension
        byKey.set(key, { columns: width, texts: isByColumns ? transposed(texts, width) : texts })
        for (const oldest of byKey.keys()) if (byKey.size > PAGES_KEPT) byKey.delete(oldest)
        redraw()
      } catch (reason) {
        byKey.delete(key)
        if (abort.signal.aborted) return
        setError(reason)
        fail(reason)
      }
    },
    [subject, contents, fail],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function draws the cells anew
  const format = useCallback(
    (row: number, column: number) => {
      const [top, left] = [
        Math.floor(row / PAGE_ROWS) * PAGE_ROWS,
        Math.floor(column / PAGE_COLUMNS) * PAGE_COLUMNS,
      ]
      const key = `${top} ${left}`
      const page = pages.current.byKey.get(key)
      if (page === undefined) void load(key, top, left)
      if (page === undefined || page === 'loading') return undefined
      return page.texts[(row - top) * page.columns + (column - left)] ?? ''
    },
    [load, drawn],
  )
  return { format, error }
}

/** Rows of texts that came column by column. */
function transposed(texts: readonly string[], columns: number): readonly string[] {
  const rows = texts.length / columns
  return texts.map((_, i) => texts[(i % columns) * rows + Math.floor(i / columns)] ?? '')
}

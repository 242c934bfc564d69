// The elements of a slice as a table of numbers or strings; those in sight are requested.

import { formatSelection, numberForm } from '@hyperslab/client/elements'
import { useCallback, useEffect, useMemo, useReducer, useState } from 'react'
import { Dimensions } from '../Dimensions.tsx'
import { useExports } from '../data/exports.ts'
import type { Plot } from '../data/plot.ts'
import { useCoordinates } from '../data/use-coordinates.ts'
import { useSelection } from '../data/use-selection.ts'
import { useTools } from '../edit/EditPart.tsx'
import { useEditingOf } from '../edit/editing.ts'
import { Follow } from '../Follow.tsx'
import { Grid } from '../table/Grid.tsx'
import { useViewer } from '../viewer-context.ts'
import type { ViewProps } from '../views/view.ts'
import { Cells, type CellsRequest, wantedOf } from './models/cells.ts'
import { cellOf, matrixOf, matrixTools } from './models/matrix.ts'
import { PlotFrame } from './PlotFrame.tsx'
import { toolNodes } from './tools/tool-nodes.tsx'

export function MatrixView({ plot, view, change, onShow }: ViewProps) {
  if (plot?.signal.dataset === undefined) return null
  return <Matrix plot={plot} view={view} change={change} onShow={onShow} />
}

type MatrixProps = Pick<ViewProps, 'view' | 'change' | 'onShow'> & { readonly plot: Plot }

function Matrix({ plot, view, change, onShow }: MatrixProps) {
  const subject = matrixOf(plot, view)
  const { dataset, uses, rowAxis, columnAxis } = subject
  const { path, name } = plot.signal
  const select = useSelection(subject.copied)
  useEffect(() => onShow(path, select), [onShow, path, select])
  const exports = useExports(dataset, select, ['csv', 'json', 'npy'])
  const { format, error } = useCells({ ...subject, meaning: plot.meaning })
  const editing = useEditingOf(dataset.id, 'update')
  const tools = useTools()
  const edit =
    editing && dataset.letters === undefined && tools?.isEditable(dataset.type)
      ? (row: number, column: number) => {
          const select = cellOf(subject, row, column)
          const target = { dataset: dataset.id, select: formatSelection(select) }
          const request = { kind: 'value', target, name: `${path}[${select}]`, type: dataset.type } as const
          return (near: Element) => editing.open(request, near)
        }
      : undefined
  const rowHead = useCoordinates(rowAxis)
  const columnText = useCoordinates(columnAxis)
  const columnHead = (column: number) => (subject.columnDimension === undefined ? name : columnText(column))
  return (
    <PlotFrame
      tools={toolNodes(matrixTools(subject), change)}
      exports={exports}
      isSlice={select !== undefined}
      hasCanvas={false}
      dimensions={
        <Dimensions
          dimensions={plot.axes}
          uses={uses}
          axes={subject.drawn}
          change={slice => change({ slice, isFollowed: undefined })}
        />
      }
      follow={<Follow plot={plot} uses={uses} view={view} change={change} />}
      note={undefined}
      error={error}
    >
      {subject.hasElements ? (
        <Grid
          label={`Elements of ${path}`}
          rowCount={subject.rows}
          columnCount={subject.columns}
          columnWidth={subject.columnWidth}
          headWidth={112}
          rowHead={rowHead}
          columnHead={columnHead}
          cell={format}
          edit={edit}
          isNumeric={() => numberForm(dataset.type) !== undefined}
        />
      ) : (
        <p className="note">The slice has no elements: an extent is 0.</p>
      )}
    </PlotFrame>
  )
}

/** The text of each cell, undefined until its page has come. */
function useCells(request: CellsRequest) {
  const { contents, retry } = useViewer()
  const { attempt, fail } = retry
  const [drawn, redraw] = useReducer((count: number) => count + 1, 0)
  const [error, setError] = useState<unknown>()
  const wanted = wantedOf(request)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says what is wanted
  const cells = useMemo(() => {
    const failed = (reason: unknown) => {
      setError(reason)
      fail(reason)
    }
    return new Cells(contents.domain, request, { changed: redraw, failed })
  }, [wanted, attempt, contents, fail])
  useEffect(() => () => cells.close(), [cells])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function draws the cells anew
  const format = useCallback((row: number, column: number) => cells.text(row, column), [cells, drawn])
  return { format, error }
}

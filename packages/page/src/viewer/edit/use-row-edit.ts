// Changing the cells of a table of compounds.

import type { Column } from '../table/columns.ts'
import type { TableSource } from '../table/rows.ts'
import { useTools } from './EditPart.tsx'
import { useEditingOf } from './editing.ts'

/** What changes the cell of a column in the row at a position of the dataset; undefined: nothing does. */
export function useRowEdit({ dataset, select }: TableSource, path: string) {
  const editing = useEditingOf(dataset?.id, 'update')
  const tools = useTools()
  if (editing === undefined || tools === undefined || dataset === undefined) return undefined
  return (position: number, column: Column | undefined) => {
    const found = column && tools.memberTarget(dataset.id, select?.(position), column)
    if (column === undefined || found === undefined) return undefined
    const name = `${column.name} of ${path}[${position}]`
    return (near: Element) => editing.open({ kind: 'value', target: found, name, type: column.type }, near)
  }
}

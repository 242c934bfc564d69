// Rows of what was measured as text for the clipboard.

export type Rows = readonly (readonly (string | number | bigint | undefined)[])[]

export function csvText(rows: Rows): string {
  return textOf(rows, ',', cell => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
}

/** As spreadsheets take it: a cell between tabs. */
export function tabText(rows: Rows): string {
  return textOf(rows, '\t', cell => cell.replace(/\s+/g, ' '))
}

function textOf(rows: Rows, between: string, cellOf: (text: string) => string): string {
  return rows.map(row => `${row.map(cell => cellOf(String(cell ?? ''))).join(between)}\n`).join('')
}

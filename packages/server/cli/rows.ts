// Rows of text in columns, on standard output.

/** Prints the rows, or a sentence if there are none. */
export function printRows(rows: readonly (readonly string[])[], none: string): void {
  if (rows.length === 0) console.log(none)
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  for (const row of rows) {
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

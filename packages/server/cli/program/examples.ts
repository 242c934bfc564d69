// The examples at the end of the help of each command.

/** Three lines that a reader may type; the help of every command has them. */
export function examples(...lines: readonly [string, string, string]): string {
  return `\nExamples:\n${lines.map(line => `  ${line}`).join('\n')}`
}

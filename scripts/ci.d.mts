interface Part {
  readonly name: string
  readonly env?: Readonly<Record<string, string>>
}

/** The parts for changes of these files; `turn` chooses one more. */
export function choose(files: readonly string[], turn: number): readonly Part[]

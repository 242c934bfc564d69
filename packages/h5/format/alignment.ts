// Lengths that are multiples: structures of the file format are padded.

/** Most structures begin at a multiple of it. */
export const ALIGNMENT = 8

export function roundUp(length: number, multiple = ALIGNMENT): number {
  return Math.ceil(length / multiple) * multiple
}

// The formats of other programs that values are sent in, by the names that requests give them.

import { arrow } from './arrow.ts'
import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { npy } from './npy.ts'
import { png } from './png.ts'
import { tiff } from './tiff.ts'

export const FORMATS = { csv, npy, arrow, png, tiff } satisfies Readonly<Record<string, Format>>

export type FormatName = keyof typeof FORMATS

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name)
}

// Door: what other packages use of views/formats.

export {
  type Axis,
  drawColours,
  drawField,
  drawLine,
  encodeDrawing,
  LEAST,
  SCALES,
} from './formats/drawing.ts'
export { type FormatInput, type ImageColours, type Range, storedElements } from './formats/format.ts'
export { FORMATS, type FormatName, isFormatName } from './formats/formats.ts'
export { encodeNpyHeader } from './formats/npy.ts'
export { readNpyHeader, requireArray } from './formats/npy-reader.ts'
export { MAX_NAME_BYTES, zipArchive } from './formats/zip.ts'
export { filesInZip } from './formats/zip-reader.ts'

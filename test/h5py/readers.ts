// The readers that are compared with libhdf5, by name.

import { openH5File } from '../../src/h5file/reader/reader.ts'
import type { H5FileReader } from '../../src/h5file/reader.ts'
import { openFileSource } from '../../src/transfer/file-source.ts'
import { openH5wasmReader } from '../h5wasm/reader.ts'

/** Opens the file at `path`; closing the reader closes the file. */
export type OpenReader = (path: string) => Promise<H5FileReader>

export const READERS: Readonly<Record<string, OpenReader>> = {
  own: path => withFile(path, source => openH5File(source, path)),
  h5wasm: path => withFile(path, source => openH5wasmReader(path, source)),
}

type FileSource = ReturnType<typeof openFileSource>

async function withFile(
  path: string,
  open: (source: FileSource) => Promise<H5FileReader>,
): Promise<H5FileReader> {
  const source = openFileSource(path)
  try {
    const reader = await open(source)
    const close = reader.close.bind(reader)
    reader.close = async () => {
      await close()
      source.close()
    }
    return reader
  } catch (error) {
    source.close()
    throw error
  }
}

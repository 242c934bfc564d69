// The readers that are compared with libhdf5, by name.

import { dirname } from 'node:path'
import { openH5File } from '../../src/h5file/reader/reader.ts'
import type { H5FileReader } from '../../src/h5file/reader.ts'
import { type OpenFileSource, openFileSource } from '../../src/transfer/file-source.ts'
import { siblingFiles } from '../../src/transfer/sibling-files.ts'
import { openH5wasmReader } from '../h5wasm/reader.ts'

/** Opens the file at `path`; closing the reader closes the file. */
export type OpenReader = (path: string) => Promise<H5FileReader>

export const READERS: Readonly<Record<string, OpenReader>> = {
  own: path => {
    const siblings = siblingFiles(path, dirname(path))
    return withFile(path, source => openH5File(source, path, { openSibling: siblings.open }), siblings.close)
  },
  h5wasm: path => withFile(path, source => openH5wasmReader(path, source)),
}

async function withFile(
  path: string,
  open: (source: OpenFileSource) => Promise<H5FileReader>,
  closeOthers: () => void = () => {},
): Promise<H5FileReader> {
  const source = openFileSource(path)
  const closeAll = () => {
    source.close()
    closeOthers()
  }
  try {
    const reader = await open(source)
    const close = reader.close.bind(reader)
    reader.close = async () => {
      await close()
      closeAll()
    }
    return reader
  } catch (error) {
    closeAll()
    throw error
  }
}

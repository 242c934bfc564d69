// Opens a file of this machine with the reader, as the comparisons with libhdf5 need it.

import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { H5FileReader } from '../../src/h5file/file-reader.ts'
import { openH5File } from '../../src/h5file/reader/reader.ts'
import { openFileSource } from '../../src/transfer/file-source.ts'
import { siblingFiles } from '../../src/transfer/sibling-files.ts'

/** Opens the file at `path`; closing the reader closes the file. */
export async function openReader(path: string): Promise<H5FileReader> {
  const source = openFileSource(path)
  const siblings = siblingFiles(
    { found: path, real: realpathSync(path) },
    realpathSync(dirname(path)),
    openFileSource,
  )
  const closeFiles = () => {
    source.close()
    siblings.close()
  }
  try {
    const reader = await openH5File(source, path, { openSibling: siblings.open })
    const close = reader.close.bind(reader)
    reader.close = async () => {
      await close()
      closeFiles()
    }
    return reader
  } catch (error) {
    closeFiles()
    throw error
  }
}

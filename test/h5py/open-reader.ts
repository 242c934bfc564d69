// Opens a file of this machine with the reader, as the comparisons with libhdf5 need it.

import { realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { openFileSource, siblingFiles } from '@hyperslab/files/import'
import type { H5FileReader } from '@hyperslab/h5/reader'
import { openH5File } from '@hyperslab/h5/reader'

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

// A file of this machine, with the files that it names, into a target.

import { realpathSync } from 'node:fs'
import { HyperslabError } from '@hyperslab/base/errors'
import type { ImportTarget, ListUsers } from '@hyperslab/files/import'
import {
  boundedDecoder,
  chunkDecoder,
  type ImportSummary,
  importFile,
  locateElsewhere,
  type OpenFileSource,
  openFileSource,
  type SiblingFiles,
  siblingFiles,
} from '@hyperslab/files/import'
import { type FileAddress, type H5FileReader, openH5File } from '@hyperslab/h5/reader'
import type { LinkedFiles } from '@hyperslab/model/dataset'
import type { DomainPath } from '@hyperslab/model/names'
import type { FilterRunner } from '@hyperslab/store/chunks'

/** An open file, and the domain that it becomes. */
export interface LocalFile {
  readonly name: string
  readonly source: OpenFileSource
  /** The folder below which the files that it names must be. */
  readonly root: string
  readonly path: DomainPath
  /** True: its domain shall be read-only. */
  readonly isReadOnly: boolean
}

export interface LocalImportOptions {
  readonly signal: AbortSignal
  /** Called with the part that is done, from 0 to 1. */
  readonly progress: (part: number) => void
  /** True: a file with a loss is not imported. */
  readonly strict: boolean
  /** The users of the access control lists in files of h5serv; absent: these lists are left out. */
  readonly listUsers?: ListUsers
}

/** Runs `work` with a reader of the file, which reads the files that it names, too. */
async function withReader<T>(
  { name, source, root }: LocalFile,
  filterRunner: FilterRunner,
  work: (reader: H5FileReader, siblings: SiblingFiles<OpenFileSource>) => Promise<T>,
): Promise<T> {
  const siblings = siblingFiles({ found: name, real: realpathSync(name) }, realpathSync(root), openFileSource)
  try {
    const decode = boundedDecoder(chunkDecoder(filterRunner))
    const reader = await openH5File(source, name, { openSibling: siblings.open, decode })
    return await work(reader, siblings)
  } finally {
    siblings.close()
  }
}

/** Imports the file; `openTarget` is called when it is known to be an HDF5 file. */
export function importLocal(
  file: LocalFile,
  openTarget: () => Promise<ImportTarget>,
  filterRunner: FilterRunner,
  { signal, progress, strict, listUsers }: LocalImportOptions,
): Promise<ImportSummary> {
  const { source } = file
  return withReader(file, filterRunner, async (reader, siblings) =>
    importFile(reader, await openTarget(), {
      signal,
      progress: (done, total) => progress(done / total),
      file: { size: source.size, pieces: signal => source.pieces(signal) },
      locate: siblings.locate,
      requireUnchanged() {
        source.requireUnchanged()
        for (const sibling of siblings.opened) sibling.requireUnchanged()
      },
      strict,
      ...(listUsers && { listUsers }),
      decode: chunkDecoder(filterRunner),
    }),
  )
}

/** The other files that a file needs. */
export interface OtherFiles {
  /** Whether values are in other files: raw data, sources of virtual datasets. */
  readonly haveValues: boolean
  /** The locations of the targets of its external links, if their names are not the locations. */
  readonly linked: LinkedFiles
}

/** Reads each object that hard links lead to, until the signal aborts. */
export function findOtherFiles(
  file: LocalFile,
  filterRunner: FilterRunner,
  signal: AbortSignal,
): Promise<OtherFiles> {
  return withReader(file, filterRunner, async (reader, { locate }) => {
    const linked = new Map<string, string>()
    const names = new Set<string>()
    let haveValues = false
    const met = new Set<FileAddress>([reader.root])
    for (const address of met) {
      signal.throwIfAborted()
      // The server reports parts that cannot be read.
      const { kind } = await reader.object(address).catch(() => ({ kind: undefined }))
      if (kind === 'dataset') {
        const dataset = await reader.dataset(address).catch(() => undefined)
        if (dataset?.isOfOthers) haveValues = true
      } else if (kind === 'group') {
        try {
          for await (const links of reader.links(address)) {
            for (const link of links) {
              if (signal.aborted) break
              if (link.class === 'H5L_TYPE_HARD') met.add(link.address)
              if (link.class !== 'H5L_TYPE_EXTERNAL' || names.has(link.file)) continue
              names.add(link.file)
              const path = await locateElsewhere(link.file, locate)
              if (path !== undefined) linked.set(link.file, path)
            }
          }
        } catch (error) {
          // The same as above.
          if (!(error instanceof HyperslabError)) throw error
        }
      }
    }
    signal.throwIfAborted()
    return { haveValues, linked }
  })
}

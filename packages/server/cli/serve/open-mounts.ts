// The mounts of the settings, with the parts that read their files.

import { realpathSync, type Stats } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { BoundedMap } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { boundedChunks, chunkDecoder } from '@hyperslab/files/import'
import type { Mount, ReadReferences } from '@hyperslab/files/mounts'
import {
  type FolderMountParts,
  isRemoteSource,
  LateMount,
  MountCalls,
  MountedValues,
  mountedRoot,
  openContents,
  openFolderMount,
  openMounts,
  openRemoteMount,
  RestingFiles,
} from '@hyperslab/files/mounts'
import type { H5FileReader } from '@hyperslab/h5/reader'
import { type DomainPath, isTopLevel } from '@hyperslab/model/names'
import type { FilterRunner } from '@hyperslab/store/chunks'
import { type KeyValue, systemRandom } from '@hyperslab/store/engines'
import { knownFilesOf, makeMountSecret } from '@hyperslab/store/records'
import { isUnavailable, type Mounts } from '@hyperslab/store/store'
import type { UnwellMount } from '../../http/watch/readiness.ts'
import { keptMountedFiles, openSiblingFiles } from '../settings/connection-limit.ts'
import type { Settings } from '../settings/table.ts'
import { UsageError } from '../usage-error.ts'
import { mountLists, requireMounts } from './mount-lists.ts'

/** Mounts of which the folders exist, as far as they answer. */
export interface PreparedMounts {
  /** Opens them, once the data folder exists. `excluded` is the real path of that folder, which is never served. */
  open(excluded: string): readonly Mount[]
  /** The sources that are one file. */
  readonly files: ReadonlySet<string>
  /** The mounts whose file systems do not answer, or fail. */
  unwell(): readonly UnwellMount[]
}

/**
 * Throws unless each mount is an existing folder, a file that is alone at the top level, or a valid name of files on
 * other machines. Sends no request. A folder that does not answer within the time of `mountTimeout` is served as soon
 * as it does. `warn` is called once for each file that cannot be read, and for file systems that do not answer.
 */
export async function prepareMounts(
  settings: Pick<Settings, 'mount' | 'mountReaders' | 'mountTimeout'>,
  warn: (message: string) => void,
): Promise<PreparedMounts> {
  const { mount: mounts, mountTimeout } = settings
  requireMounts(settings)
  const folders = mounts.filter(({ source }) => !isRemoteSource(source))
  const { limit, isEnough } = callsOfMounts(folders.length)
  if (!isEnough) {
    warn(
      `${folders.length} mounted folders have too few threads: if all of their file systems hang, so does the service; ` +
        'set the environment variable UV_THREADPOOL_SIZE to a larger number, at most 1024',
    )
  }
  // Mounts share none, so that one that hangs does not hold the places of others.
  const open = openSiblingFiles(Math.max(1, folders.length))
  const calls: MountCalls[] = []
  const opened = await Promise.all(
    mounts.map(({ source, path }): PreparedMount | Promise<PreparedMount> => {
      if (isRemoteSource(source)) {
        const mount = openRemoteMount(source, path, { warn })
        return { open: () => mount }
      }
      const own = new MountCalls({ path, limit, milliseconds: 1000 * mountTimeout, warn })
      calls.push(own)
      return prepareFolder(source, path, { warn, calls: own, siblings: new RestingFiles(open) })
    }),
  )
  return {
    open: excluded => opened.map(({ open }) => open(excluded)),
    files: new Set(opened.flatMap(({ file }) => file ?? [])),
    unwell: () => calls.flatMap(({ unwell }) => unwell ?? []),
  }
}

type FolderParts = Pick<FolderMountParts, 'warn' | 'calls' | 'siblings'>

interface PreparedMount {
  readonly open: (excluded: string) => Mount
  /** The source, if it is one file. */
  readonly file?: string
}

async function prepareFolder(source: string, path: DomainPath, parts: FolderParts): Promise<PreparedMount> {
  try {
    const found = await statusOf(source, path, parts)
    if (!isFileToServe(found, path)) requireFolder(source, found)
    const prepared = await prepareFound(source, path, parts)
    return {
      open: excluded => openFolderMount(prepared.folder, path, { ...prepared, excluded }),
      ...(prepared.only !== undefined && { file: source }),
    }
  } catch (error) {
    if (!isUnavailable(error)) throw error
    const openLate = async (excluded: string) => {
      const prepared = await prepareFound(source, path, parts)
      return openFolderMount(prepared.folder, path, { ...prepared, excluded })
    }
    return { open: excluded => new LateMount(path, parts.calls, () => openLate(excluded)) }
  }
}

async function prepareFound(
  source: string,
  path: DomainPath,
  parts: FolderParts,
): Promise<FolderParts & { readonly folder: string; readonly only?: string }> {
  if (!isFileToServe(await statusOf(source, path, parts), path)) return { ...parts, folder: source }
  // A link leads out of its folder, perhaps.
  const file = await parts.calls.for(path).run(() => realpath(source))
  return { ...parts, folder: dirname(file), only: basename(file) }
}

async function statusOf(
  source: string,
  path: DomainPath,
  { calls }: FolderParts,
): Promise<Stats | undefined> {
  try {
    return await calls.for(path).run(() => stat(source))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Whether a file is to be served alone, at the top level. */
function isFileToServe(found: Stats | undefined, path: DomainPath): boolean {
  return isTopLevel(path) && found?.isFile() === true
}

function requireFolder(source: string, found: Stats | undefined): void {
  if (found?.isDirectory()) return
  if (found) throw new UsageError(`--mount: ${source} is a file: mount its folder, ${dirname(source)}`, 1)
  throw new UsageError(`--mount: there is no folder ${source}, whose HDF5 files could be served`, 1)
}

/** Threads that calls of mounts leave to all others: commits, values of the store, passwords. */
const OTHER_THREADS = 16
/** Calls of one mount that run at once, at most: more make a disk no faster. @limit safety, calls of the file system */
const MAX_CALLS = 16
/** The threads of libuv, unless the environment says otherwise. */
const DEFAULT_THREADS = 4

/** The calls that each of several mounts may have at once; and whether there are enough threads for all of them. */
export function callsOfMounts(
  count: number,
  threads = Number(process.env.UV_THREADPOOL_SIZE) || DEFAULT_THREADS,
): { readonly limit: number; readonly isEnough: boolean } {
  const free = threads - Math.min(OTHER_THREADS, Math.ceil(threads / 2))
  const share = Math.floor(free / Math.max(1, count))
  return { limit: Math.min(Math.max(1, share), MAX_CALLS), isEnough: share >= 1 }
}
/** Mounted files of which the last warning is remembered. @limit memory, files */
const MAX_WARNED_FILES = 1000

/** Opens the mounts. The data folder must exist, with the records of the store. */
export async function openSettingsMounts(
  settings: Settings,
  mounts: PreparedMounts,
  keyValue: KeyValue,
  filterRunner: FilterRunner,
  warn: (message: string) => void,
): Promise<Mounts> {
  const { dataFolder, mountUnclosed } = settings
  // A store without mounts needs no ids of files.
  const secret = settings.mount.length === 0 ? '' : await makeMountSecret(keyValue, systemRandom)
  const excluded = realpathSync(dataFolder)
  /** The damage of each file that was logged last, so that it is logged once. @limit memory, files */
  const warned = new BoundedMap<string, string>(MAX_WARNED_FILES)
  const aclAt = mountLists(settings)
  const rootAt = (path: Parameters<typeof mountedRoot>[1]) => mountedRoot(secret, path)
  return openMounts(mounts.open(excluded), {
    aclAt,
    rootAt,
    now: () => 1000 * SYSTEM_CLOCK.now(),
    maxKeptFiles: keptMountedFiles(),
    knownFiles: knownFilesOf(keyValue, warn),
    filterRunner,
    openContents: (open, file, parts) =>
      openContents(open, file, {
        acl: aclAt(file.path),
        root: file.root ?? rootAt(file.path),
        decode: boundedChunks(chunkDecoder(filterRunner)),
        readsWhileWritten: mountUnclosed,
        // An open file may be closed and opened again in the same state.
        warn: message => {
          if (warned.get(file.path) !== message) warn(message)
          warned.set(file.path, message)
        },
        openValues: (reader: H5FileReader, readResolved: ReadReferences) =>
          new MountedValues({
            ...parts,
            reader,
            readResolved,
            source: open.source,
            pathOf: address => reader.pathOf(address),
          }),
      }),
  })
}

// The mounts of the settings, with the parts that read their files.

import { realpathSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { BoundedMap } from '../../bounded/bounded-map.ts'
import type { FilterRunner } from '../../chunks/filter-runner.ts'
import type { H5FileReader } from '../../h5file/file-reader.ts'
import { DEFAULT_USER } from '../../hdf5/acl.ts'
import { isTopLevel } from '../../hdf5/domain-path.ts'
import { openContents } from '../../mounts/contents.ts'
import { openFolderMount } from '../../mounts/folder-mount.ts'
import { openMounts } from '../../mounts/joined-mounts.ts'
import type { Mount } from '../../mounts/mount.ts'
import { mountedRoot } from '../../mounts/object-ids.ts'
import type { ReadReferences } from '../../mounts/objects.ts'
import { isRemoteSource, openRemoteMount } from '../../mounts/remote/open-remote-mount.ts'
import { RestingFiles } from '../../mounts/resting-files.ts'
import { MountedValues } from '../../mounts/values.ts'
import { systemRandom } from '../../storage/clock.ts'
import type { KeyValue } from '../../storage/engine.ts'
import type { Mounts } from '../../storage/mounted-domains.ts'
import { makeMountSecret } from '../../storage/records/mount-secret.ts'
import { boundedChunks } from '../../transfer/bounded-decoder.ts'
import { chunkDecoder } from '../../transfer/chunk-decoder.ts'
import type { Settings } from '../settings/config.ts'
import { keptMountedFiles, openSiblingFiles } from '../settings/connection-limit.ts'
import { UsageError } from '../usage-error.ts'

/** Makes the mount, once the data folder exists. `excluded` is the real path of that folder, which is never served. */
type PreparedMount = (excluded: string) => Mount

/**
 * Throws unless each mount is an existing folder, a file that is alone at the top level, or a valid name of files on
 * other machines. Sends no request. `warn` is called once for each file that cannot be read.
 */
export function prepareMounts(
  { mount: mounts }: Settings,
  warn: (message: string) => void,
): readonly PreparedMount[] {
  const siblings = new RestingFiles(openSiblingFiles())
  return mounts.map(({ source, path }): PreparedMount => {
    if (isRemoteSource(source)) {
      const mount = openRemoteMount(source, path, { warn })
      return () => mount
    }
    if (isTopLevel(path) && isFile(source)) {
      // A link leads out of its folder, perhaps.
      const file = realpathSync(source)
      const only = basename(file)
      return excluded => openFolderMount(dirname(file), path, { warn, siblings, excluded, only })
    }
    requireFolder(source)
    return excluded => openFolderMount(source, path, { warn, siblings, excluded })
  })
}

function isFile(source: string): boolean {
  return statSync(source, { throwIfNoEntry: false })?.isFile() ?? false
}

function requireFolder(source: string): void {
  const found = statSync(source, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw new UsageError(`--mount: ${source} is a file: mount its folder, ${dirname(source)}`, 1)
  throw new UsageError(`--mount: there is no folder ${source}, whose HDF5 files could be served`, 1)
}

/** Mounted files of which the last warning is remembered. */
const MAX_WARNED_FILES = 1000

/** Opens the mounts; undefined: nothing is mounted. The data folder must exist, with the records of the store. */
export async function openSettingsMounts(
  settings: Settings,
  mounts: readonly PreparedMount[],
  keyValue: KeyValue,
  filterRunner: FilterRunner,
  warn: (message: string) => void,
): Promise<Mounts | undefined> {
  const { dataFolder, mountAcl, mountUnclosed } = settings
  if (mounts.length === 0) return undefined
  const secret = await makeMountSecret(keyValue, systemRandom)
  const excluded = realpathSync(dataFolder)
  const warned = new BoundedMap<string, string>(MAX_WARNED_FILES)
  const acl = [{ userName: DEFAULT_USER, ...mountAcl }]
  const rootAt = (path: Parameters<typeof mountedRoot>[1]) => mountedRoot(secret, path)
  return openMounts(
    mounts.map(open => open(excluded)),
    {
      acl,
      rootAt,
      now: () => 1000 * Date.now(),
      maxKeptFiles: keptMountedFiles(),
      openContents: (open, file, parts) =>
        openContents(open, file, {
          acl,
          root: rootAt(file.path),
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
    },
  )
}

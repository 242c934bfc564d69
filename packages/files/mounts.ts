// Door: what other packages use of files/mounts.

export { openContents } from './mounts/contents.ts'
export { type FolderMountParts, openFolderMount } from './mounts/folder-mount.ts'
export { openMounts } from './mounts/joined-mounts.ts'
export { LateMount } from './mounts/late-mount.ts'
export type { Mount } from './mounts/mount.ts'
export { MountCalls } from './mounts/mount-calls.ts'
export { mountedRoot } from './mounts/object-ids.ts'
export type { ReadReferences } from './mounts/objects.ts'
export { isRemoteSource, openRemoteMount } from './mounts/remote/open-remote-mount.ts'
export { RestingFiles } from './mounts/resting-files.ts'
export { MountedValues } from './mounts/values/values.ts'

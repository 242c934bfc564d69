// Checks of mounts: whether each folder is there, can be read, and answers in time, and the kind of
// its file system. A folder is read by another process, since one that hangs would keep this process from ending.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { opendir, realpath, stat } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { isRemoteSource } from '@hyperslab/files/mounts'
import { isTopLevel } from '@hyperslab/model/names'
import { fileSystemOf } from '../data-folder/file-system.ts'
import type { Settings } from '../settings/table.ts'
import { UsageError } from '../usage-error.ts'
import { ask } from './addresses.ts'
import { type Finding, note, ok, reasonOf, withinTime, wrong } from './finding.ts'

type MountSetting = Settings['mount'][number]

/** Looks at all mounts at once, so that those that hang cost their time once. */
export function checkMounts({ mount, mountTimeout }: Settings): Promise<readonly Finding[]> {
  return Promise.all(
    mount.map(one => (isRemoteSource(one.source) ? checkRemote(one) : checkFolder(one, mountTimeout))),
  )
}

async function checkFolder({ source, path }: MountSetting, seconds: number): Promise<Finding> {
  const subject = `mount ${source}`
  const [program = ''] = process.argv.slice(1)
  const files = isTopLevel(path) ? ['--file'] : []
  const child = spawn(process.execPath, [program, 'try-mount', source, ...files], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    const [out, err] = await withinTime(seconds, () =>
      Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]),
    )
    if (child.exitCode === 0) return ok(subject, `it can be read, on ${out.trim()}`)
    return wrong(subject, reasonOf(err).replace(/^hyperslab: /, ''))
  } catch (error) {
    child.kill('SIGKILL')
    // A process that waits for a disk may not end even so.
    child.unref()
    child.stdout.destroy()
    child.stderr.destroy()
    return wrong(subject, reasonOf(error), 'see that its server runs; everything else is served without it')
  }
}

/** Reads a folder, and prints the kind of its file system: the command `try-mount`. */
export async function tryMount(source: string, mayBeFile: boolean): Promise<void> {
  const found = await stat(source).catch((error: unknown) => {
    throw new UsageError(reasonOf(error), 1)
  })
  if (found.isDirectory()) {
    const folder = await opendir(source)
    await folder.read().finally(() => folder.close())
  } else if (!mayBeFile) throw new UsageError('it is a file: mount its folder', 1)
  console.log(fileSystemOf(await realpath(source)) ?? 'an unknown file system')
}

/** A web server; a bucket needs a signed request, which only the service makes. */
async function checkRemote({ source }: MountSetting): Promise<Finding> {
  const subject = `mount ${source}`
  if (source.startsWith('s3:')) return note(subject, 'not tried', 'read a file of it through the service')
  try {
    const { status } = await ask(source)
    if (status < 500) return ok(subject, `it answers (${status})`)
    return wrong(subject, `it answers ${status}`, 'see that the server of the files runs')
  } catch (error) {
    return wrong(subject, reasonOf(error), 'correct the address, or start its server')
  }
}

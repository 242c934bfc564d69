// A data folder that belongs to another user than the service, as in OpenShift or with `fsGroup` of Kubernetes: the
// permission to write decides, and others cannot open the data.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendTo } from '../wire/client.ts'
import { COMMAND, commandEnvironment, endProcess, newWorkingDirectory } from '../wire/server.ts'

const [OWNER, SERVICE, NEXT, GROUP] = [54_321, 54_322, 54_323, 54_400]
/** Only the administrator may run programs as other users. */
const isAdministrator = process.getuid?.() === 0
if (!isAdministrator)
  console.warn('SKIPPED: data folders of other users need the administrator of the system.')

describe.skipIf(!isAdministrator)('a data folder of another user', () => {
  let directory: string
  let data: string

  beforeEach(async () => {
    directory = await newWorkingDirectory()
    await chmod(directory, 0o755)
    data = join(directory, 'data')
    await mkdir(data)
    await chown(data, OWNER, GROUP)
  })

  afterEach(() => rm(directory, { recursive: true, force: true }))

  /** Runs `serve` as the user, until it has greeted or ended. */
  async function serve(uid: number, gid = GROUP) {
    const child = spawn(process.execPath, [COMMAND, 'serve', data, '--port', '0'], {
      uid,
      gid,
      env: { ...commandEnvironment(), HOME: directory },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [out, err] = ['', '']
    child.stdout.on('data', piece => {
      out += piece
    })
    child.stderr.on('data', piece => {
      err += piece
    })
    const closed = once(child, 'close')
    while (!out.includes('Ctrl-C') && child.exitCode === null)
      await Promise.race([once(child.stdout, 'data'), closed])
    const [address = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? []
    return {
      address,
      end: async () => {
        await endProcess(child, 'SIGTERM')
        await closed
        return { out, err, code: child.exitCode }
      },
    }
  }

  const modeOf = async (path: string) => ((await stat(join(data, path))).mode & 0o777).toString(8)

  test('that its group may write is used, also by another user of the group afterwards', async () => {
    await chmod(data, 0o2770)
    const first = await serve(SERVICE)
    expect((await sendTo(first.address, 'PUT', '/?domain=/a.h5')).status).toBe(201)
    const { err } = await first.end()
    expect(err).toContain(`belongs to the user id ${OWNER}, and this process runs as the user id ${SERVICE}`)
    expect(await modeOf('lmdb')).toMatch(/0$/)
    expect(await modeOf('blobs')).toMatch(/0$/)
    // Kubernetes does this at each mount of a volume with `fsGroup`.
    for (const entry of await readdir(data, { recursive: true, withFileTypes: true }))
      await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o2770 : 0o660)
    const next = await serve(NEXT)
    expect((await sendTo(next.address, 'GET', '/?domain=/a.h5')).status).toBe(200)
    expect((await sendTo(next.address, 'PUT', '/?domain=/b.h5')).status).toBe(201)
    await next.end()
    // The parts are of another user than the folder: it opens them as a member of their group.
    const owner = await serve(OWNER)
    expect((await sendTo(owner.address, 'GET', '/?domain=/b.h5')).status).toBe(200)
    expect((await owner.end()).err).toBe('')
  })

  test('that it may not write is refused in one line', async () => {
    await chmod(data, 0o755)
    const { err, code } = await (await serve(SERVICE)).end()
    expect(code).toBe(1)
    expect(err).toMatch(
      new RegExp(
        `^hyperslab: this command runs as the user id ${SERVICE}, which may not read and write .*\n$`,
      ),
    )
  })

  test('whose parts every user may open, and that are of another user, has warnings', async () => {
    await chmod(data, 0o2770)
    await (await serve(SERVICE)).end()
    for (const entry of await readdir(data, { recursive: true, withFileTypes: true }))
      await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o2777 : 0o666)
    const { err } = await (await serve(NEXT)).end()
    for (const part of ['lmdb', 'blobs'])
      expect(err).toContain(`every user of this system may open ${join(data, part)}`)
  })
})

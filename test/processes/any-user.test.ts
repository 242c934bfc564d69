// A container as OpenShift starts it: a user id without a name, the group 0, no other rights, and a root that is
// read-only with no folder for temporary files. The service needs its data folder only, also for large bodies.

import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../crash/writers.ts'
import { newWorkingDirectory, startServer } from '../wire/server.ts'

const [OWNER, USER] = [10_001, 1_000_730_000]
const COUNT = 1_000_000

const canDrop =
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['-m', 'setpriv', '--regid', '0', '--clear-groups', 'true']).status === 0
if (!canDrop) console.warn('SKIPPED: a service of any user needs the administrator, unshare and setpriv')

/** Runs a command with the data folder as the only place that it may write. */
const CONTAINER = `mount --make-rprivate / && mount --bind "$0" "$0" && mount -o remount,ro,bind / &&
  exec setpriv --reuid ${USER} --regid 0 --clear-groups --bounding-set=-all --no-new-privs "$@"`

test.skipIf(!canDrop)('any user with the group 0 serves on a read-only root, large bodies too', async () => {
  const directory = await newWorkingDirectory()
  const data = join(directory, 'data')
  await chmod(directory, 0o755)
  await mkdir(data)
  await chown(data, OWNER, 0)
  await chmod(data, 0o770)
  const server = await startServer(directory, [], {
    wrapper: ['unshare', '-m', '/bin/sh', '-c', CONTAINER, data],
    environment: { HOME: data, TMPDIR: join(directory, 'none') },
  })
  const client = connect(server.address)
  await client.want(201, 'PUT', '/')
  const { id } = await client.want<{ id: string }>(201, 'POST', '/datasets', {
    type: 'H5T_STD_I32LE',
    shape: [COUNT],
  })
  const value = Array.from({ length: COUNT }, (_, i) => 1_000_000 + i)
  await client.want(200, 'PUT', `/datasets/${id}/value`, { value })
  const last = await client.want<{ value: number[] }>(
    200,
    'GET',
    `/datasets/${id}/value?select=[${COUNT - 1}:]`,
  )
  expect(last.value).toEqual(value.slice(-1))
  expect((await stat(join(data, 'hyperslab.json'))).uid).toBe(USER)
  await server.end('SIGTERM')
  expect(server.process.exitCode).toBe(0)
  await rm(directory, { recursive: true, force: true })
})

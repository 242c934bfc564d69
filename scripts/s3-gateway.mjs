// Runs a command beside an S3 store of its own: Ceph with its object gateway, from Debian's packages, on 127.0.0.1,
// everything in memory and in a temporary folder. The command gets the address and the key in the variables that the
// tools of AWS use, and a bucket in HYPERSLAB_TEST_S3:
//   node scripts/s3-gateway.mjs npm test -- test/engines/s3.test.ts
// It needs ceph-mon, ceph-osd and radosgw, and installs them when it runs as root on a Debian.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { freePort } from '../test/servers/free-port.mjs'

const PACKAGES = ['ceph-mon', 'ceph-osd', 'radosgw']
const CLUSTER_ID = '4a158d27-f750-41d5-9e7f-26ce4c9d2d45'
const KEY = { accessKeyId: 'HYPERSLABTESTKEY', secretAccessKey: 'hyperslab-test-secret' }
const START_SECONDS = 60

const [program, ...args] = process.argv.slice(2)
if (program === undefined) {
  console.error('usage: node scripts/s3-gateway.mjs COMMAND [ARGUMENT...]')
  process.exit(2)
}

installPackages()
const folder = mkdtempSync(join(tmpdir(), 'hyperslab-ceph-'))
const daemons = []
let status = 1
try {
  const begun = performance.now()
  const address = await startGateway()
  await createBucket(address)
  console.log(`An S3 store (Ceph) at ${address} after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      AWS_ENDPOINT_URL: address,
      AWS_ACCESS_KEY_ID: KEY.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KEY.secretAccessKey,
      AWS_REGION: 'us-east-1',
      HYPERSLAB_TEST_S3: 's3://bucket',
    },
  })
  const [code] = await once(child, 'exit')
  status = code ?? 1
} finally {
  for (const { child } of daemons) child.kill('SIGKILL')
  await Promise.all(daemons.map(({ ended }) => ended))
  rmSync(folder, { recursive: true, force: true })
}
process.exit(status)

function installPackages() {
  const missing = PACKAGES.filter(name => !isInstalled(name))
  if (missing.length === 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  console.log(`installing ${missing.join(', ')}`)
  const options = { env, stdio: ['ignore', 'ignore', 'ignore'] }
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing], options)
}

function isInstalled(name) {
  try {
    execFileSync('dpkg', ['-s', name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function startGateway() {
  // Messenger 2 only: one port for the monitor.
  const [monitorPort, gatewayPort] = [await freePort(), await freePort()]
  const monitor = `[v2:127.0.0.1:${monitorPort}/0]`
  const keyring = join(folder, 'keyring')
  const configuration = join(folder, 'ceph.conf')
  writeFileSync(
    configuration,
    `[global]
fsid = ${CLUSTER_ID}
mon_host = ${monitor}
public_network = 127.0.0.0/8
ms_bind_ipv4 = true
keyring = ${keyring}
run_dir = ${folder}
admin_socket = ${folder}/$name.asok
log_file = ${folder}/$name.log
pid_file = ${folder}/$name.pid
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
auth_allow_insecure_global_id_reclaim = true
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_data = ${folder}/osd
mon_data = ${folder}/mon
`,
  )
  const ceph = (command, ...rest) =>
    execFileSync(command, ['-c', configuration, ...rest], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  for (const [name, ...capabilities] of [
    ['mon.', '--cap', 'mon', 'allow *'],
    ['client.admin', '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *', '--cap', 'mgr', 'allow *'],
    ['osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *'],
    ['client.rgw', '--cap', 'mon', 'allow rw', '--cap', 'osd', 'allow rwx'],
  ]) {
    const create = name === 'mon.' ? ['--create-keyring'] : []
    execFileSync('ceph-authtool', [keyring, ...create, '--gen-key', '-n', name, ...capabilities])
  }
  const map = join(folder, 'monmap')
  execFileSync('monmaptool', ['--create', '--fsid', CLUSTER_ID, '--addv', 'a', monitor, map], {
    stdio: 'ignore',
  })
  for (const part of ['mon', 'osd']) mkdirSync(join(folder, part))
  ceph('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring)
  startDaemon('ceph-mon', ['-c', configuration, '-i', 'a', '-f'])
  const id = ceph('ceph', 'osd', 'new', '1c2d3e4f-0000-4000-8000-000000000001').trim()
  if (id !== '0') throw new Error(`the first storage daemon has the number ${id}`)
  ceph('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', '1c2d3e4f-0000-4000-8000-000000000001')
  startDaemon('ceph-osd', ['-c', configuration, '-i', '0', '-f'])
  ceph(
    'radosgw-admin',
    '-n',
    'client.rgw',
    'user',
    'create',
    '--uid=test',
    '--display-name=test',
    `--access-key=${KEY.accessKeyId}`,
    `--secret-key=${KEY.secretAccessKey}`,
  )
  // Without tcp_nodelay each small answer takes 40 ms.
  const frontend = `beast endpoint=127.0.0.1:${gatewayPort} tcp_nodelay=1`
  startDaemon('radosgw', ['-c', configuration, '-n', 'client.rgw', '-f', `--rgw_frontends=${frontend}`])
  const address = `http://127.0.0.1:${gatewayPort}`
  await untilAnswered(address)
  return address
}

function startDaemon(command, parameters) {
  const output = openSync(join(folder, `${command}.out`), 'a')
  const child = spawn(command, parameters, { stdio: ['ignore', output, output] })
  closeSync(output)
  daemons.push({ child, ended: once(child, 'exit') })
}

async function untilAnswered(address) {
  for (let tries = 0; tries < START_SECONDS * 10; tries++) {
    try {
      await fetch(address)
      return
    } catch {
      await sleep(100)
    }
  }
  throw new Error(`the gateway did not start within ${START_SECONDS} seconds: see ${folder}`)
}

async function createBucket(address) {
  const { status } = await new AwsClient({ ...KEY, service: 's3', region: 'us-east-1' }).fetch(
    `${address}/bucket`,
    { method: 'PUT' },
  )
  if (status !== 200) throw new Error(`the bucket could not be created: ${status}`)
}

// The commands of the page about several machines, in its order, with Debian's PostgreSQL, PgBouncer, nginx and
// HAProxy. A machine is a folder here: paths, names and ports of the page are replaced by others, PostgreSQL runs as a
// user that is not root, and the shell has functions in the place of `sudo`, `apt-get` and `systemctl`. S3 is the store
// of other tests.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freePort } from '../servers/free-port.mjs'
import { type S3Server, startS3Server } from '../servers/s3-server.ts'
import { SECRET } from '../servers/s3-signature.ts'
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts'
import { COMMAND, newWorkingDirectory } from '../wire/server.ts'

const GUIDE = fileURLToPath(new URL('../../docs/guide/', import.meta.url))
const PAGE = readFileSync(join(GUIDE, 'several-machines.md'), 'utf8')
const PROGRAMS = postgresPrograms()
/** The user that runs PostgreSQL and PgBouncer when the test runs as root: both refuse to run as root (`nobody`). */
const OTHER_USER = process.getuid?.() === 0 ? 65_534 : undefined
const MACHINES = ['trial', 'db1', 'db2', 'node1', 'node2', 'node3', 'front', 'balancer', 'pooled']
const NODES = ['node1', 'node2', 'node3']
const LOGIN = `Basic ${Buffer.from('root:root-secret').toString('base64')}`
/** The time limit of the commands of a block. */
const DEADLINE_MS = 180_000
const DONE = '=== done ==='
/**
 * Until a node that hangs is noticed, at the latest: a minute by the page, and far less than the hour of a transfer.
 */
const PATIENCE = { timeout: 60_000, interval: 100 }

const missing = ['nginx', 'haproxy', 'pgbouncer', 'curl', 'setpriv'].filter(
  program => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
)
if (PROGRAMS === undefined) missing.push('postgresql')
if (missing.length > 0)
  console.warn(`SKIPPED: the page about several machines needs ${missing.join(', ')} of Debian`)

let directory: string
let shell: ChildProcess
let s3: S3Server
/** The machine that the name `db` means. */
let primary = 'db1'
let db: TcpProxy
/** Ports by machine: of PostgreSQL, the node, nginx or PgBouncer. */
let ports: ReadonlyMap<string, number>
let printed = ''

beforeAll(async () => {
  if (missing.length > 0) return
  directory = await newWorkingDirectory()
  await chmod(directory, 0o755)
  ports = new Map(await Promise.all(MACHINES.map(async name => [name, await freePort()] as const)))
  s3 = await startS3Server()
  db = await startTcpProxy(() => portOf(primary))
  shell = spawn('bash', ['-s'], { cwd: directory, stdio: ['pipe', 'pipe', 'pipe'], env: environment() })
  for (const stream of [shell.stdout, shell.stderr]) stream?.on('data', piece => (printed += piece))
  await writeFile(join(directory, 'hyperslab'), `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`, {
    mode: 0o755,
  })
  await run(FUNCTIONS)
  for (const name of NODES) await mkdir(pathOf(name, 'etc'), { recursive: true })
  for (const name of ['trial', 'db1', 'db2']) await makeCluster(name)
})

afterAll(async () => {
  if (missing.length > 0) return
  const ended = once(shell, 'exit')
  shell.stdin?.end()
  if (shell.exitCode === null) await ended
  await db.close()
  await s3.close()
  await rm(directory, { recursive: true, force: true })
})

describe.skipIf(missing.length > 0)('the page about several machines', () => {
  it('has a trial on one machine', async () => {
    const nodes = await Promise.all([freePort(), freePort(), freePort()])
    const withPorts = (commands: string) =>
      nodes.reduce((all, port, index) => all.replaceAll(String(5101 + index), String(port)), commands)
    const [start = '', use = '', refuse = ''] = blocks('sh trial').map(commands =>
      forMachine('trial', withPorts(commands)),
    )
    await writeSite('trial', withPorts(block('nginx trial')))
    await run('machine=trial; systemctl start nginx')
    await run(start)
    await Promise.all(nodes.map(port => untilReady(port)))
    expect(printed).not.toContain('sample')
    await run(use)
    for (const port of nodes)
      expect((await fetch(`http://127.0.0.1:${port}/?host=first.hdfgroup.org`)).status).toBe(200)
    const [message = ''] = blocks('')
    expect(await run(`${refuse.trim().replace('5104', '0')} || true`)).toContain(
      message.slice(message.indexOf('blobs:')),
    )
    await run(
      'systemctl stop nginx; systemctl stop postgresql; kill $(jobs -p); wait; unset HYPERSLAB_RECORDS',
    )
  })

  it('makes a standby that is synchronous', async () => {
    const [install, create, copy, synchronize] = ['sh db1 db2', 'sh db1', 'sh db2', 'sh db1'].map(
      (language, index) => blocks(language)[index === 3 ? 1 : 0] ?? '',
    )
    for (const machine of ['db1', 'db2']) await run(forMachine(machine, install))
    await run(forMachine('db1', create))
    await run(forMachine('db2', copy))
    expect(await run(forMachine('db1', synchronize))).toContain(blocks('')[1]?.trim())
  })

  it('starts three nodes behind nginx', async () => {
    for (const machine of NODES) await run(forMachine(machine, block('sh node1 node2 node3')))
    await run(forMachine('node2', block('sh accounts')))
    const site = block('nginx')
      .replace('listen 443 ssl', `listen 127.0.0.1:${portOf('front')}`)
      .replace(/ +ssl_.*\n/g, '')
      // A node that hangs is noticed sooner than by an operator.
      .replaceAll(/\b6([01])s;/g, (_, second) => `${3 + Number(second)}s;`)
    await writeSite('front', site)
    await run('machine=front; systemctl start nginx')
    await untilReady(portOf('front'))
    const checks = block('haproxy')
      .replace(/bind .*/, `bind 127.0.0.1:${portOf('balancer')}`)
      .replaceAll(/(node\d):5101/g, (_, node) => `127.0.0.1:${portOf(node)}`)
    await makeFolder(pathOf('balancer', ''))
    await writeFile(pathOf('balancer', 'haproxy.cfg'), checks)
    await run('machine=balancer; systemctl start haproxy')
    await untilReady(portOf('balancer'))
    await createValues()
    for (let turn = 0; turn < 6; turn++) expect(await readValues()).toBe(0)
    expect([...s3.objects.keys()].filter(key => key.startsWith('bucket/hyperslab/')).length).toBeGreaterThan(
      1,
    )
  })

  it.each([
    ['nginx', 'front', 504],
    ['HAProxy', 'balancer', 502],
  ])(
    'with %s a node that hangs fails no read, and holds no write; one that is killed is passed over',
    async (_, balancer, refusal) => {
      const at = `http://127.0.0.1:${portOf(balancer)}`
      const number = 20 + refusal - 502
      await run('kill -STOP $node2')
      let isOver = false
      const [reads, writes]: number[][] = [[], []]
      const load = [0, 1, 2].map(async index => {
        while (!isOver) {
          if (index === 0) writes.push(await writeValues(number, at))
          else reads.push(await readStatus(at))
        }
      })
      try {
        // The longest wait is over, and some requests came after it.
        for (const group of [reads, writes])
          await vi.waitFor(() => expect(group.length).toBeGreaterThan(9), PATIENCE)
        await run('kill -CONT $node2')
        await untilReady(portOf('node2'))
        await run('kill -KILL $node2; wait $node2 || true')
        const before = reads.length
        await vi.waitFor(() => expect(reads.length).toBeGreaterThan(before + 9), PATIENCE)
      } finally {
        isOver = true
        await run('kill -CONT $node2 || true')
        await Promise.all(load)
      }
      await run('machine=node2; systemctl enable --now hyperslab')
      await untilReady(portOf('node2'))
      // Only reads whose answer had begun when the node was killed may fail.
      expect(reads.filter(status => status !== 200).length).toBeLessThanOrEqual(2)
      expect(writes.filter(status => status === 0).length).toBeLessThanOrEqual(2)
      expect(writes.filter(status => ![0, 200, 502, refusal].includes(status))).toEqual([])
      expect(writes).toContain(200)
      expect(await readValues(at)).toBe(number)
    },
  )

  it('hands on through HAProxy what nginx does', async () => {
    const at = `http://127.0.0.1:${portOf('balancer')}`
    const answer = await fetch(`${at}/?host=values.hdfgroup.org`, {
      headers: { authorization: LOGIN, 'x-forwarded-host': 'other.hdfgroup.org' },
    })
    expect(await answer.json()).toMatchObject({ root: expect.any(String) })
    for (const path of ['/metrics', '/%6Detrics']) expect((await fetch(at + path)).status).toBe(403)
    const long = await fetch(`${at}/groups?host=values.hdfgroup.org&long=${'a'.repeat(60_000)}`, {
      headers: { authorization: LOGIN },
    })
    expect(long.status).not.toBe(400)
  })

  it('restarts all nodes without a failed read, and answers writes or says that nginx could not send them', async () => {
    let isOver = false
    const reads = new Set<number>()
    const writes: number[] = []
    const load = [0, 1, 2, 3].map(async () => {
      for (let number = 1; !isOver; number++) {
        if (number % 4 === 0) writes.push(await writeValues(number % 256))
        else reads.add(await readStatus())
      }
    })
    try {
      for (const machine of NODES) await run(forMachine(machine, block('sh restart')))
    } finally {
      isOver = true
      await Promise.all(load)
    }
    expect([...reads]).toEqual([200])
    // Only writes may fail whose body nginx was sending to a node that closes its port, as the page says: at most one
    // for each client and node.
    const failed = writes.filter(status => status !== 200)
    expect(failed.filter(status => status !== 502)).toEqual([])
    expect(failed.length).toBeLessThanOrEqual(load.length * NODES.length)
    expect(failed.length).toBeLessThan(writes.length)
  })

  it('takes a new password of the database and a new key of the bucket while it serves', async () => {
    let isOver = false
    const statuses: number[] = []
    const load = [0, 1, 2].map(async index => {
      while (!isOver) statuses.push(await (index === 0 ? writeValues(33) : readStatus()))
    })
    /** Until each node has answered several times: they take turns. */
    const goOn = async () => {
      const before = statuses.length
      await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(before + 30), PATIENCE)
    }
    const connections = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'hyperslab'`
    try {
      await goOn()
      for (const machine of NODES) await run(forMachine(machine, block('sh new-password')))
      await run(forMachine('db1', block('sh alter-role')))
      await run(forMachine('db1', `sudo -u postgres psql -q -c "${connections}" >/dev/null`))
      await goOn()
      s3.keys.set('new-key-of-the-bucket', 'new-secret-of-the-bucket')
      for (const machine of NODES) await run(forMachine(machine, block('sh new-key')))
      // A node reads the key again within seconds, and then signs with it.
      const areNew = new Set(['new-key-of-the-bucket'])
      await vi.waitFor(() => expect(new Set(s3.signers.slice(-30))).toEqual(areNew), PATIENCE)
      s3.keys.delete('AKIDEXAMPLE')
      await goOn()
    } finally {
      isOver = true
      await Promise.all(load)
    }
    expect(statuses.filter(status => status !== 200)).toEqual([])
    const old = await run(
      `PGPASSWORD=db-secret psql -h 127.0.0.1 -p ${db.port} -U hyperslab -c 'select 1' 2>&1 || true`,
    )
    expect(old).toContain('password authentication failed')
  })

  it('pools connections', async () => {
    expect(PAGE).toContain('"hyperslab" "db-secret"')
    const userlist = '"hyperslab" "new-db-secret"'
    await makeFolder(join(directory, 'pooled'))
    await writeFile(join(directory, 'pooled', 'userlist.txt'), userlist)
    const configuration = join(directory, 'pooled', 'pgbouncer.ini')
    const settings = block('ini pgbouncer')
      .replace('host=db', `host=127.0.0.1 port=${db.port}`)
      .replace('6432', String(portOf('pooled')))
      .replace('/etc/pgbouncer/', `${join(directory, 'pooled')}/`)
    await writeFile(configuration, `${settings}unix_socket_dir =\n`)
    await run(`$as_postgres pgbouncer -q '${configuration}' & pool=$!`)
    const node = await freePort()
    const records = `postgres://hyperslab:new-db-secret@127.0.0.1:${portOf('pooled')}/hyperslab`
    await run(`machine=node1; port=${node} start_node --records '${records}' & pooled=$!`)
    await untilReady(node)
    const login = { authorization: LOGIN }
    for (let number = 0; number < 5; number++) {
      const [created, read] = ['PUT', 'GET'].map(
        method => () =>
          fetch(`http://127.0.0.1:${node}/?host=pooled${number}.hdfgroup.org`, { method, headers: login }),
      )
      expect((await created?.())?.status).toBe(201)
      expect((await read?.())?.status).toBe(200)
    }
    await run('kill $pooled; wait $pooled; kill $pool; wait $pool || true')
  })

  it('copies a backup, and restores it', async () => {
    await writeValues(7)
    await run(forMachine('node1', block('sh backup')))
    await writeValues(8)
    await run(forMachine('db1', 'sudo -u postgres createdb -O hyperslab restored'))
    await run(`echo 'host all all samenet scram-sha-256' >> '${pathOf('db1', '/etc/postgresql/15/main/pg_hba.conf')}'
      machine=db1; systemctl reload postgresql`)
    const restored = await run(forMachine('node1', block('sh restore')))
    expect(restored).toContain('The copy has the same')
    const records = `postgres://hyperslab@127.0.0.1:${db.port}/restored`
    const port = await freePort()
    await run(
      `machine=node1; port=${port} start_node --records '${records}' --blobs s3://bucket/restored & restored=$!`,
    )
    await untilReady(port)
    expect(await readValues(`http://127.0.0.1:${port}`)).toBe(7)
    expect(await readValues()).toBe(8)
    await run('kill $restored; wait $restored')
  })

  it('goes on with the standby when the primary is lost, and makes a new one', async () => {
    await writeValues(9)
    await run(`machine=db1; pg_control stop -m immediate`)
    const away = await send('PUT', valuePath, Buffer.alloc(VALUES))
    expect({ status: away.status, retry: away.headers.get('retry-after') }).toEqual({
      status: 503,
      retry: expect.anything(),
    })
    await away.body?.cancel()
    const [health, ready] = await Promise.all(['/health', '/ready'].map(path => send('GET', path)))
    expect([health?.status, ready?.status]).toEqual([200, 503])
    await run(forMachine('db2', block('sh promote')))
    primary = 'db2'
    await untilReady(portOf('front'))
    expect(await readValues()).toBe(9)
    expect(await writeValues(10)).toBe(200)
    await run(forMachine('db1', block('sh rejoin')))
    await run(forMachine('db2', block('sh synchronous')))
    const query = `sudo -u postgres psql -At -c 'select application_name, sync_state from pg_stat_replication'`
    await expect.poll(() => run(forMachine('db2', query)), { interval: 500 }).toContain('db1|sync')
    expect(await writeValues(11)).toBe(200)
    expect(await readValues()).toBe(11)
    const check = `sudo -u hyperslab sh -c 'set -a; . /etc/hyperslab.env; exec hyperslab check /var/lib/hyperslab --values'`
    expect(await run(forMachine('node1', check))).toContain('nothing is wrong')
  })
})

const VALUES = 300_000
let valuePath: string

/** A dataset whose values are in the bucket. */
async function createValues(): Promise<void> {
  const host = 'host=values.hdfgroup.org'
  expect((await send('PUT', `/?${host}`)).status).toBe(201)
  const body = JSON.stringify({ type: 'H5T_STD_U8LE', shape: [VALUES] })
  const created = await send('POST', `/datasets?${host}`, body)
  expect(created.status).toBe(201)
  const { id } = (await created.json()) as { id: string }
  valuePath = `/datasets/${id}/value?${host}`
  expect(await writeValues(0)).toBe(200)
}

/** 0: there was no answer, such as on a connection that the balancer had just closed. */
async function writeValues(number: number, at?: string): Promise<number> {
  try {
    const { status, body } = await send('PUT', valuePath, Buffer.alloc(VALUES, number), at)
    await body?.cancel()
    return status
  } catch {
    // A loop of requests that fail at once would let no timer fire.
    await pause(10)
    return 0
  }
}

/** 0: there was no answer, or it was cut off. */
async function readStatus(at?: string): Promise<number> {
  try {
    const { status, body } = await send('GET', valuePath, undefined, at)
    for await (const _ of body ?? []);
    return status
  } catch {
    // A loop of requests that fail at once would let no timer fire.
    await pause(10)
    return 0
  }
}

/** The number that all elements have. */
async function readValues(at?: string): Promise<number | undefined> {
  const answer = await send('GET', valuePath, undefined, at)
  expect(answer.status).toBe(200)
  const elements = new Uint8Array(await answer.arrayBuffer())
  expect(elements.length).toBe(VALUES)
  expect(new Set(elements).size).toBe(1)
  return elements[0]
}

/** Through nginx. */
function send(
  method: string,
  path: string,
  body?: string | Uint8Array,
  at = `http://127.0.0.1:${portOf('front')}`,
): Promise<Response> {
  const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream'
  const headers = { authorization: LOGIN, accept: 'application/octet-stream', 'content-type': type }
  return fetch(at + path, { method, headers, ...(body !== undefined && { body }) })
}

async function untilReady(port: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined)
    if (answer?.status === 200) return
    if (attempt === 600) throw new Error(`port ${port} is not ready: ${await answer?.text()}\n${printed}`)
    await pause(100)
  }
}

/** The blocks of the page whose opening line is that. */
function blocks(language: string): string[] {
  const found: string[] = []
  let open: string | undefined
  let lines: string[] = []
  for (const line of PAGE.split('\n')) {
    if (!line.startsWith('```')) lines.push(line)
    else if (open === undefined) {
      open = line.slice(3)
      lines = []
    } else {
      if (open === language) found.push(`${lines.join('\n')}\n`)
      open = undefined
    }
  }
  return found
}

function block(language: string): string {
  const [first] = blocks(language)
  if (first === undefined) throw new Error(`the page has no block "${language}"`)
  return first
}

/** Runs commands in the one shell of the test, and gives what they print. */
async function run(commands: string): Promise<string> {
  printed = ''
  shell.stdin?.write(`{ ${commands}\n} </dev/null\necho "${DONE}$?"\n`)
  for (const end = performance.now() + DEADLINE_MS; ; ) {
    const [output = '', code] = printed.split(DONE)
    if (code?.includes('\n')) {
      // HAProxy may have printed behind it meanwhile.
      if (!code.startsWith('0\n')) throw new Error(`${commands}\nended with ${code}:\n${output}`)
      return output
    }
    if (shell.exitCode !== null) throw new Error(`${commands}\nended the shell:\n${output}`)
    if (performance.now() > end) throw new Error(`${commands}\nhave not ended, and printed\n${output}`)
    await pause(10)
  }
}

function portOf(machine: string): number {
  const port = ports.get(machine)
  if (port === undefined) throw new Error(`there is no machine ${machine}`)
  return port
}

function pathOf(machine: string, path: string): string {
  return join(directory, machine, path)
}

/** The commands of the page as they are run for a machine of the test. */
function forMachine(machine: string, commands: string): string {
  const replaced = commands
    .replaceAll(/(?<=[\s'=])\/(etc|var)\//g, `${directory}/${machine}/$1/`)
    .replaceAll(/host=(db\d)/g, (_, host) => `host=127.0.0.1 port=${portOf(host)}`)
    .replaceAll('@db/', `@127.0.0.1:${db.port}/`)
    .replaceAll('@127.0.0.1/', `@127.0.0.1:${portOf(machine)}/`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${portOf('front')}`)
    .replaceAll('127.0.0.1:5101', `127.0.0.1:${NODES.includes(machine) ? portOf(machine) : 5101}`)
    .replaceAll('do sleep 1;', 'do sleep 0.1;')
    .replaceAll(`listen_addresses = '*'`, `listen_addresses = '127.0.0.1'`)
    .replaceAll('"0.0.0.0"', '"127.0.0.1"')
    .replaceAll('https://data.example.org', `http://127.0.0.1:${portOf('front')}`)
    .replaceAll('https://s3.example.org', s3.address)
    .replaceAll(/(?<!new-)key-of-the-bucket/g, 'AKIDEXAMPLE')
    .replaceAll(/(?<!new-)secret-of-the-bucket/g, SECRET)
  const port = ports.get(machine) ?? 0
  return `machine=${machine} port=${port}; export PGHOST=$root/$machine PGPORT=${port}; ${replaced}`
}

const FUNCTIONS = `
set -e
trap 'for machine in trial db1 db2; do pg_control stop -m immediate || :; done 2>/dev/null; kill $(jobs -p) || :; wait' EXIT
apt-get() { :; }
useradd() { :; }
# Without the options that name an owner: everything of a node is the user's that runs the test.
install() {
  local arguments=()
  while [ $# -gt 0 ]; do
    case $1 in -o|-g) shift 2 ;; *) arguments+=("$1"); shift ;; esac
  done
  command install "\${arguments[@]}"
}
sudo() {
  if [ "$1" = -u ] && [ "$2" = postgres ]; then shift 2; $as_postgres "$@"
  elif [ "$1" = -u ]; then shift 2; HOME=$root/$machine/var/lib/hyperslab "$@"
  else "$@"
  fi
}
pg_control() {
  $as_postgres pg_ctl -D $root/$machine/var/lib/postgresql/15/main -w -l $root/$machine/postgresql.log \\
    -o "-c config_file=$root/$machine/etc/postgresql/15/main/postgresql.conf" "$@"
}
start_node() {
  set -a; . $root/$machine/etc/hyperslab.env; set +a
  export HOME=$root/$machine/var/lib/hyperslab
  exec hyperslab serve $root/$machine/var/lib/hyperslab --port $port "$@"
}
systemctl() {
  case "$*" in
    'daemon-reload') ;;
    '* postgresql') ;;
    'start postgresql') pg_control start ;;
    'stop postgresql') if pg_control status >/dev/null; then pg_control stop -m fast; fi ;;
    'restart postgresql') pg_control restart -m fast ;;
    'reload postgresql') pg_control reload ;;
    'start haproxy') haproxy -f $root/$machine/haproxy.cfg & ;;
    'start nginx') nginx -e stderr -p $root/$machine -c $root/$machine/nginx.conf & eval "nginx_$machine=$!" ;;
    'stop nginx') local pid=nginx_$machine; kill -QUIT \${!pid}; wait \${!pid} ;;
    'reload nginx') local pid=nginx_$machine; kill -HUP \${!pid}; sleep 0.5 ;;
    'enable --now hyperslab') start_node & eval "$machine=$!" ;;
    'restart hyperslab') kill \${!machine}; wait \${!machine}; systemctl enable --now hyperslab ;;
    *) echo "systemctl $*?" >&2; return 1 ;;
  esac
}
`

function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(HYPERSLAB|PG|AWS)/.test(name))
  return {
    ...Object.fromEntries(own),
    root: directory,
    as_postgres:
      OTHER_USER === undefined ? '' : `setpriv --reuid ${OTHER_USER} --regid ${OTHER_USER} --clear-groups`,
    PATH: `${directory}:${PROGRAMS}:${process.env.PATH}`,
    PGUSER: 'postgres',
    LC_ALL: 'C.UTF-8',
  }
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  if (OTHER_USER !== undefined) await chown(path, OTHER_USER, OTHER_USER)
}

/**
 * A cluster as Debian's package leaves it, running; but only the trial has the lines that let in all connections of the
 * same machine.
 */
async function makeCluster(machine: string): Promise<void> {
  const [settings, data] = ['/etc/postgresql/15/main', '/var/lib/postgresql/15/main'].map(path =>
    pathOf(machine, path),
  )
  for (const path of [pathOf(machine, ''), join(data ?? '', '..'), join(settings ?? '', 'conf.d')])
    await makeFolder(path)
  await run(`$as_postgres initdb -D '${data}' -U postgres -A trust -E UTF8 --no-sync`)
  const places = {
    data_directory: data,
    hba_file: `${settings}/pg_hba.conf`,
    unix_socket_directories: pathOf(machine, ''),
  }
  const lines = Object.entries(places).map(([name, value]) => `${name} = '${value}'`)
  lines.push(`port = ${portOf(machine)}`, `listen_addresses = '127.0.0.1'`, `include_dir = 'conf.d'`, '')
  await writeFile(`${settings}/postgresql.conf`, lines.join('\n'))
  const trial = machine === 'trial' ? 'host all all 127.0.0.1/32 scram-sha-256\n' : ''
  await writeFile(`${settings}/pg_hba.conf`, `local all all trust\n${trial}`)
  await run(`machine=${machine}; systemctl start postgresql`)
}

/** A site as Debian's nginx includes it. */
async function writeSite(machine: string, site: string): Promise<void> {
  const folder = pathOf(machine, '')
  await mkdir(folder, { recursive: true })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${join(folder, name)};`,
  )
  const here = NODES.reduce(
    (all, node) => all.replaceAll(`${node}:5101`, `127.0.0.1:${portOf(node)}`),
    site.replaceAll('/var/log/nginx/', `${folder}/`),
  )
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr;
     events {} http { access_log off; ${temporary.join(' ')} ${here.replace('127.0.0.1:8080', `127.0.0.1:${portOf('front')}`)} }`,
  )
}

/** The programs of the newest version that Debian has installed. */
function postgresPrograms(): string | undefined {
  const versions = '/usr/lib/postgresql'
  if (!existsSync(versions)) return undefined
  const [newest] = readdirSync(versions)
    .filter(version => existsSync(join(versions, version, 'bin', 'initdb')))
    .sort((one, other) => Number(other) - Number(one))
  return newest && join(versions, newest, 'bin')
}

// The figures of a service with two workers on PostgreSQL and S3: each moves with what it counts, and the alerts and
// the board in deploy/ use only figures that it has. Where Debian's Prometheus is installed, it reads all of them.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { connect, prepare, WRITERS } from '../crash/writers.ts'
import { killProcess } from '../fixtures/kill-process.ts'
import { type PostgresServer, startPostgres } from '../servers/postgres-server.ts'
import { environmentOf, type S3Server, startS3Server } from '../servers/s3-server.ts'
import { sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url))
const RULES = join(DEPLOY, 'prometheus-rules.yaml')
const BOARD = join(DEPLOY, 'grafana-dashboard.json')

let postgres: PostgresServer
let s3: S3Server
let directory: string
let server: RunningServer
let stored: readonly string[]

beforeAll(async () => {
  ;[postgres, s3, directory] = await Promise.all([startPostgres(), startS3Server(), newWorkingDirectory()])
  stored = ['--records', await postgres.createDatabase('store'), '--blobs', 's3://bucket/store']
  const options = [...stored, '--workers', '2', '--metrics', 'public', '--blob-cache-size', '100000000']
  server = await startServer(directory, options, { environment: environmentOf(s3) })
}, 120_000)
afterAll(async () => {
  await server?.end('SIGTERM')
  await Promise.all([postgres?.close(), s3?.close()])
  await rm(directory, { recursive: true, force: true })
})

interface Info {
  readonly node: { readonly node_count: number }
  readonly hyperslab_commit?: string
  readonly host: string
}

async function text(): Promise<string> {
  return (await sendTo(server.address, 'GET', '/metrics')).text
}

/** The values of series by their names with labels. */
async function figures(): Promise<Readonly<Record<string, number>>> {
  const lines = (await text()).split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(
    lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

it('are there before anything happens', async () => {
  await expect.poll(async () => (await figures()).hyperslab_workers, { timeout: 60_000 }).toBe(2)
  const now = await figures()
  expect(now).toMatchObject({
    hyperslab_ready: 1,
    hyperslab_workers_silent: 0,
    hyperslab_worker_restarts_total: 0,
    'hyperslab_errors_total{code="internal"}': 0,
    'hyperslab_errors_total{code="storage-full"}': 0,
  })
  const free = now.hyperslab_data_folder_free_bytes
  expect(free).toBeGreaterThan(0)
  expect(free).toBeLessThanOrEqual(now.hyperslab_data_folder_size_bytes)
  expect(now).not.toHaveProperty('hyperslab_last_check_timestamp_seconds')
  const {
    node,
    hyperslab_commit: commit = '',
    host,
  } = (await sendTo(server.address, 'GET', '/info')).json<Info>()
  // The workers have leases of the database.
  expect(node.node_count).toBe(2)
  expect(await text()).toContain(`commit="${commit}",node="${host}"} 1`)
  expect(await text()).toMatch(
    /^hyperslab_build_info\{version="\d+\.\d+\.\d+",commit="[^"]*",node="[^"]+"\} 1$/m,
  )
})

it('move with reads and writes of the database and the bucket', async () => {
  const before = await figures()
  const client = connect(server.address)
  const world = await prepare(client)
  for (let done = 0; done < 4; done++) for (const each of WRITERS) await each(connect(server.address, world))
  await sendTo(server.address, 'GET', '/no-such-path')
  const now = await figures()
  const grown = (name: string) => (now[name] ?? 0) - (before[name] ?? 0)
  for (const backend of ['postgresql', 's3']) {
    expect(grown(`hyperslab_backend_calls_total{backend="${backend}"}`), backend).toBeGreaterThan(3)
    expect(grown(`hyperslab_backend_seconds_total{backend="${backend}"}`), backend).toBeGreaterThan(0)
    expect(now[`hyperslab_backend_connections{backend="${backend}"}`], backend).toBeGreaterThan(0)
    expect(now[`hyperslab_backend_waiting{backend="${backend}"}`], backend).toBe(0)
  }
  expect(grown('hyperslab_cache_hits_total{cache="postgresql"}')).toBeGreaterThan(0)
  expect(now['hyperslab_cache_bytes{cache="postgresql"}']).toBeGreaterThan(0)
  expect(now.hyperslab_store_record_bytes).toBeGreaterThan(10_000)
  expect(grown('hyperslab_errors_total{code="route-not-found"}')).toBe(1)
  expect(grown('hyperslab_caller_seconds_total{callers="anonymous"}')).toBeGreaterThan(0)
  // The sweeper looks at new events within seconds.
  await expect
    .poll(async () => (await figures()).hyperslab_store_event_bytes, { timeout: 60_000 })
    .toBeGreaterThan(0)
})

it('count failures and repetitions that no client sees', async () => {
  const before = await figures()
  let failures = 2
  s3.plan = () => (failures-- > 0 ? { status: 503, code: 'SlowDown' } : undefined)
  await writeLargeValue()
  const name = (figure: string) => `hyperslab_backend_${figure}_total{backend="s3"}`
  const now = await figures()
  expect(now[name('failures')] - before[name('failures')]).toBe(2)
  expect(now[name('retries')] - before[name('retries')]).toBe(2)
})

async function writeLargeValue(): Promise<void> {
  const domain = { headers: { 'x-hdf-domain': '/large.h5' } }
  await sendTo(server.address, 'PUT', '/', undefined, domain)
  const shape = [2 ** 15]
  const type = 'H5T_STD_I64LE'
  const reply = await sendTo(server.address, 'POST', '/datasets', { type, shape }, domain)
  const { id } = reply.json<{ id: string }>()
  const value = Array.from({ length: 2 ** 15 }, (_, i) => i)
  const put = await sendTo(server.address, 'PUT', `/datasets/${id}/value`, { value }, domain)
  expect(put.status, put.story).toBe(200)
}

it('count workers that are started again, and say how the last check and copy ended', async () => {
  const { pid } = server.process
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  killProcess(Number(children.at(0)))
  await expect
    .poll(async () => (await figures().catch(() => undefined))?.hyperslab_worker_restarts_total, {
      timeout: 60_000,
    })
    .toBe(1)
  const begin = Math.floor(Date.now() / 1000)
  const environment = environmentOf(s3)
  await runCommand(directory, ['check', join(directory, 'data'), ...stored], '', environment)
  await runCommand(
    directory,
    ['copy', join(directory, 'data'), ...stored, '--to', join(directory, 'copy')],
    '',
    environment,
  )
  const now = await figures()
  expect(now.hyperslab_last_check_timestamp_seconds).toBeGreaterThanOrEqual(begin)
  expect(now.hyperslab_last_copy_timestamp_seconds).toBeGreaterThanOrEqual(begin)
  expect(now.hyperslab_last_check_errors).toBe(0)
  expect(now.hyperslab_last_check_record_bytes).toBeGreaterThan(1000)
  expect(now.hyperslab_last_check_blob_bytes).toBeGreaterThan(2 ** 17)
})

/** The expressions of the alerts and of the board. */
function expressions(): readonly string[] {
  const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: { expr: string }[] }[] }
  const { panels } = JSON.parse(readFileSync(BOARD, 'utf8')) as { panels: { targets?: { expr: string }[] }[] }
  const alerts = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
  expect(alerts.length).toBeGreaterThan(15)
  expect(queries.length).toBeGreaterThan(30)
  return [...alerts, ...queries]
}

it('have every name in the alerts and on the board', async () => {
  const names = [...(await text()).matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  )
  const used = expressions().flatMap(each => each.match(/\b(?:hyperslab|nodejs|process)_\w+/g) ?? [])
  expect(names).toEqual(expect.arrayContaining([...new Set(used)]))
})

function hasPromtool(): boolean {
  const isThere = spawnSync('promtool', ['--version']).error === undefined
  if (!isThere) console.warn('SKIPPED: there is no promtool on the path (package prometheus)')
  return isThere
}

/** Runs promtool, and returns what it says. */
function promtool(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

it.skipIf(!hasPromtool())(
  'are read by Prometheus, as are the alerts and the queries of the board',
  async () => {
    const about = promtool(['check', 'metrics'], await text()).text.split('\n')
    expect(about.filter(line => line.includes('hyperslab'))).toEqual([])
    expect(promtool(['check', 'rules', RULES])).toMatchObject({ status: 0 })
    const rules = expressions().map((expr, i) => ({
      record: `query:${i}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    }))
    const file = join(directory, 'queries.json')
    await writeFile(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }))
    expect(promtool(['check', 'rules', file])).toMatchObject({ status: 0 })
  },
)

it.skipIf(!hasPromtool())('raise the alerts when they should', async () => {
  const series = (name: string, values: string) => ({ series: `${name}{instance="a"}`, values })
  const code = (name: string, values: string) => ({
    series: `hyperslab_errors_total{instance="a",code="${name}"}`,
    values,
  })
  const input = [
    series('hyperslab_ready', '1 1 0x60'),
    code('internal', '0 0 1x60'),
    code('storage-full', '0x60'),
    series('hyperslab_worker_restarts_total', '0+1x60'),
    series('hyperslab_last_check_errors', '3x60'),
    series('hyperslab_data_folder_free_bytes', '5x60'),
    series('hyperslab_data_folder_size_bytes', '100x60'),
  ]
  const raised = [
    'HyperslabNotReady',
    'HyperslabDefects',
    'HyperslabWorkersRestart',
    'HyperslabCheckFoundErrors',
  ]
  const silent = ['HyperslabStorageFull', 'HyperslabOverloaded', 'HyperslabDiskFullSoon']
  const count = (alert: string) => ({
    expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) or vector(0)`,
    eval_time: '14m',
  })
  const tests = {
    rule_files: [RULES],
    tests: [
      {
        interval: '1m',
        input_series: input,
        promql_expr_test: [
          ...[...raised, 'HyperslabDiskAlmostFull'].map(alert => ({
            ...count(alert),
            exp_samples: [{ labels: '{}', value: 1 }],
          })),
          ...silent.map(alert => ({ ...count(alert), exp_samples: [{ labels: '{}', value: 0 }] })),
        ],
      },
    ],
  }
  const file = join(directory, 'alerts.json')
  await writeFile(file, JSON.stringify(tests))
  expect(promtool(['test', 'rules', file])).toMatchObject({ status: 0 })
})

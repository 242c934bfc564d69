// Several servers on one database and one bucket are one service: while clients write and read through all of them in
// turn, nodes are killed and paused until others take their lease, connections to the database are ended, and its
// server is lost and a standby takes over. All that was acknowledged is there, nothing is torn, and the requests that
// overlap have an order.

import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../servers/postgres-server.ts'
import { environmentOf, type S3Server, startS3Server } from '../servers/s3-server.ts'
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts'
import { hasLostConnection, sendTo } from '../wire/client.ts'
import { newWorkingDirectory, type RunningServer, runCommand, startServer } from '../wire/server.ts'
import { type Operation, requireOrder } from './history.ts'
import { type Client, connect, prepare, verify, type World, WRITERS } from './writers.ts'

const NODES = 3
const BUCKET = 's3://bucket/store'
/** Beside the writers, on the register whose history is checked. */
const REGISTER_WRITERS = 4
const REGISTER_READERS = 8
/** After a request without an answer: a statement that a killed node has sent may still be under way. */
const AFTER_FAILURE_MS = 1000
/** Attributes that are written before each fault and after the last one. */
const LOAD = 30

let primary: PostgresServer
let standby: PostgresServer
/** The one of the two that the nodes reach. */
let database: PostgresServer
let proxy: TcpProxy
let s3: S3Server
let records: string
const nodes: Node[] = []

interface Node {
  readonly directory: string
  server: RunningServer
}

beforeAll(async () => {
  primary = await startPostgres()
  database = primary
  records = await primary.createDatabase('store')
  standby = await primary.startStandby()
  proxy = await startTcpProxy(() => database.port)
  records = records.replace(`:${primary.port}/`, `:${proxy.port}/`)
  s3 = await startS3Server()
  for (let number = 0; number < NODES; number++) {
    const directory = await newWorkingDirectory()
    nodes.push({ directory, server: await start(directory) })
  }
})
afterAll(async () => {
  for (const { server, directory } of nodes) {
    await server.end('SIGKILL')
    await rm(directory, { recursive: true, force: true })
  }
  await proxy?.close()
  await s3?.close()
  await standby?.close()
  await primary?.close()
})

function start(directory: string): Promise<RunningServer> {
  return startServer(directory, ['--records', records, '--blobs', BUCKET], { environment: environmentOf(s3) })
}

/**
 * Whether a request failed for a reason that is no defect: its node was killed, or it says that it cannot answer now.
 */
function isExpected(error: unknown): boolean {
  if (error instanceof Error && 'actual' in error) return Number(error.actual) === 503
  return hasLostConnection(error)
}

/** Clients that go on until they are stopped, each request at the next node. */
class Load {
  readonly operations: Operation[] = []
  readonly defects: unknown[] = []
  readonly client: Client
  /** The register as the other datasets are known. */
  readonly register = { id: '', elements: 8, body: () => ({}), acknowledged: 1, sent: 0 }
  #isOver = false
  #turn = 0
  readonly #running: Promise<void>[]

  constructor(world: World, register: string) {
    this.client = connect(() => this.address(), world)
    this.register.id = register
    const loops = [
      ...WRITERS.map(write => () => write(this.client)),
      ...Array.from({ length: REGISTER_WRITERS }, () => () => this.#write()),
      ...Array.from({ length: REGISTER_READERS }, () => () => this.#read()),
    ]
    this.#running = loops.map(step => this.#repeat(step))
  }

  address(): string {
    return nodes[this.#turn++ % NODES].server.address
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#running)
  }

  async #repeat(step: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      try {
        await step()
      } catch (error) {
        if (!isExpected(error)) this.defects.push(error)
        await pause(AFTER_FAILURE_MS)
      }
    }
  }

  async #write(): Promise<void> {
    const value = ++this.register.sent
    const start = performance.now()
    let end = Number.POSITIVE_INFINITY
    try {
      await this.client.want(200, 'PUT', `/datasets/${this.register.id}/value`, {
        value: Array(8).fill(value),
      })
      end = performance.now()
    } finally {
      this.operations.push({ kind: 'write', value, start, end })
    }
  }

  async #read(): Promise<void> {
    const start = performance.now()
    const path = `/datasets/${this.register.id}/value`
    const { value } = await this.client.want<{ value: number[] }>(200, 'GET', path)
    const end = performance.now()
    expect(new Set(value).size, `a torn read: ${value}`).toBe(1)
    this.operations.push({ kind: 'read', value: value[0], start, end })
  }
}

async function endBackends(): Promise<void> {
  await primary.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'store' and application_name = 'hyperslab'`,
  )
}

async function killNode(node: Node): Promise<void> {
  await node.server.end('SIGKILL')
  node.server = await start(node.directory)
}

/** The node is stopped until the others have taken its lease. */
async function pauseNode(node: Node): Promise<void> {
  const inStore = (statement: string) => primary.query(statement, 'store')
  const count = async () => Number((await inStore('select count(*) from hyperslab.nodes'))[0][0])
  node.server.process.kill('SIGSTOP')
  const before = await count()
  // The others renew theirs within seconds.
  await inStore(`update hyperslab.nodes set renewed = renewed - interval '55 s'`)
  await expect.poll(count).toBeLessThan(before)
  node.server.process.kill('SIGCONT')
}

async function isReady(address: string): Promise<boolean> {
  const { status } = await sendTo(address, 'GET', '/ready')
  return status === 200
}

async function loseServer(): Promise<void> {
  await primary.kill()
  await standby.promote()
  database = standby
}

it('nodes, backends and the database server are lost under load', { timeout: 600_000 }, async () => {
  const world = await prepare(connect(nodes[0].server.address))
  const { id } = await connect(nodes[1].server.address).want<{ id: string }>(201, 'POST', '/datasets', {
    type: 'H5T_STD_I32LE',
    shape: [8],
    creationProperties: { layout: { class: 'H5D_CHUNKED', dims: [4] } },
  })
  await connect(nodes[2].server.address).want(200, 'PUT', `/datasets/${id}/value`, {
    value: Array(8).fill(0),
  })
  const load = new Load(world, id)
  const written = async () => {
    const before = world.attributes.size
    await expect.poll(() => world.attributes.size).toBeGreaterThan(before + LOAD)
  }
  const faults: [string, () => Promise<void>][] = [
    ['a node is killed', () => killNode(nodes[0])],
    ['backends are ended', endBackends],
    ['a node is paused', () => pauseNode(nodes[1])],
    ['the server of the database is lost', loseServer],
    [
      'two nodes are killed',
      () => Promise.all([killNode(nodes[1]), killNode(nodes[2])]).then(() => undefined),
    ],
  ]
  for (const [name, fault] of faults) {
    await written()
    await fault()
    // Each node answers again by itself.
    for (const { server } of nodes) {
      const attributes = world.attributes.size
      await expect.poll(() => isReady(server.address), { message: `/ready after ${name}` }).toBe(true)
      await expect
        .poll(() => world.attributes.size, { message: `writes after ${name}` })
        .toBeGreaterThan(attributes)
    }
    expect(load.defects, name).toEqual([])
  }
  await written()
  await load.stop()
  expect(load.defects).toEqual([])
  const whole = { ...world, datasets: [...world.datasets, load.register] }
  for (const { server } of nodes) await verify(connect(server.address, whole))
  requireOrder(load.operations, 0)
  const answered = load.operations.filter(({ end }) => end !== Number.POSITIVE_INFINITY)
  // Enough for an order to mean something, on a slow machine too: each client was answered after each fault.
  const clients = REGISTER_WRITERS + REGISTER_READERS
  expect(answered.length).toBeGreaterThan(clients * faults.length)
  for (const kind of ['write', 'read'] as const)
    expect(
      answered.some(operation => operation.kind === kind),
      kind,
    ).toBe(true)
  console.log(`nodes: ${answered.length} answered of ${load.operations.length} requests have an order`)
  for (const { directory } of nodes)
    await runCommand(
      directory,
      ['check', 'data', '--records', records, '--blobs', BUCKET, '--values'],
      '',
      environmentOf(s3),
    )
})

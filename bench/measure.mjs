// Shared by all benchmarks: the service and the servers it is compared with as child processes, their processor time,
// and figures with their spread. Nothing here asserts: a benchmark prints figures for people to judge
// (bench/README.md).

import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))

/** The account that writes in the hsds dialect, whose writes need one. */
const ADMIN = { name: 'admin', password: 'admin' }
export const AUTHORIZATION = `Basic ${Buffer.from(`${ADMIN.name}:${ADMIN.password}`).toString('base64')}`

/** Where a service that was started with `measuresTurns` writes its longest turn (longest-turn.mjs). */
const TURNS = join(os.tmpdir(), `hyperslab-bench-turns-${process.pid}`)

/** The headers that h5pyd sends with each request. */
export const H5PYD_HEADERS = {
  host: '127.0.0.1',
  'user-agent': 'python-requests/2.32.3',
  'accept-encoding': 'gzip, deflate',
  accept: '*/*',
  connection: 'keep-alive',
  authorization: AUTHORIZATION,
}

/** A domain of the hsds dialect, in a folder that `makeHome` makes. */
export const HSDS_DOMAIN = '/home/bench.h5'

export function makeHome(server) {
  return sendJson(server, 'PUT', '/?domain=/home', { headers: H5PYD_HEADERS, body: { folder: 1 } })
}

/** Runs `work` in a directory of its own, ends every process that was started, and removes the directory. */
export async function benchmark(work) {
  const directory = mkdtempSync(join(process.env.HYPERSLAB_BENCH_DIR ?? os.tmpdir(), 'hyperslab-bench-'))
  const children = []
  const start = child => {
    children.push(child)
    return child
  }
  printMachine(directory)
  let admin
  try {
    await work({
      directory,
      hyperslab: async options => {
        admin ??= addAdmin(directory)
        await admin
        return startHyperslab(directory, start, options)
      },
      raw: job => startRaw(job, start),
      load: startLoad(start),
      newLoad: () => startLoad(start),
      keepAsking: startAsking(start),
    })
  } finally {
    for (const child of children) child.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
  }
}

function printMachine(directory) {
  const [cpu] = os.cpus()
  const gib = (os.totalmem() / 2 ** 30).toFixed(0)
  const load = os.loadavg()[0].toFixed(2)
  console.log(
    `${os.cpus().length} x ${cpu?.model.trim()}, ${gib} GiB, ${os.type()} ${os.release()}, Node ${process.version}, ` +
      `load ${load}, data in ${directory} (file system type 0x${statfsSync(directory).type.toString(16)})`,
  )
}

/**
 * The service on one data folder, however often it is started, with an account of an administrator if it is `data`.
 * `settings` are options of `serve`, `command` is the program; with `measuresTurns`, `longestTurn` can be asked for,
 * and the service keeps a processor busy.
 */
async function startHyperslab(
  directory,
  start,
  { settings = [], measuresTurns = false, folder = 'data', command = COMMAND } = {},
) {
  const data = join(directory, folder)
  const turns = {
    NODE_OPTIONS: `--import ${new URL('./longest-turn.mjs', import.meta.url)}`,
    HYPERSLAB_BENCH_TURNS: TURNS,
  }
  const begun = performance.now()
  const child = start(
    spawn(process.execPath, [command, 'serve', data, '--port', '0', '--host', '127.0.0.1', ...settings], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...(measuresTurns && turns) },
    }),
  )
  const port = await new Promise((resolve, reject) => {
    let printed = ''
    const look = piece => {
      if (printed.length < 1e5) printed += piece
      const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(printed)
      if (found) resolve(Number(found[1]))
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    child.on('close', () => reject(new Error(`hyperslab serve ended:\n${printed}`)))
  })
  const end = async () => {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  return { port, pid: child.pid, startMilliseconds: performance.now() - begun, end }
}

/** Settings by which the same administrator is known to servers that share no data folder. */
export function adminSettings(directory) {
  const passwords = join(directory, 'passwd.txt')
  writeFileSync(passwords, `${ADMIN.name}:${ADMIN.password}\n`)
  return ['--password-file', passwords, '--admin-user', ADMIN.name]
}

async function addAdmin(directory) {
  const user = spawn(process.execPath, [COMMAND, 'user', 'add', ADMIN.name, '--admin'], {
    cwd: directory,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  user.stdin.end(`${ADMIN.password}\n`)
  await once(user, 'exit')
}

/** The longest turn of the event loop since this was asked last, in milliseconds of processor time. */
export async function longestTurn({ pid }) {
  // A request that was answered may have left work to do.
  await sleep(100)
  rmSync(TURNS, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(TURNS)) await sleep(5)
  await sleep(5)
  const milliseconds = Number(readFileSync(TURNS, 'utf8'))
  rmSync(TURNS)
  return milliseconds
}

async function startRaw(job, start) {
  const child = start(fork(new URL('./raw-server.mjs', import.meta.url)))
  child.send(job)
  const [{ port }] = await once(child, 'message')
  return { port, pid: child.pid }
}

/** A function that runs a load and gives what it took, with the processor time of the server meanwhile. */
function startLoad(start) {
  const child = start(fork(new URL('./load.mjs', import.meta.url)))
  return async (server, { requests, count, connections, status }) => {
    const before = processorTime(server.pid)
    child.send({ port: server.port, requests, count, connections })
    const [{ milliseconds, longest, statuses, error }] = await once(child, 'message')
    if (error !== undefined) throw new Error(error)
    if (statuses[status] !== count) {
      throw new Error(`expected ${count} answers ${status}, got ${JSON.stringify(statuses)}`)
    }
    return {
      perSecond: (1000 * count) / milliseconds,
      longest,
      cpuMicroseconds: (processorTime(server.pid) - before) / count,
    }
  }
}

/** A function that keeps connections busy for some seconds, and gives how many requests were answered in a second. */
function startAsking(start) {
  const child = start(fork(new URL('./load.mjs', import.meta.url)))
  return async (server, { requests, seconds, connections, status = 200 }) => {
    child.send({ port: server.port, requests, seconds, connections })
    const [{ milliseconds, longest, p99, statuses, error }] = await once(child, 'message')
    if (error !== undefined) throw new Error(error)
    const { [status]: answered = 0, ...others } = statuses
    if (Object.keys(others).length > 0)
      throw new Error(`expected answers ${status}, got ${JSON.stringify(statuses)}`)
    return { perSecond: (1000 * answered) / milliseconds, longest, p99 }
  }
}

/** How long `work` takes, in milliseconds, with the processor time of the server. */
export async function measured(server, work) {
  const before = processorTime(server.pid)
  const start = performance.now()
  await work()
  return { milliseconds: performance.now() - start, cpuMicroseconds: processorTime(server.pid) - before }
}

/** User and system time of a process and all its threads in microseconds; NaN where /proc is not there. */
function processorTime(pid) {
  const [user, system] = ticksOf(pid)
  return (user + system) * 10_000
}

/** The same of a process, its children, and the children that have ended. */
export function processorTimeOfAll(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  const ended = ticksOf(pid)
    .slice(2)
    .reduce((sum, ticks) => sum + ticks * 10_000, 0)
  return [pid, ...children].reduce((sum, each) => sum + (processorTime(each) || 0), ended)
}

/** Clock ticks of 1/100 s: user and system time of the process, and of its children that have ended. */
function ticksOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.slice(11, 15).map(Number)
  } catch {
    return Array(4).fill(Number.NaN)
  }
}

/** The text of a request for the load generator. */
export function requestText(method, target, headers, body = '') {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`
}

/** One request with node:http; the answer with its bytes. */
export function send(server, method, target, { headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const options = { host: '127.0.0.1', port: server.port, method, path: target, agent: AGENT }
    const request = http.request({ ...options, headers: { ...headers, ...length } }, response => {
      const pieces = []
      response.on('data', piece => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(pieces)
        if (response.statusCode >= 300) {
          reject(new Error(`${method} ${target}: ${response.statusCode} ${bytes.subarray(0, 500)}`))
        } else resolve({ status: response.statusCode, headers: response.headers, bytes })
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

const AGENT = new http.Agent({ keepAlive: true })

export async function sendJson(server, method, target, { headers, body } = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body)
  return JSON.parse((await send(server, method, target, { headers, body: text })).bytes.toString())
}

/** The middle value and the ends. */
function spread(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = share => sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN
  return { min: at(0), median: at(0.5), max: at(1) }
}

/** One line: a name, the median and in brackets the lowest and the highest of all repetitions. */
export function print(name, values, unit) {
  const { min, median, max } = spread(values)
  const digits = median < 100 ? 2 : 0
  const [low, middle, high] = [min, median, max].map(value => value.toFixed(digits))
  console.log(
    `${name.padEnd(50)} ${middle.padStart(10)} ${unit}  [${low} .. ${high}], ${values.length} times`,
  )
}

/** The line to read: the service's median as a multiple of its limit's, and the goal. */
export function printRatio(name, ours, limit, goal) {
  const ratio = spread(ours).median / spread(limit).median
  console.log(`${name.padEnd(50)} ${ratio.toFixed(2).padStart(10)} x     goal: ${goal}`)
}

/**
 * Runs each of several measurements in turn, over and over, so that all see the same weather. The first rounds warm up.
 */
export async function alternate(repetitions, measurements, warmUps = 1) {
  const results = measurements.map(() => [])
  for (let i = -warmUps; i < repetitions; i++) {
    for (const [index, measure] of measurements.entries()) {
      const result = await measure()
      if (i >= 0) results[index].push(result)
    }
  }
  return results
}

// Where the real clients are: found through the environment (README.md of this folder has the variables), never at a
// place of one machine. A client that is missing is reported with the reason, once, and its tests are skipped.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A Python with the h5py of the system, which makes files. */
export const SYSTEM_PYTHON = process.env.HYPERSLAB_TEST_PYTHON ?? '/usr/bin/python3'

const MAKER = fileURLToPath(new URL('domains.py', import.meta.url))

/** The Python that runs the scenarios. */
const PYTHON = process.env.HYPERSLAB_CLIENTS_PYTHON ?? 'python3'

export interface ProgramResult {
  readonly status: number | null
  readonly output: string
}

/** Runs a program to its end, and ends it by its process id when it takes too long. */
export async function run(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  deadlineMs: number,
): Promise<ProgramResult> {
  const child = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const pieces: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => pieces.push(piece))
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
  try {
    const [status] = await once(child, 'close')
    return { status, output: Buffer.concat(pieces).toString('utf8') }
  } catch (cause) {
    return { status: null, output: String(cause) }
  } finally {
    clearTimeout(timer)
  }
}

/** Runs Python with h5pyd on its path, as the user `test_user1` of the server at the address. */
export function runPython(
  args: readonly string[],
  settings: NodeJS.ProcessEnv,
  deadlineMs: number,
): Promise<ProgramResult> {
  const path = [process.env.H5PYD_PATH, process.env.PYTHONPATH].filter(Boolean).join(delimiter)
  const environment = { ...process.env, PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1', ...settings }
  return run(PYTHON, args, environment, deadlineMs)
}

/** The reason that no scenario with h5pyd can run; undefined when they can. */
export async function missingH5pyd(): Promise<string | undefined> {
  const { status, output } = await runPython(['-c', 'import numpy, h5py, h5pyd'], {}, 60_000)
  if (status === 0) return undefined
  const reason = output.trimEnd().split('\n').at(-1)
  return `${PYTHON} cannot import numpy, h5py and h5pyd (${reason}): set HYPERSLAB_CLIENTS_PYTHON and H5PYD_PATH`
}

/** Makes the files of domains.py in a folder, and returns their values as JSON. */
export function makeDomains(folder: string): string {
  const { status, stdout, stderr } = spawnSync(SYSTEM_PYTHON, [MAKER, folder], {
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  })
  if (status !== 0) throw new Error(`domains.py has failed: ${stderr}`)
  return stdout
}

/** Says loudly, with the reason, that a client is not tested. */
export function tellSkipped(what: string, reason: string): void {
  console.warn(`SKIPPED: ${what}: ${reason} (test/clients/README.md)`)
}

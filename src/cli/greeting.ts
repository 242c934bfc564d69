// The output of `hyperslab serve` once it serves: its address, and commands to try from another terminal.

import { basename, relative } from 'node:path'
import type { Store } from '../storage/store.ts'
import { classicName } from './classic-name.ts'
import type { Settings } from './config.ts'
import { SAMPLE_DOMAIN } from './sample.ts'

export async function greeting(settings: Settings, port: number, store: Store): Promise<string> {
  const { host, dataFolder, baseDomain } = settings
  const isWildcard = host === '0.0.0.0' || host === '::'
  const reachable = isWildcard ? '127.0.0.1' : host
  const address = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/`
  const hasSample = await store.read(async reader => (await reader.domain(SAMPLE_DOMAIN))?.root !== undefined)
  const name = await classicName(SAMPLE_DOMAIN, baseDomain, async () => false)
  const attempts = hasSample
    ? [`curl -H 'Host: ${name}' ${address}`, `curl '${address}?domain=${SAMPLE_DOMAIN}'`]
    : [`curl ${address}`]
  const lines = [
    `Hyperslab serves ${dataFolder} at ${address}${isWildcard ? ' (on all networks)' : ''}`,
    '',
    'Try in another terminal:',
    ...attempts.map(line => `  ${line}`),
    `  ${thisCommand()} import FILE.h5 --to /files --data ${quoted(shownPath(dataFolder))}`,
    '',
    'Press Ctrl-C to stop.',
  ]
  return `${lines.join('\n')}\n`
}

/** The path relative to the working directory, if it is inside. */
function shownPath(path: string): string {
  const inside = relative('', path)
  return inside.startsWith('..') ? path : inside
}

/** The command that runs this program in the working directory. */
function thisCommand(): string {
  const script = process.argv[1] ?? ''
  return basename(script) === 'hyperslab' ? 'hyperslab' : `node ${quoted(relative('', script))}`
}

function quoted(argument: string): string {
  if (argument === '') return '.'
  return /^[\w./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}

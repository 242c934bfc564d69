// What `hyperslab serve` says when it serves: where, and what to try from another terminal.

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
    'Ctrl-C ends it.',
  ]
  return `${lines.join('\n')}\n`
}

/** As it is called from here, unless it lies elsewhere. */
function shownPath(path: string): string {
  const way = relative('', path)
  return way.startsWith('..') ? path : way
}

/** How this program is called from here. */
function thisCommand(): string {
  const script = process.argv[1] ?? ''
  return basename(script) === 'hyperslab' ? 'hyperslab' : `node ${quoted(relative('', script))}`
}

function quoted(argument: string): string {
  if (argument === '') return '.'
  return /^[\w./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}

// The output of `hyperslab serve` once it serves: its address, its folders, and commands to try from another terminal.

import { basename, relative } from 'node:path'
import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, isTopLevel, type ObjectId } from '@hyperslab/model/names'
import { isUnavailable, type Reader, type Store } from '@hyperslab/store/store'
import { shortName } from '../../http/dialect/classic/short-names.ts'
import { isOpenUntilAccounts } from '../settings/open-service.ts'
import type { Settings } from '../settings/table.ts'
import type { InheritedSocket } from './inherited-socket.ts'
import { inAddress } from './listen.ts'
import { SAMPLE_DOMAIN } from './sample.ts'

/** The service that the output is about. */
export interface GreetingFacts {
  readonly settings: Settings
  readonly port: number
  readonly store: Store
  /** Whether the data folder has been created just now. */
  readonly isNew: boolean
  readonly inherited: InheritedSocket | undefined
  /** Absent: the service has, or has had, accounts. */
  readonly firstAccountCode?: string
  /** The sources of mounts that are one file. */
  readonly files: ReadonlySet<string>
}

export async function greeting({
  settings,
  port,
  store,
  isNew,
  inherited,
  firstAccountCode,
  files,
}: GreetingFacts): Promise<string> {
  const { host, dataFolder, mount: mounts } = settings
  const others = otherLocations(settings)
  const isEverywhere = isWildcard(host)
  const reachable = isEverywhere ? '127.0.0.1' : host
  const address = `http://${inAddress(reachable)}:${port}/`
  const top = mounts.find(({ path }) => isTopLevel(path))
  const lines = [
    `Hyperslab serves ${top?.source ?? (others || dataFolder)} at ${address}${isEverywhere ? ' (on all networks)' : ''}`,
    ...(inherited ? ['  on a socket that was handed over, so --host and --port have no effect'] : []),
    ...(isNew && !top && others === '' ? ['  a new data folder, made for what clients store'] : []),
    ...mounts.map(({ source, path }) => `  ${path} has ${contentsOf(source, files)}, read only`),
    ...(top ? [`  what the server itself stores is in ${others || dataFolder}`] : []),
    ...(firstAccountCode === undefined ? [] : firstAccount(settings, address, firstAccountCode)),
    '',
    ...(others === '' ? await invitation(settings, address, store) : []),
    'Press Ctrl-C to stop.',
  ]
  return `${lines.join('\n')}\n`
}

/** The rights of callers while there are no accounts, and the address that makes the first one. */
function firstAccount(settings: Settings, address: string, code: string): readonly string[] {
  const { publicUrl, host } = settings
  const rights = isOpenUntilAccounts(settings)
    ? 'every program of this machine may read and write, without a login, until the first one is made:'
    : 'nobody can log in until the first one, an administrator, is made:'
  // The part after # stays in the browser: no proxy and no log has the code.
  const page = `${publicUrl === '' ? address : `${publicUrl}/`}ui?account=first#${code}`
  const isElsewhere = publicUrl === '' && isWildcard(host)
  return [
    `  no accounts yet: ${rights}`,
    `    ${page}`,
    ...(isElsewhere ? ['    (from another machine: with the address of this one for 127.0.0.1)'] : []),
  ]
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function contentsOf(source: string, files: ReadonlySet<string>): string {
  return files.has(source) ? `the file ${basename(source)}` : `the HDF5 files of ${withoutLogin(source)}`
}

/** Names the database and the bucket of a server that an operator has set up; empty: it has neither. */
function otherLocations({ records, blobs }: Settings): string {
  return [records, blobs]
    .flatMap(location => (location.kind === 'folder' ? [] : withoutLogin(location.address)))
    .join(' and ')
}

async function invitation(settings: Settings, address: string, store: Store): Promise<readonly string[]> {
  const commands = await attempts(settings, address, store)
  return [
    `Open ${address} in a browser, or try in another terminal:`,
    ...commands.map(line => `  ${line}`),
    '',
  ]
}

async function attempts(
  { mount: mounts, baseDomain, dataFolder }: Settings,
  address: string,
  store: Store,
): Promise<readonly string[]> {
  const commands: string[] = []
  const shown = await store.read(async reader => {
    for (const { path } of mounts) {
      const { root } = isTopLevel(path) ? {} : ((await reader.domain(path)) ?? {})
      if (root !== undefined) return path
      commands.push(`curl '${address}domains?domain=${queryText(path)}'`)
      const file = await firstDomain(reader, path)
      if (file) return file
    }
    return (await reader.domain(SAMPLE_DOMAIN))?.root === undefined ? undefined : SAMPLE_DOMAIN
  })
  if (shown === undefined) commands.push(`curl ${address}`)
  else {
    const name = await shortName(shown, baseDomain, async () => false)
    commands.push(`curl -H 'Host: ${name}' ${address}`, `curl '${address}?domain=${queryText(shown)}'`)
  }
  if (mounts.length > 0) return commands
  const importing = `${thisCommand()} import FILE.h5 --to /files --data ${quoted(shownPath(dataFolder))}`
  return [...commands, importing]
}

/** Folders and files that are read to find a domain to show. @limit safety, entries */
const MAX_LOOKED_AT = 200
/** Entries of one folder that are read for that. @limit safety, entries */
const MAX_OF_FOLDER = 20

/** The first domain in a folder that can be read or, if it has none, in the folders below it. */
async function firstDomain(reader: Reader, top: DomainPath): Promise<DomainPath | undefined> {
  const folders = [top]
  try {
    for (const folder of folders) {
      for await (const { path, root, fileCount } of reader.children(folder, { limit: MAX_OF_FOLDER })) {
        // A joined domain may be thousands of files, which would all be opened.
        if (fileCount !== undefined) continue
        if (root !== undefined && (await isReadable(reader, root))) return path
        if (root === undefined && folders.length < MAX_LOOKED_AT) folders.push(path)
      }
    }
  } catch (error) {
    if (!isUnavailable(error)) throw error
  }
  return undefined
}

async function isReadable(reader: Reader, root: ObjectId): Promise<boolean> {
  try {
    return (await reader.object(root)) !== undefined
  } catch (error) {
    if (error instanceof HyperslabError) return false
    throw error
  }
}

/** A user and a password in an address are for the server only. */
function withoutLogin(source: string): string {
  return source.replace(/^(\w+:\/\/)[^/]*@/, '$1')
}

/** Text as it is in a query, which is between single quotes. */
function queryText(path: string): string {
  return encodeURIComponent(path).replaceAll('%2F', '/').replaceAll("'", '%27')
}

/** The path relative to the working directory, if it is inside; not for a unit or an image, which work in `/`. */
function shownPath(path: string): string {
  const inside = relative('', path)
  return inside.startsWith('..') || process.cwd() === '/' ? path : inside
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

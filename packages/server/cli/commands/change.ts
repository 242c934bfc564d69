// `hyperslab mkdir`, `rm`, `mv` and `cp`: folders and domains that come, go, and get other names.

import { createInterface } from 'node:readline/promises'
import { type Hyperslab, RequestError } from '@hyperslab/client'
import { shownError } from '../endpoint.ts'
import { formatCount } from '../import/import-report.ts'
import { Progress, type ProgressOptions } from '../progress.ts'
import { UsageError } from '../usage-error.ts'
import { isFolderPath } from './entries.ts'
import { shownName } from './output.ts'
import { type Service, type ServiceOptions, withService } from './service.ts'

export interface MakeOptions extends ServiceOptions {
  readonly parents: boolean
}

export async function runMkdir(paths: readonly string[], options: MakeOptions): Promise<void> {
  await withService(options, true, async ({ client, signal }) => {
    for (const path of paths.map(withoutSlash)) await makeFolder(client, path, options.parents, signal)
  })
}

/** `parents`: those above it too, and one that is there is right. */
async function makeFolder(
  client: Hyperslab,
  path: string,
  parents: boolean,
  signal: AbortSignal,
): Promise<void> {
  const above = parentOf(path)
  if (parents && (await isExistingFolder(client, path, signal))) return
  if (parents && above !== '/') await makeFolder(client, above, true, signal)
  await client.request('PUT /', { domain: path }, { body: { folder: true }, signal }).catch(async error => {
    // Another program may have made it meanwhile.
    const isThere = parents && isStatus(error, 409) && (await isExistingFolder(client, path, signal))
    if (!isThere) throw error
  })
}

export interface RemoveOptions extends ServiceOptions, ProgressOptions {
  readonly recursive: boolean
  readonly yes: boolean
}

export async function runRm(paths: readonly string[], options: RemoveOptions): Promise<void> {
  await withService(options, true, async service => {
    const { client, signal } = service
    const found = []
    // Nothing is removed where an argument is wrong.
    for (const path of paths.map(withoutSlash)) {
      const isFolder = await isFolderAt(client, path, signal)
      if (isFolder && !options.recursive)
        throw new UsageError(`${path} is a folder: rm -r removes it with all that is in it`, 1)
      found.push({ path, isFolder })
    }
    const folders = found.filter(({ isFolder }) => isFolder).map(({ path }) => path)
    if (folders.length > 0 && !options.yes) await confirmRemoval(service, folders)
    await removeAll(service, found, options)
  })
}

interface FoundPath {
  readonly path: string
  readonly isFolder: boolean
}

/** Removes what can be removed; at the end an error says how much could not. */
async function removeAll(
  service: Service,
  found: readonly FoundPath[],
  options: RemoveOptions,
): Promise<void> {
  const progress = new Progress(options)
  let removed = 0
  let failed = 0
  try {
    for (const { path, isFolder } of found) {
      for await (const batch of isFolder ? depthFirst(service, path) : [[path]]) {
        const results = await Promise.all(batch.map(each => remove(service, each)))
        removed += results.filter(Boolean).length
        failed += results.filter(isRemoved => !isRemoved).length
        progress.show(() => `${removed} removed`)
      }
    }
  } finally {
    progress.end()
  }
  if (failed > 0) throw new UsageError(`${failed} of them could not be removed`, 1)
}

/** False: the service does not allow it, which has a line. */
async function remove({ client, signal }: Service, path: string): Promise<boolean> {
  try {
    await client.domain(path).delete({ signal })
    return true
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    // Another program has removed it.
    if (error.status === 404 || error.status === 410) return true
    process.stderr.write(`${shownName(path)}: ${shownError(error)}\n`)
    return false
  }
}

/** Domains that are removed at once. @limit safety, domains */
const REMOVED_AT_ONCE = 16

/** The domains and folders in a folder, and it, each behind what is in it; those of a batch are beside each other. */
async function* depthFirst(service: Service, folder: string): AsyncGenerator<readonly string[]> {
  let batch: string[] = []
  for await (const { name, class: kind } of service.client.folder(folder, { signal: service.signal })) {
    const path = `${folder}/${lastName(name)}`
    if (kind === 'folder') yield* depthFirst(service, path)
    else if (batch.push(path) === REMOVED_AT_ONCE) {
      yield batch
      batch = []
    }
  }
  yield batch
  yield [folder]
}

async function confirmRemoval({ client, signal }: Service, folders: readonly string[]): Promise<void> {
  if (!process.stdin.isTTY)
    throw new UsageError('rm -r asks before it removes a folder, and there is no terminal: give --yes')
  for (const folder of folders) {
    let domains = 0
    let others = 0
    for await (const { class: kind } of client.folder(folder, { signal })) {
      if (kind === 'folder') others++
      else domains++
    }
    const contents = `${formatCount(domains, 'domain')} and ${formatCount(others, 'folder')} in it`
    const lines = createInterface({ input: process.stdin, output: process.stderr })
    const answer = await lines.question(`Remove ${shownName(folder)} with ${contents}, and all below? [y/N] `)
    lines.close()
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('nothing was removed', 1)
  }
}

export async function runMv(from: string, to: string, options: ServiceOptions): Promise<void> {
  await withService(options, true, async ({ client, signal }) => {
    const source = withoutSlash(from)
    const target = await targetOf(client, source, to, signal)
    await client.request('PUT /', { domain: target }, { body: { moved_from: source }, signal })
  })
}

export interface CopyOptions extends ServiceOptions, ProgressOptions {
  readonly recursive: boolean
  readonly replace: boolean
}

export async function runCp(from: string, to: string, options: CopyOptions): Promise<void> {
  await withService(options, true, async service => {
    const { client, signal } = service
    const source = withoutSlash(from)
    const isFolder = await isFolderAt(client, source, signal)
    if (isFolder && !options.recursive)
      throw new UsageError(`${source} is a folder: cp -r copies it with all that is in it`, 1)
    const target = await targetOf(client, source, to, signal)
    if (target === source || target.startsWith(`${source}/`))
      throw new UsageError(`${source} cannot be copied into itself`, 1)
    const progress = new Progress(options)
    let copied = 0
    try {
      for await (const { path, isFolder: isBelow } of isFolder
        ? topDown(service, source)
        : [{ path: source, isFolder }]) {
        const place = target + path.slice(source.length)
        if (isBelow) await makeFolder(client, place, true, signal)
        else await copyDomain(service, path, place, options.replace)
        copied++
        progress.show(() => `${copied} copied`)
      }
    } finally {
      progress.end()
    }
  })
}

/** The file of the domain becomes another domain, wholly or not at all. */
async function copyDomain(
  { client, signal }: Service,
  from: string,
  to: string,
  replace: boolean,
): Promise<void> {
  const { body } = await client.domain(from).download({ signal })
  if (body === null) throw new Error(`the file of ${from} has no bytes`)
  const answer = await client.domain(to).upload(body, { replace, signal })
  const warnings = answer && 'warnings' in answer ? (answer.warnings ?? []) : []
  for (const { path, message } of warnings)
    process.stderr.write(`${shownName(`${to}: ${path}: ${message}`)}\n`)
}

async function* topDown(service: Service, folder: string): AsyncGenerator<FoundPath> {
  yield { path: folder, isFolder: true }
  for await (const { name, class: kind } of service.client.folder(folder, { signal: service.signal })) {
    const path = `${folder}/${lastName(name)}`
    if (kind === 'folder') yield* topDown(service, path)
    else yield { path, isFolder: false }
  }
}

/** The new path: in `to` under the same name, if it is a folder. */
async function targetOf(client: Hyperslab, from: string, to: string, signal: AbortSignal): Promise<string> {
  const isInFolder = isFolderPath(to) || (await isExistingFolder(client, to, signal))
  return isInFolder ? `${withoutSlash(to)}/${lastName(from)}` : to
}

async function isFolderAt(client: Hyperslab, path: string, signal: AbortSignal): Promise<boolean> {
  return !('root' in (await client.domain(path).describe({ signal })))
}

/** False too where nothing has the path. */
async function isExistingFolder(client: Hyperslab, path: string, signal: AbortSignal): Promise<boolean> {
  try {
    return await isFolderAt(client, path, signal)
  } catch (error) {
    if (isStatus(error, 404) || isStatus(error, 410)) return false
    throw error
  }
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof RequestError && error.status === status
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '')
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** `/` above the top level. */
function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

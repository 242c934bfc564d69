// `hyperslab ls` and `hyperslab tree`: what is in a folder, or in a group of a domain.

import { type Container, containerAt, containerOf, type Entry, entriesOf } from './entries.ts'
import { shownName } from './output.ts'
import { type Service, type ServiceOptions, withService } from './service.ts'

export interface ListOptions extends ServiceOptions {
  readonly long: boolean
  readonly recursive: boolean
  readonly json: boolean
}

export async function runLs(path = '/', object: string | undefined, options: ListOptions): Promise<void> {
  const { long, recursive, json } = options
  await withService(options, false, async service => {
    const container = await containerAt(service, path, object)
    for await (const { entry } of walk(service, container, long, recursive)) {
      if (json) await service.print(JSON.stringify(entry.json))
      else await service.print(lineOf(entry, long))
    }
  })
}

/** The name is last: it may be of any length, in any script. */
function lineOf({ path, isFolder, columns }: Entry, long: boolean): string {
  const name = shownName(isFolder ? `${path}/` : path)
  if (!long) return name
  return [...columns.map(shownName), name].join('  ')
}

export interface TreeOptions extends ServiceOptions {
  readonly json: boolean
}

export async function runTree(path = '/', object: string | undefined, options: TreeOptions): Promise<void> {
  await withService(options, false, async service => {
    const container = await containerAt(service, path, object)
    if (!options.json)
      await service.print(shownName([path, ...(object === undefined ? [] : [object])].join(' ')))
    for await (const { entry, isLast, above } of walk(service, container, true, true)) {
      if (options.json) await service.print(JSON.stringify(entry.json))
      else await service.print(branchOf(entry, isLast, above))
    }
  })
}

function branchOf({ name, description }: Entry, isLast: boolean, above: string): string {
  const text = shownName(description === '' ? name : `${name}  ${description}`)
  return `${above}${isLast ? '└── ' : '├── '}${text}`
}

/** An entry, and where it is in a tree: what stands before the lines of those below it. */
interface Step {
  readonly entry: Entry
  readonly isLast: boolean
  readonly above: string
}

/**
 * The entries, and with `recursive` those below them, each behind its folder. A group with several names has its
 * members once.
 */
async function* walk(
  service: Service,
  container: Container,
  verbose: boolean,
  recursive: boolean,
  above = '',
  met: Set<string> = new Set(),
): AsyncGenerator<Step> {
  for await (const { entry, isLast } of withLast(entriesOf(service, container, verbose))) {
    yield { entry, isLast, above }
    const { id, isFolder } = entry
    if (!recursive || !isFolder || (id !== undefined && met.has(id))) continue
    if (id !== undefined) met.add(id)
    yield* walk(
      service,
      containerOf(container, entry),
      verbose,
      recursive,
      `${above}${isLast ? '    ' : '│   '}`,
      met,
    )
  }
}

/** Each entry with whether it is the last one. */
async function* withLast(entries: AsyncIterable<Entry>): AsyncGenerator<{ entry: Entry; isLast: boolean }> {
  let before: Entry | undefined
  for await (const entry of entries) {
    if (before) yield { entry: before, isLast: false }
    before = entry
  }
  if (before) yield { entry: before, isLast: true }
}

// `hyperslab join`: mounted files and stored domains become one domain, or are only compared.

import type { Api } from '@hyperslab/client'
import { formatCount } from '../import/import-report.ts'
import { UsageError } from '../usage-error.ts'
import { formatFiles, shownName } from './output.ts'
import { type Service, type ServiceOptions, withService } from './service.ts'

export interface JoinOptions extends ServiceOptions {
  readonly along?: readonly string[]
  readonly union: boolean
  readonly new?: string
  readonly coordinate?: string
  readonly datasets?: readonly string[]
  readonly keep?: 'first' | 'last'
  readonly unpack: boolean
  readonly missing?: 'fill'
  readonly check?: 'types' | 'values'
  readonly forget?: readonly string[]
  readonly to: string
  readonly dryRun: boolean
  readonly json: boolean
}

/**
 * Prints what the files are together, and makes the domain unless they cannot be joined or it is a dry run. With
 * `forget`, an existing domain no longer keeps the places of these files.
 */
export async function runJoin(sources: readonly string[], options: JoinOptions): Promise<void> {
  const { to, dryRun, json, forget = [] } = options
  if (sources.length === 0 && forget.length === 0)
    throw new UsageError('a SOURCE is needed: the path of a mounted file or a domain, or a pattern')
  if (sources.length > 0 && forget.length > 0)
    throw new UsageError('--forget is for a domain that exists: give no SOURCE with it')
  if (forget.length > 0) return forgetFiles(to, forget, options)
  const { keep, unpack, missing, check } = options
  const join = {
    sources: [...sources],
    ...dimensionOf(options),
    ...(keep && { keep }),
    ...(unpack && { unpack }),
    ...(missing && { missing }),
    ...(check && { check }),
  }
  await withService(options, true, async service => {
    const { client, signal } = service
    const put = (body: Api.NewDomain) => client.request('PUT /', { domain: to }, { body, signal })
    const review = (await put({ join, dry_run: true })) as Api.JoinReview
    if (json) await service.print(JSON.stringify(review))
    else await printReview(service, review, options)
    if (review.conflicts.length > 0) throw new UsageError('the files cannot be joined: nothing was made', 1)
    if (dryRun) return
    await put({ join })
    const made = await client.request('GET /', { domain: to }, { signal })
    const number = 'joining' in made ? `${formatFiles(made)}; it gets the others while it is used` : 'them'
    if (!json) await service.print(`${shownName(to)} is made of ${number}`)
  })
}

async function forgetFiles(domain: string, files: readonly string[], options: JoinOptions): Promise<void> {
  await withService(options, true, async ({ client, signal, print }) => {
    for (const forget of files) {
      await client.request('PUT /', { domain }, { body: { forget }, signal })
      await print(`${shownName(domain)} no longer keeps the place of ${shownName(forget)}`)
    }
  })
}

function dimensionOf(options: JoinOptions): Pick<Api.JoinDefinition, 'along' | 'union'> {
  const { along, union, new: name, coordinate, datasets } = options
  const given = [along, union || undefined, name].filter(one => one !== undefined)
  if (given.length !== 1)
    throw new UsageError(
      'one of --along, --new and --union is needed: a dimension of the files, a new one, or none',
    )
  if (name !== undefined)
    return {
      along: {
        new: name,
        ...(coordinate !== undefined && { coordinate }),
        ...(datasets !== undefined && { datasets: [...datasets] }),
      },
    }
  if (coordinate !== undefined || datasets !== undefined)
    throw new UsageError('--coordinate and --datasets are for a new dimension: give --new')
  return along === undefined ? { union: true } : { along: [...along] }
}

/** Conflicts that are printed: others are often the same. */
const PRINTED_CONFLICTS = 10

const REMEDIES: Readonly<Record<NonNullable<Api.JoinReview['conflicts'][number]['option']>, string>> = {
  keep: '--keep last takes the elements of the later file where two overlap, --keep first those of the earlier one',
  unpack: '--unpack makes the values of packed numbers, also where files pack them in different ways',
}

async function printReview(
  { print }: Service,
  { files, names, length, datasets, conflicts, warnings }: Api.JoinReview,
  { along, union, new: name = '' }: JoinOptions,
): Promise<void> {
  const ends = names.length > 1 ? `, from ${shownName(names[0])}` : ''
  const dimension = union ? 'objects beside each other' : `${along?.join(', ') ?? name}: ${length}`
  const lines = [
    `${formatCount(files, 'file')}${ends}, ${dimension}`,
    ...datasets.map(({ path, shape, axis }) => `  ${shownName(path)}  ${shape.join(' x ')}  along ${axis}`),
    ...conflicts.slice(0, PRINTED_CONFLICTS).map(({ reason }) => `  conflict: ${shownName(reason)}`),
  ]
  const others = conflicts.length - PRINTED_CONFLICTS
  if (others > 0) lines.push(`  and ${formatCount(others, 'more conflict')}`)
  const solving = new Set(conflicts.flatMap(({ option }) => option ?? []))
  lines.push(...[...solving].map(option => `  ${REMEDIES[option]}`))
  lines.push(...warnings.map(({ path, message }) => `  warning: ${shownName(path)}: ${message}`))
  for (const line of lines) await print(line)
}

// The output of `hyperslab import`: a progress bar where there is a terminal, lines for each file, the summary.

import type { ImportSummary } from '@hyperslab/files/import'
import type { FileWarning } from '@hyperslab/h5/reader'
import { Presets, SingleBar } from 'cli-progress'
import type { ImportedDomain } from './destination.ts'

/** The progress of all files, each of which counts the same. */
export class ImportProgressBar {
  readonly #bar: SingleBar
  readonly #total: number
  #done = 0
  #isShown = false

  constructor(files: number, title: string) {
    const format = `${title.replaceAll('{', '(')} {bar} {percentage} % | {eta_formatted} left`
    const options = { format, clearOnComplete: true, stream: process.stderr }
    this.#bar = new SingleBar(options, Presets.shades_classic)
    this.#total = files
  }

  /** Begins a file; the result sets the part of it that is done, between 0 and 1. */
  begin(): (part: number) => void {
    let before = 0
    return part => {
      this.#done += part - before
      before = part
      if (this.#isShown) this.#bar.update(this.#done)
      else this.#bar.start(this.#total, this.#done)
      this.#isShown = true
    }
  }

  /** Prints while the bar is away. */
  print(print: () => void): void {
    if (this.#isShown && process.stderr.isTTY) process.stderr.write('\r\x1b[K')
    print()
  }

  stop(): void {
    this.#bar.stop()
  }
}

/** The counts of an import into a data folder. */
export function formatSummary({
  groups,
  datasets,
  unreadable,
  datatypes,
  attributes,
  bytes,
}: ImportSummary): string {
  const counts = [
    formatCount(groups, 'group'),
    formatCount(datasets, 'dataset') + (unreadable > 0 ? ` (${unreadable} without values)` : ''),
    ...(datatypes > 0 ? [formatCount(datatypes, 'committed datatype')] : []),
    formatCount(attributes, 'attribute'),
    `${formatBytes(bytes)} of values`,
  ]
  return counts.join(', ')
}

export function printImported(
  file: string,
  domain: string,
  { contents, warnings, newFolders }: ImportedDomain,
): void {
  console.log(`${file} -> ${domain}: ${contents}`)
  for (const folder of newFolders) console.error(`created the folder ${folder}`)
  printWarnings(file, warnings)
}

/** Tells of a file in a folder that is not imported, and why. */
export function printPassedOver(file: string, reason: string): void {
  console.log(`${file} is passed over: ${reason}`)
}

/** The most warnings of a file that have a line. @limit safety, warnings */
const MAX_WARNINGS = 100

export function printWarnings(file: string, warnings: readonly FileWarning[]): void {
  for (const { path, message } of warnings.slice(0, MAX_WARNINGS)) {
    console.error(`  warning: ${file}: ${withSubject(path, message)}`)
  }
  const others = warnings.length - MAX_WARNINGS
  if (others > 0) console.error(`  warning: ${file}: ${formatCount(others, 'more warning')}`)
}

/** The outcomes of the files, by their paths in the arguments or in a folder. */
export interface Outcomes {
  readonly imported: readonly string[]
  readonly replaced: readonly string[]
  readonly unchanged: readonly string[]
  readonly notHdf5: readonly string[]
  readonly failed: readonly string[]
  /** The imported, replaced and unchanged files that have losses. */
  readonly inPart: readonly string[]
}

export function formatOutcomes(files: number, outcomes: Outcomes): string {
  const { imported, replaced, unchanged, notHdf5, failed, inPart } = outcomes
  const counts = [
    [imported, 'imported'],
    [replaced, 'replaced'],
    [unchanged, 'unchanged'],
    [inPart, 'of these in part only'],
    [notHdf5, 'not HDF5'],
    [failed, 'failed'],
  ] as const
  const found = counts
    .filter(([names]) => names.length > 0)
    .map(([names, label]) => `${names.length} ${label}`)
  return [formatCount(files, 'file'), ...(found.length > 0 ? [found.join(', ')] : [])].join(': ')
}

/** The most files that the last line names. @limit safety, files */
const MAX_NAMED = 10

/** The first files; a line was printed for each of them before. */
export function formatFiles(files: readonly string[]): string {
  const others = files.length - MAX_NAMED
  return files.slice(0, MAX_NAMED).join(', ') + (others > 0 ? ` and ${others} more` : '')
}

/** The message after its subject, unless it begins or ends with the subject. */
export function withSubject(subject: string, message: string): string {
  return message.startsWith(subject) || message.endsWith(` ${subject}`) ? message : `${subject}: ${message}`
}

export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return power === 0
    ? formatCount(bytes, 'byte')
    : `${(bytes / 2 ** (10 * power)).toFixed(1)} ${units[power]}`
}

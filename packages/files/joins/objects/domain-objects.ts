// The objects of a joined domain: those of the first file, and those of others that the first one lacks. Of files along
// a dimension these are the joined datasets, with their groups and dimension scales; of a union they are all objects.

import { HyperslabError } from '@hyperslab/base/errors'
import type { FileAddress, JoinedDataset, JoinedObjects } from '@hyperslab/h5/reader'
import type { DomainPath } from '@hyperslab/model/names'
import type { JoinConflict } from '@hyperslab/store/store'
import { reportConflict } from '../conflicts.ts'
import type { JoinRules } from '../definition.ts'
import { type KnownByPath, type PlacedFile, placeUnwell } from '../places.ts'
import { type PlannedDataset, planJoin } from '../plan.ts'
import { type AddedObjects, addObjects, type FileWithObjects } from './added-objects.ts'

type Objects = FileWithObjects['objects']

export type ReadObjects = (file: PlacedFile) => Promise<Objects>

interface FittingFiles {
  readonly rules: JoinRules
  readonly known: KnownByPath
  readonly unwell: Map<DomainPath, HyperslabError>
}

/** The objects of the domain in which known files that do not fit any more have their places. */
export async function planFitting(
  readable: readonly PlacedFile[],
  { rules, known, unwell }: FittingFiles,
  objectsOf: ReadObjects,
) {
  for (;;) {
    const sources = placeUnwell(readable, unwell, known)
    const paths = sources.map(({ path }) => path)
    const conflicts: JoinConflict[] = []
    const planned = await planJoin(rules, sources, paths, conflicts)
    const objects = await domainObjects(rules, sources, planned, objectsOf, conflicts)
    if (conflicts.length === 0) return { sources, objects }
    for (const conflict of conflicts) {
      const path = readable.find(({ name }) => name === conflict.files.at(-1))?.path
      if (path === undefined || !known.has(path)) reportConflict(undefined, conflict)
      else unwell.set(path, new HyperslabError('file-unreadable', conflict.reason))
    }
  }
}

/**
 * The objects of the domain. Throws `file-unreadable` where the objects of two files contradict each other; with a list
 * for conflicts, it is added to them.
 */
export async function domainObjects<Source extends PlacedFile>(
  { along }: JoinRules,
  sources: readonly Source[],
  planned: ReadonlyMap<string, PlannedDataset<Source>>,
  objectsOf: ReadObjects,
  conflicts?: JoinConflict[],
): Promise<JoinedObjects> {
  const readable = sources.filter(({ failure }) => !failure)
  const [first] = readable
  const owners = new Set([...planned.values()].map(({ source }) => source))
  const adding = readable.filter(source => along.kind === 'union' || source === first || owners.has(source))
  if (adding.length <= 1) return { datasets: addressed(planned, ({ address }) => address) }
  const files: FileWithObjects[] = []
  for (const source of adding) {
    const objects = await objectsOf(source)
    const wanted = along.kind !== 'union' && { wanted: wantedOf(source, planned, objects) }
    files.push({ name: source.name, file: source.path, objects, ...wanted })
  }
  const added = await addObjects(files, along.kind === 'new' ? 1 : 0, conflicts)
  const addresses = addressesIn(added)
  const datasets = addressed(planned, ({ source, address }, path) => {
    if (source === first) return address
    const found = addresses.get(source.path)?.get(path)
    if (found !== undefined) return found
    const { name } = source
    const reason = `${name} has the dataset ${path}, and ${first.name} another object in its place`
    reportConflict(conflicts, { files: [first.name, name], object: path, reason })
    return undefined
  })
  return { datasets, added }
}

function addressed<Source extends PlacedFile>(
  planned: ReadonlyMap<string, PlannedDataset<Source>>,
  addressOf: (dataset: PlannedDataset<Source>, path: string) => FileAddress | undefined,
): JoinedObjects['datasets'] {
  const datasets = new Map<FileAddress, JoinedDataset>()
  for (const [path, dataset] of planned) {
    const address = addressOf(dataset, path)
    if (address !== undefined) datasets.set(address, dataset.joined)
  }
  return datasets
}

/** The paths of the datasets that a file has first, of their dimension scales, and of the groups of both. */
function wantedOf(
  source: PlacedFile,
  planned: ReadonlyMap<string, PlannedDataset>,
  objects: Objects,
): ReadonlySet<string> {
  const wanted = new Set<string>()
  const want = (path: string) => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) wanted.add(path.slice(0, end))
  }
  for (const { path, scales = [] } of objects.values()) {
    if (planned.get(path)?.source !== source) continue
    want(path)
    for (const scale of scales) {
      const scalePath = scale === undefined ? undefined : objects.get(scale)?.path
      // One along the dimension is joined itself.
      if (scalePath !== undefined && !planned.has(scalePath)) want(scalePath)
    }
  }
  return wanted
}

/** The addresses of added objects by path, of each file. */
function addressesIn({ objects }: AddedObjects): ReadonlyMap<string, ReadonlyMap<string, FileAddress>> {
  const addresses = new Map<string, Map<string, FileAddress>>()
  for (const [address, { file, path }] of objects) {
    const ofFile = addresses.get(file.name) ?? new Map<string, FileAddress>()
    addresses.set(file.name, ofFile.set(path, address))
  }
  return addresses
}

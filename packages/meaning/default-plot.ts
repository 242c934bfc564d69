// The dataset that a NeXus file, or a group of it, shows by default: the signal of the NXdata group, or the value of
// the NXlog, that attributes `default` lead to; where a group has no such attribute, that of the first NXdata in it,
// else the first NXentry, else the first NXprocess, that leads to one. Where no attribute leads to any, it is the first
// dataset in an NXdata that detectors name `data` or `data_000001`. The page and the pictures of the service both ask
// here.

/** The objects of a file, as far as the search looks at them. */
export interface PlotObjects<Item> {
  /** The same only for the same object. */
  idOf(item: Item): string
  kindOf(item: Item): 'group' | 'dataset' | 'datatype'
  /** The number of dimensions of a dataset; none with a null dataspace. */
  rankOf(dataset: Item): number
  /** The text of an attribute that is one string. */
  textOf(item: Item, attribute: string): Promise<string | undefined>
  hasAttribute(item: Item, attribute: string): Promise<boolean>
  /** The object at a path from a group or, with a slash at its beginning, from the root. Undefined: there is none. */
  at(group: Item, path: string): Promise<Item | undefined>
  /** The first links of a group in the order of their names. */
  links(group: Item, limit: number): AsyncIterable<PlotLink<Item>>
}

export interface PlotLink<Item> {
  readonly title: string
  /** It is a soft or an external link. */
  readonly isSymbolic: boolean
  /** Undefined: it leads to nothing that can be read. */
  find(): Promise<Item | undefined>
}

export interface DefaultPlot<Item> {
  readonly signal: Item
  /** The NXdata or NXlog that has it; undefined: the way leads to the dataset itself. */
  readonly group: Item | undefined
}

/**
 * The most links that are read for a default plot. A symbolic one counts for ten, because a file may have to be opened
 * for it, and so does a listed group, because a mounted file returns all links or none.
 * @limit safety, links
 */
const MAX_LINKS = 1000
const SYMBOLIC_LINK_COST = 10
const LISTING_COST = 10

/** Names that detectors give to their frames: in one dataset, or in the first of several files. */
const FRAMES = /^data(_0*1)?$/

/** Groups in which to look for a signal, the class that leads there first before the others. */
const CLASSES = ['NXdata', 'NXentry', 'NXprocess']

/** Undefined: nothing is shown by default. */
export function findDefaultPlot<Item>(
  objects: PlotObjects<Item>,
  start: Item,
): Promise<DefaultPlot<Item> | undefined> {
  return new Search(objects).find(start)
}

class Search<Item> {
  readonly #objects: PlotObjects<Item>
  readonly #visited = new Set<string>()
  #linksLeft = MAX_LINKS
  /** Frames of a detector that no attribute leads to, the first that were found. */
  #frames: DefaultPlot<Item> | undefined

  constructor(objects: PlotObjects<Item>) {
    this.#objects = objects
  }

  async find(start: Item): Promise<DefaultPlot<Item> | undefined> {
    return (await this.from(start)) ?? this.#frames
  }

  async from(item: Item): Promise<DefaultPlot<Item> | undefined> {
    const objects = this.#objects
    const kind = objects.kindOf(item)
    if (kind === 'dataset') return { signal: item, group: undefined }
    if (kind !== 'group' || this.#visited.has(objects.idOf(item))) return undefined
    this.#visited.add(objects.idOf(item))
    const signal = await this.#signalOf(item)
    if (signal) return { signal, group: item }
    const path = await objects.textOf(item, 'default')
    if (path !== undefined) {
      // It may lead into another file.
      this.#linksLeft -= SYMBOLIC_LINK_COST
      if (this.#linksLeft < 0) return undefined
      const next = await objects.at(item, path)
      return next && this.from(next)
    }
    for (const group of await this.#candidatesIn(item)) {
      const found = await this.from(group)
      if (found) return found
    }
    return undefined
  }

  /**
   * The dataset that the attribute `signal` of an NXdata names, or that has such an attribute itself, as older files
   * have it; or the values of an NXlog, if they have dimensions.
   */
  async #signalOf(group: Item): Promise<Item | undefined> {
    const objects = this.#objects
    const nxClass = await objects.textOf(group, 'NX_class')
    if (nxClass === 'NXlog') {
      const value = this.#datasetOnly(await objects.at(group, 'value'))
      return value && objects.rankOf(value) > 0 ? value : undefined
    }
    if (nxClass !== 'NXdata') return undefined
    const name = await objects.textOf(group, 'signal')
    if (name !== undefined) return this.#datasetOnly(await objects.at(group, name))
    for await (const { title, child } of this.#children(group)) {
      if (objects.kindOf(child) !== 'dataset') continue
      if (await objects.hasAttribute(child, 'signal')) return child
      if (FRAMES.test(title) && objects.rankOf(child) > 1) this.#frames ??= { signal: child, group }
    }
    return undefined
  }

  #datasetOnly(found: Item | undefined): Item | undefined {
    return found && this.#objects.kindOf(found) === 'dataset' ? found : undefined
  }

  async #candidatesIn(group: Item): Promise<readonly Item[]> {
    const groups = CLASSES.map((): Item[] => [])
    for await (const { child } of this.#children(group)) {
      if (this.#objects.kindOf(child) !== 'group') continue
      const position = CLASSES.indexOf((await this.#objects.textOf(child, 'NX_class')) ?? '')
      groups[position]?.push(child)
    }
    return groups.flat()
  }

  async *#children(group: Item): AsyncGenerator<{ readonly title: string; readonly child: Item }> {
    this.#linksLeft -= LISTING_COST
    if (this.#linksLeft < 0) return
    for await (const link of this.#objects.links(group, this.#linksLeft + 1)) {
      this.#linksLeft -= link.isSymbolic ? SYMBOLIC_LINK_COST : 1
      if (this.#linksLeft < 0) return
      const child = await link.find()
      if (child) yield { title: link.title, child }
    }
  }
}

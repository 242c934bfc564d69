// The dataset that a NeXus file shows by default; the rule is that of the page. Objects that the caller may not read
// are passed over.

import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import {
  type DefaultPlot,
  type PlotLink,
  type PlotObjects,
  findDefaultPlot as search,
  textsOf,
} from '@hyperslab/meaning/meaning'
import { extentsOf } from '@hyperslab/model/dataset'
import { readKnownAttributes } from '../attributes/known-attributes.ts'
import type { Context, OpenDomain } from '../context.ts'
import { type LocatedObject, locate, resultOrError, titlesOf } from '../links/paths.ts'

/** Signals are often links to the data of a detector, also in another file. */
const FOLLOWED = { soft: true, external: true }

/** The default plot; undefined: the domain is not a NeXus file, or none of its signals can be read. */
export async function findDefaultPlot(
  context: Context,
  domain: OpenDomain,
): Promise<DefaultPlot<LocatedObject> | undefined> {
  const start = { domain, object: domain.root }
  const found = await resultOrError(search(new LocatedObjects(context), start))
  return found instanceof HyperslabError ? undefined : found
}

class LocatedObjects implements PlotObjects<LocatedObject> {
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  idOf({ object }: LocatedObject): string {
    return object.id
  }

  kindOf({ object }: LocatedObject): LocatedObject['object']['kind'] {
    return object.kind
  }

  rankOf({ object }: LocatedObject): number {
    return object.kind === 'dataset' ? extentsOf(object.space).length : 0
  }

  async textOf({ object }: LocatedObject, name: string): Promise<string | undefined> {
    this.#context.signal.throwIfAborted()
    const [text, ...others] = textsOf(await readKnownAttributes(this.#context, object.id, [name]), name) ?? []
    return others.length === 0 ? text : undefined
  }

  async hasAttribute({ object }: LocatedObject, name: string): Promise<boolean> {
    return (await this.#context.reader.attribute(object.id, name)) !== undefined
  }

  at(group: LocatedObject, path: string): Promise<LocatedObject | undefined> {
    return this.#locate(group, () => titlesOf(path), path.startsWith('/'))
  }

  async *links(group: LocatedObject, limit: number): AsyncGenerator<PlotLink<LocatedObject>> {
    for await (const { target, title } of this.#context.reader.links(group.object.id, { limit })) {
      this.#context.signal.throwIfAborted()
      yield {
        title,
        isSymbolic: target.class !== 'H5L_TYPE_HARD',
        find: () => this.#locate(group, () => [title], false),
      }
    }
  }

  async #locate(
    { domain, object }: LocatedObject,
    titlesOfPath: () => readonly string[],
    isAbsolute: boolean,
  ): Promise<LocatedObject | undefined> {
    await nextTurn()
    const resolve = async () => {
      const titles = titlesOfPath()
      return locate(this.#context, domain, isAbsolute ? { titles } : { start: object.id, titles }, FOLLOWED)
    }
    const found = await resultOrError(resolve())
    return found instanceof HyperslabError ? undefined : found
  }
}

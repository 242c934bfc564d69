// The objects of a file: those that hard links reach from the root group, and the committed datatypes of its datasets.
// Datasets whose values cannot be read are left out, and reported.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { elementCount, isReferenceLayout } from '@hyperslab/model/dataset'
import { elementSize } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import { hasUnavailable } from '../filters/pipeline.ts'
import type { FileContext } from './file-context.ts'
import { READ_AHEAD } from './file-layout.ts'
import type { SourceDataset, SourceObject } from './source.ts'
import { DatasetValues, MAX_UNSEEN } from './values/datasets.ts'

export class FileObjects<Found extends SourceObject> {
  readonly #context: FileContext<Found>
  readonly #visit: (object: Found) => void

  constructor(context: FileContext<Found>, visit: (object: Found) => void) {
    this.#context = context
    this.#visit = visit
  }

  /** Adds all objects of the file to the table of the context, the root group first. */
  async find(root: ObjectId): Promise<void> {
    const { objects, remembered } = this.#context
    await remembered.readAhead([root])
    const found = await remembered.object(root)
    if (found) this.#visit(found)
    objects.add(root)
    objects.countReference(root)
    const groups = [root]
    for (let done = 0; done < groups.length; ) {
      const some = groups.slice(done, done + READ_AHEAD)
      await remembered.readLinksAhead(some)
      await this.#findMembers(some, groups)
      done += some.length
    }
  }

  /** Adds the targets of hard links of some groups; new groups to `groups`, too. */
  async #findMembers(some: readonly ObjectId[], groups: ObjectId[]): Promise<void> {
    let targets: ObjectId[] = []
    for (const group of some) {
      for await (const { target } of this.#context.remembered.links(group)) {
        if (isTurnOver()) await nextTurn()
        if (target.class === 'H5L_TYPE_HARD') targets.push(target.id)
        if (targets.length < READ_AHEAD) continue
        await this.#addObjects(targets, groups)
        targets = []
      }
    }
    await this.#addObjects(targets, groups)
  }

  /** Adds objects that hard links lead to. */
  async #addObjects(targets: readonly ObjectId[], groups: ObjectId[]): Promise<void> {
    const { objects, remembered } = this.#context
    this.#context.throwIfAborted()
    await remembered.readAhead(targets.filter(id => !objects.has(id)))
    for (const id of targets) {
      if (isTurnOver()) await nextTurn()
      if (!objects.has(id)) {
        const found = remembered.object(id)
        const object = found instanceof Promise ? await found : found
        if (!object) continue
        this.#visit(object)
        if (object.kind === 'dataset') {
          const writing = this.#isWritten(object)
          if (!(writing instanceof Promise ? await writing : writing)) continue
        }
        objects.add(id)
        if (object.kind === 'group') groups.push(id)
        if (object.kind === 'dataset') await this.#addType(object.committedType)
      }
      objects.countReference(id)
    }
  }

  /** A committed datatype that a dataset uses is in the file, whether a link leads to it or not. */
  async #addType(id: ObjectId | undefined): Promise<void> {
    const { objects, remembered } = this.#context
    if (id === undefined || objects.has(id)) return
    const type = await remembered.object(id)
    if (!type) return
    this.#visit(type)
    objects.add(id)
  }

  /** False: the values of the dataset cannot be read, and it is left out. */
  #isWritten(dataset: SourceDataset): boolean | Promise<boolean> {
    const { source, signal, remembered } = this.#context
    const { unreadable, creationProperties } = dataset
    const { layout } = creationProperties
    if (unreadable !== undefined) return this.#leaveOut(dataset, unreadable)
    if (isReferenceLayout(layout)) {
      return this.#leaveOut(dataset, `its values are in other files (layout ${layout})`)
    }
    const areHere = remembered.known(dataset.id)?.areValuesHere
    const looking = areHere ? undefined : source.requireValues(dataset, signal)
    if (looking) return this.#isReadable(dataset, looking)
    return this.#isProbed(dataset) ? this.#isReadable(dataset) : true
  }

  /**
   * Whether some of the values are read first, because their loss would interrupt a file of which much has been sent,
   * or because that is requested.
   */
  #isProbed(dataset: SourceDataset): boolean {
    const { space, type } = dataset
    const isLong = elementCount(space) * elementSize(type) > MAX_UNSEEN
    const mayBeUndecodable = hasUnavailable(dataset.creationProperties.filters)
    return isLong || this.#context.skipsUnreadable || mayBeUndecodable
  }

  /** `looking`: whether all of the values are there. */
  async #isReadable(dataset: SourceDataset, looking?: Promise<void>): Promise<boolean> {
    try {
      await looking
      // Values of other datasets may exceed the work limit of a read, which only a read can find.
      const isOfOthers = looking && dataset.creationProperties.layout !== 'H5D_CHUNKED'
      if (!looking || isOfOthers || this.#isProbed(dataset)) {
        await new DatasetValues(this.#context, dataset).probe()
      }
      return true
    } catch (error) {
      if (!(error instanceof HyperslabError) || error.code !== 'values-unreadable') throw error
      if (error.cause instanceof HyperslabError) return this.#leaveOut(dataset, error.cause.message)
      await this.#context.leaveOut(dataset.id, { subject: 'the dataset is', reason: error })
      return false
    }
  }

  async #leaveOut({ id }: SourceDataset, problem: string): Promise<boolean> {
    const reason = new HyperslabError('values-unreadable', `the values cannot be read: ${problem}`)
    await this.#context.leaveOut(id, { subject: 'the dataset is', reason })
    return false
  }
}

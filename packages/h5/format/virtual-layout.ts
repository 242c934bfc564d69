// The mappings of a virtual dataset (III.F): an object of the global heap, in which each mapping names a dataset, of
// this file or of another, and maps elements of it to elements of the virtual dataset. Version 1, of HDF5 2.0, names
// the same file and names that occur again by their number.

import { checkChecksum } from './checksum.ts'
import { FieldReader, type Widths } from './field-reader.ts'
import { decodeSelection, type FileSelection } from './selection.ts'

export interface VirtualMapping {
  /** Bytes of the names, without their NUL. */
  readonly file: Uint8Array
  readonly dataset: Uint8Array
  /** The selection in the source dataset. */
  readonly source: FileSelection
  /** The selection in the virtual dataset. */
  readonly target: FileSelection
}

const STRUCTURE = 'the list of virtual mappings'

/** Blocks that one selection may list: some 0.1 s. @limit safety, blocks */
const MAX_BLOCKS = 2 ** 18

/** Two names of a byte, and two selections. */
const LEAST_SIZE = 2 + 2 * 16

const FILE_OF_ANOTHER = 1
const DATASET_OF_ANOTHER = 2
const SAME_FILE = 4

const THIS_FILE = Uint8Array.of('.'.charCodeAt(0))

/**
 * A step for each mapping, since there may be very many. `bytes`: the object of the heap; `address`: of its collection.
 */
export function* decodeVirtualMappings(
  bytes: Uint8Array,
  widths: Widths,
  address: number,
): Generator<void, readonly VirtualMapping[]> {
  const fields = new FieldReader(bytes, widths, STRUCTURE, address)
  const version = fields.version([0, 1])
  const mappings: VirtualMapping[] = []
  const before = (): VirtualMapping => {
    const number = fields.length()
    if (number >= mappings.length)
      throw fields.error(`a mapping takes its name from mapping ${number}, which is not an earlier one`)
    return mappings[number]
  }
  const count = fields.length()
  if (count * (LEAST_SIZE - 2) > fields.left) throw fields.error(`${count} mappings do not fit into it`)
  while (mappings.length < count) {
    const flags = version === 1 ? fields.u8() : 0
    const file =
      flags & SAME_FILE ? THIS_FILE : flags & FILE_OF_ANOTHER ? before().file : fields.takeTerminated()
    const dataset = flags & DATASET_OF_ANOTHER ? before().dataset : fields.takeTerminated()
    const [source, target] = [decodeSelection(fields, MAX_BLOCKS), decodeSelection(fields, MAX_BLOCKS)]
    mappings.push({ file, dataset, source, target })
    yield
  }
  checkChecksum(fields)
  return mappings
}

// Door: what other packages use of model/selection.

export { type Bounds, boundsOf, joinBounds } from './selection/bounds.ts'
export { linearBoxes } from './selection/linear-boxes.ts'
export { partBox } from './selection/part-box.ts'
export { partsIn, planInSteps, planParts } from './selection/runs.ts'
export {
  allChunks,
  type ChunkBox,
  type ChunkGrid,
  type ChunkPart,
  chunkCounts,
  compareChunks,
  countInBox,
  type Hyperslab,
  type Lists,
  type Points,
  rowMajorStrides,
  type Selection,
  selectionCount,
  selectionShape,
} from './selection/selection.ts'
export { splitSelection, withPositions } from './selection/split.ts'

// Door: what other packages use of model/selection.

export { type Bounds, boundsOf, joinBounds } from './selection/bounds.ts'
export { locator, rankOf } from './selection/coordinates.ts'
export { linearBoxes } from './selection/linear-boxes.ts'
export { parseHyperslab, parseSelect, parseSelectJson, parseStartStop } from './selection/parse.ts'
export { partBox } from './selection/part-box.ts'
export {
  type RangeItem,
  SELECT_ALL,
  type SelectionGrammar,
  type SelectionRequest,
} from './selection/request.ts'
export { resolveSelection } from './selection/resolve.ts'
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
  rowMajorStrides,
  type Selection,
  selectionCount,
  selectionShape,
} from './selection/selection.ts'
export { selectionParts } from './selection/selection-parts.ts'
export { splitSelection, withPositions } from './selection/split.ts'

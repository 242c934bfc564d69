// The drawings, in one part of the page.

export { ColumnPlot } from '../table/ColumnPlot.tsx'
export { ImageView } from './ImageView.tsx'
export { LineView } from './LineView.tsx'
export { MatrixView } from './MatrixView.tsx'
export { MapView } from './map/MapView.tsx'
export { RgbView } from './RgbView.tsx'
export { ScatterView } from './ScatterView.tsx'
export { RegionsView } from './special/RegionsView.tsx'
export { SequencesView } from './special/SequencesView.tsx'

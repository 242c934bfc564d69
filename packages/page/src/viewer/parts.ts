// The parts of the viewer: its frame with the tree, and the drawings. They are loaded at the same time, and the frame
// does not wait for the drawings.

import { Part } from '../common/part.ts'
import { DRAWINGS } from './drawings-part.ts'

export const VIEWER = new Part(async () => (await import('./Viewer.tsx')).Viewer)

/** Begins to load them, when a domain is opened, or is about to be. */
export function preloadViewer(): void {
  VIEWER.preload()
  DRAWINGS.preload()
}

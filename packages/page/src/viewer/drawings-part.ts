// The drawings, loaded at the same time as the viewer, whose frame does not wait for it.

import { Part } from '../common/part.ts'

export const DRAWINGS = new Part(() => import('./plots/drawings.ts'))

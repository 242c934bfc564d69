// What editing needs, loaded when it is turned on: a page that only shows data does not wait for it.

import { Part } from '../../common/part.ts'

export const TOOLS = new Part(() => import('./tools.ts'))

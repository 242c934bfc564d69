// The parts of a view that are there while editing is on.

import type { ReactNode } from 'react'
import { usePart } from '../../common/part.ts'
import { useViewer } from '../viewer-context.ts'
import { useEditing } from './editing.ts'
import { TOOLS } from './tools-part.ts'

type Tools = NonNullable<typeof TOOLS.loaded>

/** Undefined: editing is off, or not loaded yet. */
export function useTools(): Tools | undefined {
  const isOn = useEditing()?.isOn === true
  const tools = usePart(isOn ? TOOLS : undefined, useViewer().retry)
  return isOn ? tools : undefined
}

export function EditPart({ children }: { readonly children: (tools: Tools) => ReactNode }) {
  const tools = useTools()
  return tools ? children(tools) : null
}

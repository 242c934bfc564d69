// Editing of a domain by its owner: what the parts below it need, and the dialog that is open.

import './edit.css'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { usePart } from '../../common/part.ts'
import { useShortcut } from '../../common/shortcut.ts'
import { type Rights, rightsIn } from '../../shell/rights.ts'
import { useViewer } from '../viewer-context.ts'
import { type Editing, EditingContext, type EditRequest, type OpenRequest } from './editing.ts'
import type { Edit } from './edits.ts'
import { TOOLS } from './tools-part.ts'

interface EditorProps {
  /** False: nothing here can be changed. */
  readonly canEdit: boolean
  /** The path of the object that is shown. */
  readonly object: string
  readonly choose: (path: string) => void
  /** The objects have been changed; undefined: any may have. */
  readonly onChange: (ids: ReadonlySet<string> | undefined) => void
  readonly children: ReactNode
}

export function Editor({ canEdit, object, choose, onChange, children }: EditorProps) {
  const rights = useRights(canEdit)
  const { contents, retry } = useViewer()
  const [isOn, turn] = useState(false)
  const tools = usePart(isOn ? TOOLS : undefined, retry)
  const [dialog, setDialog] = useState<OpenRequest>()
  const latest = useRef({ object, choose, onChange })
  latest.current = { object, choose, onChange }
  // biome-ignore lint/correctness/useExhaustiveDependencies: other contents have other changes
  const edits = useMemo(
    () =>
      tools &&
      new tools.Edits((ids, move) => {
        const { object, choose, onChange } = latest.current
        onChange(ids)
        const next = tools.shownAfter(object, move)
        if (next !== object) choose(next)
      }),
    [tools, contents],
  )
  const open = useCallback((request: EditRequest, near: Element) => setDialog({ request, near }), [])
  const act = useCallback(
    (action: () => Promise<Edit>) => {
      action().then(
        edit => edits?.done(edit),
        (error: unknown) => edits?.failed(error),
      )
    },
    [edits],
  )
  const editing = useMemo<Editing | undefined>(
    () =>
      rights && {
        rights,
        isOn,
        turn,
        edits,
        open,
        act,
        isOwn: id => contents.domain.pathOf(id) === contents.domain.path,
      },
    [rights, isOn, edits, open, act, contents],
  )
  const undo = () => {
    // The note that says so is there while editing is on.
    if (isOn) void edits?.undo()
  }
  useShortcut('z', undo, { withControl: true })
  return (
    <EditingContext.Provider value={editing}>
      {children}
      {dialog && tools && edits ? (
        <tools.EditDialog {...dialog} edits={edits} close={() => setDialog(undefined)} />
      ) : null}
    </EditingContext.Provider>
  )
}

/** Undefined: not known yet, or none. */
function useRights(canEdit: boolean): Rights | undefined {
  const { session, contents } = useViewer()
  const { client, user, isOpen, share } = session
  const { path } = contents.domain
  const [rights, setRights] = useState<Rights>()
  useEffect(() => {
    if (!canEdit || share !== undefined) return
    const abort = new AbortController()
    void rightsIn({ client, user, isOpen }, path, abort.signal).then(found => {
      const hasAny = found?.create || found?.update || found?.delete
      if (!abort.signal.aborted) setRights(hasAny ? found : undefined)
    })
    return () => abort.abort()
  }, [canEdit, share, client, user, isOpen, path])
  return canEdit && share === undefined ? rights : undefined
}

// The dialog that is open in a folder: about the folder itself, or about some of its entries.

import type { Api } from '@hyperslab/client'
import { AccessTable } from '../account/AccessTable.tsx'
import { ShareDialog } from '../account/ShareDialog.tsx'
import { Dialog } from '../common/Dialog.tsx'
import { folderDomain, type Place } from '../shell/address.ts'
import type { Session } from '../shell/session.ts'
import { ItemDialog } from './ItemDialog.tsx'
import type { ItemAction } from './item-action.ts'
import { LoadedJoin } from './join/LoadedJoin.tsx'
import { NewFolder } from './NewFolder.tsx'

export interface OpenDialog {
  readonly action: 'new-folder' | 'folder-access' | 'join' | 'share' | ItemAction
  /** The entries that it is about. */
  readonly items: readonly Api.ListedDomain[]
  /** The button that opened it. */
  readonly near: Element
}

export interface FolderDialogProps {
  readonly session: Session
  readonly path: string
  /** The entries that are shown. */
  readonly rows: readonly Api.ListedDomain[]
  /** Undefined: none is open. */
  readonly dialog: OpenDialog | undefined
  readonly close: () => void
  readonly onChange: () => void
  readonly onAccess: () => void
  readonly go: (place: Place) => void
}

export function FolderDialog(props: FolderDialogProps) {
  const { session, path, rows, dialog, close, onChange, onAccess, go } = props
  if (dialog === undefined) return null
  const { action, items, near } = dialog
  switch (action) {
    case 'new-folder':
      return <NewFolder session={session} parent={path} near={near} close={close} onDone={onChange} />
    case 'folder-access': {
      const closeAccess = () => {
        close()
        onAccess()
      }
      return (
        <Dialog title={`Access to ${path}`} near={near} close={closeAccess}>
          <AccessTable session={session} path={folderDomain(path)} />
        </Dialog>
      )
    }
    case 'join':
      return <LoadedJoin {...{ session, rows, near, close, go }} folder={path} selected={items} />
    case 'share':
      return <ShareDialog session={session} path={items[0]?.name ?? path} near={near} close={close} />
    default:
      return <ItemDialog {...{ session, action, items, near, close, onChange }} />
  }
}

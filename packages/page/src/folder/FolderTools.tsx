// The tools above the entries of a folder: the filter, the count, and the actions on the folder or on selected entries.

import { useRef } from 'react'
import { Icon, type IconName } from '../common/Icon.tsx'
import type { OpenDialog } from './FolderDialog.tsx'
import type { FolderModel } from './model.ts'
import { chosenFiles, type DroppedFile } from './uploads/dropped-files.ts'

export interface FolderToolsProps {
  readonly folder: FolderModel
  readonly filter: string
  readonly setFilter: (filter: string) => void
  readonly hasPictures: boolean
  readonly setPictures: (hasPictures: boolean) => void
  /** The list may be old. */
  readonly isLost: boolean
  /** Opens a dialog about the folder, or about the selected entries. */
  readonly open: (action: OpenDialog['action'], near: Element) => void
  /** Selects nothing. */
  readonly clear: () => void
  readonly upload: (files: readonly DroppedFile[]) => void
}

export function FolderTools(props: FolderToolsProps) {
  const { folder, filter, setFilter, isLost } = props
  return (
    <div className="tools">
      <span className="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Filter by name"
          placeholder="Filter by name"
          value={filter}
          onChange={event => setFilter(event.target.value)}
        />
        <kbd className="wide">/</kbd>
      </span>
      <span className="muted" role="status">
        {folder.count}
      </span>
      {isLost ? (
        <span className="badge bad" role="status">
          Connection lost: the list may be old
        </span>
      ) : null}
      {folder.selected.length > 0 && (folder.changes || folder.joins) ? (
        <SelectionBar {...props} />
      ) : (
        <FolderButtons {...props} />
      )}
    </div>
  )
}

function FolderButtons({ folder, hasPictures, setPictures, open, upload }: FolderToolsProps) {
  return (
    <span className="buttons">
      {folder.invitation === undefined ? null : <span className="muted wide">{folder.invitation}</span>}
      {folder.reason === undefined ? null : <span className="muted">{folder.reason}</span>}
      <button
        type="button"
        aria-label="Pictures"
        aria-pressed={hasPictures}
        onClick={() => setPictures(!hasPictures)}
      >
        <Icon name="picture" />
        <span className="wide">Pictures</span>
      </button>
      {folder.hasAccess ? (
        <button
          type="button"
          aria-label="Access"
          onClick={({ currentTarget }) => open('folder-access', currentTarget)}
        >
          <Icon name="access" />
          <span className="wide">Access</span>
        </button>
      ) : null}
      {folder.joins ? <JoinButton open={open} /> : null}
      {folder.takesFiles ? (
        <>
          <button type="button" onClick={({ currentTarget }) => open('new-folder', currentTarget)}>
            <Icon name="plus" />
            New folder
          </button>
          <UploadButton upload={upload} />
        </>
      ) : null}
    </span>
  )
}

const SELECTION_ACTIONS = [
  ['access', 'Access'],
  ['move', 'Move'],
  ['delete', 'Delete'],
] as const satisfies readonly (readonly [IconName, string])[]

/** Actions on the selected rows. */
function SelectionBar({ folder, open, clear }: FolderToolsProps) {
  return (
    <span className="buttons" role="toolbar" aria-label="Selected entries">
      <strong>{folder.selected.length} selected</strong>
      {folder.joins ? <JoinButton open={open} /> : null}
      {folder.changes
        ? SELECTION_ACTIONS.map(([action, text]) => (
            <button
              key={action}
              type="button"
              className={action === 'delete' ? 'dangerous' : undefined}
              onClick={({ currentTarget }) => open(action, currentTarget)}
            >
              <Icon name={action} />
              {text}
            </button>
          ))
        : null}
      <button type="button" className="quiet" aria-label="Select nothing" onClick={clear}>
        <Icon name="close" />
      </button>
    </span>
  )
}

function JoinButton({ open }: Pick<FolderToolsProps, 'open'>) {
  return (
    <button type="button" onClick={({ currentTarget }) => open('join', currentTarget)}>
      <Icon name="join" />
      Join files
    </button>
  )
}

function UploadButton({ upload }: Pick<FolderToolsProps, 'upload'>) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept=".h5,.hdf5,.he5,.hdf,.nc,.nc4,.cdf,.nxs,.mat"
        onChange={({ currentTarget }) => {
          upload(chosenFiles(currentTarget.files ?? new DataTransfer().files))
          currentTarget.value = ''
        }}
      />
      <button type="button" className="primary" onClick={() => input.current?.click()}>
        <Icon name="upload" />
        Upload files
      </button>
    </>
  )
}

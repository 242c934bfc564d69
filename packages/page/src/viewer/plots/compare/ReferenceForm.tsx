// The fields that choose another dataset: its path, and that of its file where it is another one of the service.

import { useId, useState } from 'react'
import type { Reference } from '../../view-address.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import { filesIn, groupOf, pathsIn } from './completion.ts'
import { useContentsOf } from './use-compared.ts'

export function ReferenceForm({ add }: { readonly add: (reference: Reference) => void }) {
  const { contents, version } = useViewer()
  const contentsOf = useContentsOf()
  const [path, setPath] = useState('')
  const [file, setFile] = useState('')
  const [pathsId, filesId] = [useId(), useId()]
  const { path: own } = contents.domain
  const [of, group, folder] = [file.trim() || own, groupOf(path), groupOf(file.trim() || own)]
  // What cannot be listed offers nothing: the path may be right all the same.
  const { value: paths = [] } = useLoaded(
    () => pathsIn(contentsOf(of), group).catch(() => []),
    [JSON.stringify([of, group]), version],
  )
  const { value: files = [] } = useLoaded(
    signal => filesIn(contents.client, folder, signal).catch(() => []),
    [folder],
  )
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (path.trim() === '') return
        const whole = path.startsWith('/') ? path.trim() : `/${path.trim()}`
        add(file.trim() === '' || file.trim() === own ? [whole] : [whole, file.trim()])
        setPath('')
        event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
      }}
    >
      <label>
        Dataset
        <input list={pathsId} value={path} placeholder="/" onChange={event => setPath(event.target.value)} />
      </label>
      <label>
        File
        <input
          list={filesId}
          value={file}
          placeholder={own}
          onChange={event => setFile(event.target.value)}
        />
      </label>
      <Options id={pathsId} texts={paths} />
      <Options id={filesId} texts={files} />
      <button type="submit" disabled={path.trim() === ''}>
        Add
      </button>
    </form>
  )
}

function Options({ id, texts }: { readonly id: string; readonly texts: readonly string[] }) {
  return (
    <datalist id={id}>
      {texts.map(text => (
        <option key={text}>{text}</option>
      ))}
    </datalist>
  )
}

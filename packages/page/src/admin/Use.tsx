// The use of the store, by folder or owner, going down into folders; and the quotas, which are set and removed here.

import type { Api } from '@hyperslab/client'
import { useCallback } from 'react'
import { Age } from '../common/Age.tsx'
import { messageOf } from '../common/errors.ts'
import { formatSize } from '../common/format.ts'
import { Link } from '../common/Link.tsx'
import { Skeleton } from '../common/Skeleton.tsx'
import { TryAgain } from '../common/TryAgain.tsx'
import { useLoaded } from '../common/use-loaded.ts'
import { folderDomain, nameOf, type Place, parentsOf } from '../shell/address.ts'
import { MoreLink } from './MoreLink.tsx'
import { type AdminPartProps, placeOf } from './parts.ts'
import { Quotas } from './Quotas.tsx'

type Grouping = Api.Usage['by']

export function Use(props: AdminPartProps) {
  const { session, query, go } = props
  const { client } = session
  const folder = query.get('folder') ?? '/'
  const by = query.get('by') === 'owner' ? 'owner' : 'folder'
  const after = query.get('after') ?? ''
  const load = useCallback(
    (signal: AbortSignal) =>
      client.request('GET /usage', { folder, by, ...(after && { Marker: after }) }, { signal }),
    [client, folder, by, after],
  )
  const { value: usage, retry } = useLoaded(client, load)
  const place = (path: string, grouping: Grouping = by) =>
    placeOf('use', [
      ['folder', path === '/' ? '' : path],
      ['by', grouping === 'folder' ? '' : grouping],
    ])
  return (
    <>
      <Ways {...{ folder, by, place, go }} />
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      {usage === undefined && retry.failure === undefined ? <Skeleton rows={3} /> : null}
      {usage === undefined ? null : (
        <>
          <p>
            {usage.total.domains} {usage.total.domains === 1 ? 'file' : 'files'},{' '}
            {formatSize(usage.total.bytes)}, {usage.total.objects} objects.
            {usage.mounted
              ? ' Files that are served where they are take no room here, and are not counted.'
              : ''}
          </p>
          {usage.items.length === 0 ? null : <UsageTable {...{ usage, place, go }} />}
          {usage.next === undefined ? null : <MoreLink part="use" query={query} after={usage.next} go={go} />}
        </>
      )}
      <Quotas session={session} folder={folder} />
    </>
  )
}

interface WayProps extends Pick<AdminPartProps, 'go'> {
  /** The place of the use of a folder, by the same sums or others. */
  readonly place: (path: string, grouping?: Grouping) => Place
}

/** The way to the folder, and the sums to choose from. */
function Ways({ folder, by, place, go }: WayProps & { readonly folder: string; readonly by: Grouping }) {
  return (
    <>
      <nav aria-label="Folders" className="way">
        {[{ name: 'All', path: '/' }, ...parentsOf(folder)].map(({ name, path }, i, all) => (
          <Link key={path} to={place(folderDomain(path))} go={go} isCurrent={i === all.length - 1}>
            {name}
          </Link>
        ))}
      </nav>
      <nav aria-label="Sums" className="way">
        <Link to={place(folder, 'folder')} go={go} isCurrent={by === 'folder'}>
          By folder
        </Link>
        <Link to={place(folder, 'owner')} go={go} isCurrent={by === 'owner'}>
          By owner
        </Link>
      </nav>
    </>
  )
}

function UsageTable({ usage, place, go }: WayProps & { readonly usage: Api.Usage }) {
  return (
    <div className="scroll">
      <table className="access use">
        <thead>
          <tr>
            <th scope="col">{usage.by === 'owner' ? 'Owner' : 'Name'}</th>
            <th scope="col" className="number">
              Size
            </th>
            <th scope="col" className="number wide">
              Objects
            </th>
            <th scope="col" className="number">
              Files
            </th>
            <th scope="col" className="wide">
              Last change
            </th>
          </tr>
        </thead>
        <tbody>
          {usage.items.map(item => (
            <UsageRow key={item.name ?? item.owner ?? ''} {...{ item, place, go }} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function UsageRow({ item, place, go }: WayProps & { readonly item: Api.UsageItem }) {
  const { name, class: kind, owner, bytes, objects, domains, last_modified: time } = item
  const to: Place =
    kind === 'folder' ? place(folderDomain(name ?? '/')) : { kind: 'domain', path: name ?? '/', object: '/' }
  return (
    <tr>
      <th scope="row">
        {name === undefined ? (
          (owner ?? 'nobody')
        ) : (
          <Link to={to} go={go}>
            {nameOf(name)}
            {kind === 'folder' ? '/' : ''}
          </Link>
        )}
      </th>
      <td className="number">{formatSize(bytes)}</td>
      <td className="number wide">{objects}</td>
      <td className="number">{domains}</td>
      <td className="wide">{time === undefined ? null : <Age time={Date.parse(time) / 1000} />}</td>
    </tr>
  )
}

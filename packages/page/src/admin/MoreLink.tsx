// The link to the rest of a long list.

import { Link } from '../common/Link.tsx'
import type { AdminPart } from '../shell/address.ts'
import { type AdminPartProps, placeOf } from './parts.ts'

export interface MoreLinkProps extends Pick<AdminPartProps, 'query' | 'go'> {
  readonly part: AdminPart
  /** The position of the rest. */
  readonly after: string
}

export function MoreLink({ part, query, after, go }: MoreLinkProps) {
  return (
    <p>
      <Link
        to={placeOf(part, [...[...query].filter(([name]) => name !== 'after'), ['after', after]])}
        go={go}
      >
        Show the next ones
      </Link>
    </p>
  )
}

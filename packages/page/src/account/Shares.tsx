// The addresses by which the user shares domains and folders with people without an account.

import { OwnRows, useOwnList } from './OwnRows.tsx'
import { SHARES } from './own-lists.ts'
import type { AccountPartProps } from './part-props.ts'

export function Shares({ session }: AccountPartProps) {
  return (
    <>
      <p>Addresses by which people see a domain or folder without a login. “Share” at a domain makes one.</p>
      <OwnRows {...useOwnList(session, SHARES)} />
    </>
  )
}

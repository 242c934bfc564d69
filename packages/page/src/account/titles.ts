// The parts of an account as the page calls them.

import type { AccountPart } from '../shell/address.ts'

export const ACCOUNT_TITLES: Readonly<Record<AccountPart, string>> = {
  password: 'Password',
  sessions: 'Sessions',
  tokens: 'Tokens',
  shares: 'Shares',
}

// The settings of a service that is open to the world: `--public` gives these other defaults. Each can be set itself.

import type { SettingName } from './table.ts'

/** A person at a desk stays far below the budget; a crawler or a script in a loop does not. */
export const PUBLIC_DEFAULTS: Readonly<Partial<Record<SettingName, string>>> = {
  defaultAcl: 'read,readACL',
  newDomains: 'authenticated',
  noauthWrites: 'false',
  robots: 'pages',
  budget: 'anonymous requests=600 bytes=50G seconds=600 listeners=20 running=16',
}

// The settings of a service that is open until its first account is made (docs/decisions/098).

import { PERMISSIONS } from '../../hdf5/acl.ts'
import { isLoopbackHost } from '../../hdf5/domain-path.ts'
import type { Settings } from './config.ts'

type OpeningSettings = Pick<Settings, 'host' | 'defaultAcl' | 'newDomains' | 'allowNoauth' | 'publicUrl'>

/**
 * Whether callers may do everything until the first account is made: no setting takes anything from others, or says
 * that they come from elsewhere.
 */
export function isOpenUntilAccounts(settings: OpeningSettings): boolean {
  const { host, defaultAcl, newDomains, allowNoauth, publicUrl } = settings
  const allowsAll = PERMISSIONS.every(permission => defaultAcl[permission]) && newDomains === 'anyone'
  return isLoopbackHost(host) && allowsAll && allowNoauth && publicUrl === ''
}

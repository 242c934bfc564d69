// The login that the browser has at this service, in all of its tabs.

import { connectOnce, ENDPOINT } from '../shell/connect.ts'
import { type BrowserLogin, loginOf } from './login.ts'

/** The name of the channel between tabs of this service: others may be below other paths of the host. */
export const BROWSER_LOGINS = `hyperslab-logins ${ENDPOINT}`

/** The login of the browser's session, or of the share in the address. */
export function loginOfBrowser(): Promise<BrowserLogin> {
  return loginOf(connectOnce())
}

// The user whose requests the page sends, and the session of the service that keeps the login over reloads and in all
// tabs: a cookie, which the page does not see.

import type { Api, Hyperslab } from '@hyperslab/client'
import type { KeptPlaces } from '../kept/kept-places.ts'
import type { Contents } from '../viewer/data/contents.ts'
import { folderPath } from './address.ts'
import type { Relogin } from './relogin.ts'

export interface User {
  readonly name: string
  /** The name that an identity provider shows. */
  readonly displayName?: string | undefined
  /** Passes every permission check. */
  readonly isAdmin: boolean
}

/** The share by whose address the page was opened: it shows a domain or folder, and changes nothing. */
export interface Share {
  /** The path of the domain or folder. */
  readonly within: string
  /** The query of the address of the page, for the view that the share opens. */
  readonly view: string
  /** A time, as the service writes it. */
  readonly end: string
}

/** Whether the share shows the folder or domain at the path. */
export function isShown({ within }: Share, path: string): boolean {
  return folderPath(path).startsWith(folderPath(within))
}

/** The user that an answer about a login names. */
export function userOf({ username, isadmin, displayName }: Api.Login): User {
  return { name: username, displayName, isAdmin: isadmin }
}

export interface Session {
  /** Undefined: no user has logged in. */
  readonly user: User | undefined
  /** Present: nobody can log in, because the service ignores logins below the address of a share. */
  readonly share?: Share | undefined
  readonly client: Hyperslab
  /** False: nobody can log in, since the service has no accounts. */
  readonly hasAccounts: boolean
  /** Everybody may do everything, since the service has no accounts and serves this machine only. */
  readonly isOpen: boolean
  readonly relogin: Relogin
  /** Undefined: the page of a share keeps none. */
  readonly kept: KeptPlaces | undefined
  /** The contents of a domain that the page requested before it was drawn, when they are asked for first. */
  readonly takeContents: (path: string) => Contents | undefined
}

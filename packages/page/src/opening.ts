// The first requests of the page, sent while the rest of its program is still loaded: whose session the browser has,
// and of the address of a domain the chosen object, the groups above it and their members.

import { BROWSER_LOGINS, loginOfBrowser } from './account/browser-login.ts'
import { LoginModel } from './account/login.ts'
import type { Place } from './shell/address.ts'
import { connect } from './shell/connect.ts'
import { Contents, pathsTo } from './viewer/data/contents.ts'

export interface Opening {
  readonly login: LoginModel
  /** The contents of the domain of the address, once and for the login of the first requests: later they may be old. */
  readonly takeContents: (path: string) => Contents | undefined
}

/** `hasTree`: the members of the groups above the object are shown too. */
export function open(place: Place, hasTree: boolean): Opening {
  const login = new LoginModel(loginOfBrowser, () => new BroadcastChannel(BROWSER_LOGINS))
  void login.begin(loginOfBrowser())
  let contents = place.kind === 'domain' ? new Contents(connect(login.relogin), place.path) : undefined
  if (contents && place.kind === 'domain') request(contents, place.object, hasTree)
  return {
    login,
    takeContents(path) {
      const taken = contents
      contents = undefined
      return taken?.domain.path === path && login.relogin.changes === 0 ? taken : undefined
    },
  }
}

function request(contents: Contents, object: string, hasTree: boolean): void {
  for (const path of [...pathsTo(object), object]) {
    // Those that show it see the error.
    contents.at(path).catch(() => undefined)
    if (hasTree && path !== object) contents.members(path)
  }
}

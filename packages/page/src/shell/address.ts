// The place in the address of the page: a folder, a domain and perhaps an object in it, or a part of the user's
// account. Names may have any characters.

export type Place =
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 'domain'
      readonly path: string
      readonly object: string
      /** How the viewer shows the object, as a query (`viewer/view-address.ts`); absent: as it chooses. */
      readonly view?: string
    }
  | { readonly kind: 'account'; readonly part: AccountPart }
  /** A part of the page for administrators; `view` is what it shows, as a query (`admin/`). */
  | { readonly kind: 'admin'; readonly part: AdminPart; readonly view?: string }
  /** The first account of the service is made; the code is in the fragment of the address. */
  | { readonly kind: 'first-account' }

/** The parts of an account, in the order of the page: their names in addresses. */
export const ACCOUNT_PARTS = ['password', 'sessions', 'tokens', 'shares'] as const
/** The parts of the page for administrators. */
export const ADMIN_PARTS = ['users', 'logins', 'use', 'requests', 'changes', 'health'] as const
export type AdminPart = (typeof ADMIN_PARTS)[number]

/** The service prints the address with this word when it starts. */
const FIRST_ACCOUNT = 'first'
export type AccountPart = (typeof ACCOUNT_PARTS)[number]

/** A folder, or a domain with the objects in it. */
export type DataPlace = Extract<Place, { readonly path: string }>

export function isOfData(place: Place): place is DataPlace {
  return 'path' in place
}

/** The place that the query of an address names; without one, the top. */
export function parsePlace(search: string): Place {
  const query = new URLSearchParams(search)
  const domain = query.get('domain')
  if (domain !== null) {
    const object = query.get('path') ?? '/'
    query.delete('domain')
    query.delete('path')
    const view = query.toString()
    return { kind: 'domain', path: domain, object, ...(view !== '' && { view }) }
  }
  const admin = ADMIN_PARTS.find(part => part === query.get('admin'))
  if (admin !== undefined) {
    query.delete('admin')
    return { kind: 'admin', part: admin, ...(query.size > 0 && { view: query.toString() }) }
  }
  const account = query.get('account')
  // Addresses of an earlier version.
  if (account === 'users') return { kind: 'admin', part: 'users' }
  const part = ACCOUNT_PARTS.find(part => part === account)
  if (part !== undefined) return { kind: 'account', part }
  if (account === FIRST_ACCOUNT) return { kind: 'first-account' }
  return { kind: 'folder', path: folderPath(query.get('folder') ?? '/') }
}

/** The address of a place, relative to the page, which may have been shown at the root of the service. */
export function formatPlace(place: Place): string {
  const query = new URLSearchParams()
  if (place.kind === 'folder') {
    if (place.path !== '/') query.set('folder', place.path)
  } else if (place.kind === 'account') query.set('account', place.part)
  else if (place.kind === 'first-account') query.set('account', FIRST_ACCOUNT)
  else if (place.kind === 'admin') {
    query.set('admin', place.part)
    for (const [name, value] of new URLSearchParams(place.view)) query.set(name, value)
  } else {
    query.set('domain', place.path)
    if (place.object !== '/') query.set('path', place.object)
    for (const [name, value] of new URLSearchParams(place.view)) query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? 'ui' : `ui?${text}`
}

/** Begins and ends with a slash. */
export function folderPath(path: string): string {
  return `/${path.split('/').filter(Boolean).join('/')}/`.replace('//', '/')
}

/** The folders on the way to a folder or domain, from the top: their names and paths. */
export function parentsOf(path: string): readonly { readonly name: string; readonly path: string }[] {
  const names = path.split('/').filter(Boolean)
  return names.map((name, i) => ({ name, path: `/${names.slice(0, i + 1).join('/')}/` }))
}

/** The path of a folder as requests about it have it: without the slash at its end. */
export function folderDomain(path: string): string {
  return path === '/' ? path : path.replace(/\/$/, '')
}

export function nameOf(path: string): string {
  return path.split('/').filter(Boolean).at(-1) ?? '/'
}

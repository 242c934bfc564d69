// The page around its places, without drawing it: what is known of a place, where the page goes on to, and what its
// head says.

import { type Hyperslab, RequestError } from '@hyperslab/client'
import {
  type DataPlace,
  folderDomain,
  folderPath,
  isOfData,
  nameOf,
  type Place,
  parentsOf,
  parsePlace,
} from './address.ts'
import { isShown, type Share, type User } from './session.ts'

export interface PlaceFacts {
  /** `forbidden`: not for this user, or not without a login; `missing`: nothing is there. */
  readonly kind: 'folder' | 'domain' | 'forbidden' | 'missing'
  /** Files that are served where they are, or a domain that is made of such files: no request changes what is in it. */
  readonly isMounted: boolean
  /** The domain is made of many files. */
  readonly isJoined?: true
  /** The reason why a part of the file cannot be read. */
  readonly damage?: string | undefined
}

export type Problem = PlaceFacts & { readonly kind: 'forbidden' | 'missing' }

export function isProblem(facts: PlaceFacts | undefined): facts is Problem {
  return facts?.kind === 'forbidden' || facts?.kind === 'missing'
}

const PROBLEMS: Readonly<Record<number, Problem['kind']>> = {
  403: 'forbidden',
  404: 'missing',
  410: 'missing',
}

/** The problem that a place has by an answer to a request of it; undefined: the answer says nothing of the place. */
export function problemOf(error: unknown): Problem['kind'] | undefined {
  return error instanceof RequestError ? PROBLEMS[error.status] : undefined
}

/** Entries of the top level that are looked at. */
const TOP_ENTRIES = 100

/** Facts about the folder or domain at a path. Throws while the service cannot say. */
export async function placeFacts(
  client: Pick<Hyperslab, 'request'>,
  path: string,
  signal: AbortSignal,
): Promise<PlaceFacts> {
  try {
    const parameters = { domain: path, ...(path === '/' && { Limit: TOP_ENTRIES }) }
    const answer = await client.request('GET /', parameters, { signal })
    // The top level has no description of its own. It is mounted if a file in it is: other mounts are folders.
    const isMounted =
      'domains' in answer
        ? answer.domains.some(entry => entry.class === 'domain' && entry.mounted)
        : ('mounted' in answer && answer.mounted === true) || isJoined(answer)
    const damage = 'damage' in answer ? answer.damage : undefined
    const kind = 'root' in answer ? 'domain' : 'folder'
    return { kind, isMounted, damage, ...(isJoined(answer) && { isJoined: true }) }
  } catch (error) {
    const kind = problemOf(error)
    if (kind === undefined) throw error
    return { kind, isMounted: false }
  }
}

/** One whose files cannot be joined now has no number of them. */
function isJoined(answer: object): boolean {
  return 'joined' in answer || 'num_files' in answer
}

/** The path of a folder or domain as requests have it; undefined: the place is none. */
export function domainOf(place: Place): string | undefined {
  return isOfData(place) ? folderDomain(place.path) : undefined
}

/** Empty: the place is no folder and no domain. */
export function pathOf(place: Place): string {
  return isOfData(place) ? place.path : ''
}

/** Whether code and a file of the place are offered: of a domain that is there and that the user may read. */
export function hasActions(
  place: Place,
  facts: PlaceFacts | undefined,
): place is Extract<Place, { readonly kind: 'domain' }> {
  return place.kind === 'domain' && facts?.kind === 'domain'
}

export interface NextPlace {
  readonly place: Place
  /** The share does not show the place of the address: nothing of it is drawn. */
  readonly isElsewhere: boolean
}

export interface PlaceState {
  readonly place: Place
  /** The query of the address. */
  readonly search: string
  readonly share: Share | undefined
  /** Undefined: not known yet. */
  readonly facts: PlaceFacts | undefined
}

/** The place that the page shows for the one in the address; undefined: that one. */
export function nextPlace({ place, search, share, facts }: PlaceState): NextPlace | undefined {
  // The page itself has no place in its address.
  if (share && search === '' && (!isOfData(place) || !isShown(share, place.path)))
    return { place: parsePlace(`?${share.view}`), isElsewhere: true }
  // The address of a folder shows it.
  if (place.kind === 'domain' && facts?.kind === 'folder')
    return { place: { kind: 'folder', path: folderPath(place.path) }, isElsewhere: false }
  return undefined
}

/** The folder above, for the place where the way does not fit. */
export function upFrom(place: Place): Place {
  if (!isOfData(place)) return { kind: 'folder', path: '/' }
  const parents = parentsOf(place.path)
  return { kind: 'folder', path: folderPath(parents.at(-2)?.path ?? '/') }
}

const PART_TITLES = {
  account: 'Account',
  admin: 'Administration',
  'first-account': 'First account',
} as const

/** The name of a place that is none of data. */
export function partTitle({ kind }: Exclude<Place, DataPlace>): string {
  return PART_TITLES[kind]
}

/** The names of the place, for the title of the tab. */
export function titleOf(place: Place): string {
  if (!isOfData(place)) return `${partTitle(place)} – Hyperslab`
  const object = place.kind === 'domain' && place.object !== '/' ? [nameOf(place.object)] : []
  const names = place.path === '/' ? [] : [...object, nameOf(place.path)]
  return [...names, 'Hyperslab'].join(' – ')
}

export interface HeadFacts {
  readonly isReadOnly: boolean
  readonly isJoined: boolean
  /** The share that the page shows. */
  readonly share: Share | undefined
  readonly hasAccounts: boolean
  readonly isOpen: boolean
}

export interface HeadBadge {
  readonly text: string
  readonly note: string
  /** The page of the guide that has more. */
  readonly page: string
  /** Where to go from it. */
  readonly way?: { readonly text: string; readonly to: Place }
}

/** What the head says of the service and of the place. A share says neither. */
export function headBadges(facts: HeadFacts): readonly HeadBadge[] {
  const { isReadOnly, isJoined, share, hasAccounts, isOpen } = facts
  if (share) return []
  const readOnly = isJoined
    ? {
        text: 'Read only',
        note: 'Many files are read as this one. They are served where they are: the page cannot change them.',
        page: 'joined-files',
      }
    : {
        text: 'Read only',
        note: 'These files are served where they are: the page shows them, and cannot change them.',
        page: 'mounting',
      }
  const noAccounts = {
    text: 'No accounts',
    note: isOpen
      ? 'Everybody on this machine may change everything. The first account ends that.'
      : 'Nobody can log in to this service yet, so the page shows data, and cannot change them.',
    page: 'access',
    way: { text: 'Make the first account', to: { kind: 'first-account' } },
  } as const
  return [...(isReadOnly ? [readOnly] : []), ...(hasAccounts ? [] : [noAccounts])]
}

/** The folders on the way to a place, from the top; those above a share are not shown. */
export function wayTo(path: string, share: Share | undefined) {
  return parentsOf(path).filter(way => !share || isShown(share, way.path))
}

export interface ProblemText {
  readonly icon: 'search' | 'lock'
  readonly title: string
  readonly sentence: string
  /** `login`: a button opens the dialog; `up`: a link leads to the folder above. */
  readonly help: 'login' | 'up' | undefined
}

/** What the page says of an address that shows nothing: the reason, and what the user can do. */
export function problemText(
  path: string,
  kind: Problem['kind'],
  { user, hasAccounts }: { readonly user: User | undefined; readonly hasAccounts: boolean },
): ProblemText {
  if (kind === 'missing') {
    const sentence = 'It may have been renamed, moved or deleted.'
    return { icon: 'search', title: `There is nothing at ${path}`, sentence, help: 'up' }
  }
  const name = nameOf(path)
  if (user !== undefined) {
    const sentence = 'Ask its owner for access, or log in as another user.'
    return { icon: 'lock', title: `${user.name} may not see ${name}`, sentence, help: 'up' }
  }
  const title = `${name} is not public`
  if (hasAccounts) return { icon: 'lock', title, sentence: 'Log in to see it, if you may.', help: 'login' }
  const sentence = 'Nobody can log in to this service yet: it has no accounts.'
  return { icon: 'lock', title, sentence, help: undefined }
}

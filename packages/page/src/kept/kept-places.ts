// The files that the user has opened and those that the user has marked, kept in the browser: each user of it has lists
// of their own, and the service gets none of them. Tabs see each other's changes. A browser that stores nothing for
// pages keeps them while the page is open.

/** Files that were opened. @limit memory, paths */
const MAX_RECENT = 20
/** Files and folders that are marked. @limit memory, paths */
const MAX_FAVOURITES = 200

/** Paths; those of folders end with a slash. */
export interface PlaceLists {
  /** The last one first. */
  readonly recent: readonly string[]
  /** In the order in which they were marked. */
  readonly favourites: readonly string[]
}

const NONE: PlaceLists = { recent: [], favourites: [] }

type Change = (lists: PlaceLists) => PlaceLists

export class KeptPlaces {
  readonly #storage: () => Pick<Storage, 'getItem' | 'setItem'>
  readonly #key: string
  readonly #watchers = new Set<() => void>()
  #text = ''
  #lists = NONE

  /**
   * `storage` throws where pages may store nothing. `service`: one of several of the same origin. Without a `user` the
   * lists are those of visitors without login.
   */
  constructor(storage: () => Pick<Storage, 'getItem' | 'setItem'>, service: string, user = '') {
    this.#storage = storage
    this.#key = `hyperslab-places ${service} ${user}`
  }

  /** The same object until something changes. */
  readonly lists = (): PlaceLists => {
    const text = this.#stored()
    if (text !== this.#text) this.#lists = parseLists(text)
    this.#text = text
    return this.#lists
  }

  /** Calls it after each change, of this tab and of others, until the returned function is called. */
  readonly subscribe = (watcher: () => void): (() => void) => {
    const follow = ({ key }: StorageEvent) => {
      if (key === null || key === this.#key) watcher()
    }
    this.#watchers.add(watcher)
    addEventListener('storage', follow)
    return () => {
      this.#watchers.delete(watcher)
      removeEventListener('storage', follow)
    }
  }

  /** A file is shown. */
  addRecent(path: string): void {
    this.#change(lists => ({
      ...lists,
      recent: [path, ...lists.recent.filter(one => one !== path)].slice(0, MAX_RECENT),
    }))
  }

  /** Marks it, or no longer. More than the limit are not marked. */
  toggleFavourite(path: string): void {
    this.#change(({ recent, favourites }) => {
      const others = favourites.filter(one => one !== path)
      const isNew = others.length === favourites.length
      return { recent, favourites: isNew ? [...others, path].slice(0, MAX_FAVOURITES) : others }
    })
  }

  /** It, or a folder with all that is in it, has another path. */
  move(from: string, to: string): void {
    const [before, after] = [from, to].map(path => path.replace(/\/$/, ''))
    const moved = (path: string) =>
      path === before || path.startsWith(`${before}/`) ? `${after}${path.slice(before.length)}` : path
    this.#change(({ recent, favourites }) => ({
      recent: [...new Set(recent.map(moved))],
      favourites: [...new Set(favourites.map(moved))],
    }))
  }

  remove(path: string): void {
    this.#change(({ recent, favourites }) => ({
      recent: recent.filter(one => one !== path),
      favourites: favourites.filter(one => one !== path),
    }))
  }

  #change(change: Change): void {
    const next = change(this.lists())
    this.#lists = next
    this.#text = JSON.stringify(next)
    try {
      this.#storage().setItem(this.#key, this.#text)
    } catch {
      // It is full, or not allowed.
    }
    for (const watcher of this.#watchers) watcher()
  }

  #stored(): string {
    try {
      return this.#storage().getItem(this.#key) ?? this.#text
    } catch {
      return this.#text
    }
  }
}

/** Anything but lists of paths is left out: other programs of the origin may write there. */
function parseLists(text: string): PlaceLists {
  try {
    const { recent, favourites } = JSON.parse(text) as Record<string, unknown>
    return { recent: pathsIn(recent, MAX_RECENT), favourites: pathsIn(favourites, MAX_FAVOURITES) }
  } catch {
    return NONE
  }
}

function pathsIn(value: unknown, limit: number): readonly string[] {
  const isPath = (one: unknown): one is string => typeof one === 'string' && one.startsWith('/')
  return Array.isArray(value) ? [...new Set(value.filter(isPath))].slice(0, limit) : []
}

// The titles of domains and folders in a table of contents (classic 12). A domain is a link that has its name, without
// `.h5`; a folder is a link that has its name. Of those of one folder that want the same title, each has one of its
// own: the first free one of its list. So an entry can be found from its title, without a list of all titles.

import { FILE_EXTENSION } from './domain-path.ts'

const DOMAIN_MARK = '.domain'
const FOLDER_MARK = '.folder'

/** The titles that a domain of that name may have, the first one where it is free. Without an end. */
export function* titlesOfDomain(name: string): Generator<string, never> {
  const short = withoutExtension(name)
  if (short !== name) yield short
  return yield* withMarks(name, DOMAIN_MARK)
}

/** The same for a folder. */
export function titlesOfFolder(name: string): Generator<string, never> {
  return withMarks(name, FOLDER_MARK)
}

/** The title of a domain that no other entry has taken. */
export function plainTitleOfDomain(name: string): string {
  return withoutExtension(name)
}

/** The names that a domain with that title may have. */
export function* domainNamesOf(title: string): Generator<string> {
  yield title + FILE_EXTENSION
  yield* withoutMarks(title, DOMAIN_MARK)
}

/** The names that a folder with that title may have. */
export function folderNamesOf(title: string): Generator<string> {
  return withoutMarks(title, FOLDER_MARK)
}

/** Whether the entry is left out of a table of contents, with all below it. */
export function isHiddenName(name: string): boolean {
  return name.startsWith('.')
}

function withoutExtension(name: string): string {
  return name.endsWith(FILE_EXTENSION) && name !== FILE_EXTENSION
    ? name.slice(0, -FILE_EXTENSION.length)
    : name
}

function* withMarks(name: string, mark: string): Generator<string, never> {
  for (let title = name; ; title += mark) yield title
}

function* withoutMarks(title: string, mark: string): Generator<string> {
  yield title
  for (let name = title; name.endsWith(mark) && name !== mark; ) {
    name = name.slice(0, -mark.length)
    yield name
  }
}

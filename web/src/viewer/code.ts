// Programs that read an object, for users to copy.

import type { Api } from '../../../client/index.ts'

/** What a program reads, and for whom. */
export interface CodeTarget {
  /** Of the service, without a slash at its end. */
  readonly endpoint: string
  readonly domain: string
  readonly object: string
  readonly found: Api.FoundObject
  readonly userName: string | undefined
}

export const LANGUAGES: readonly {
  readonly name: string
  readonly codeOf: (target: CodeTarget) => string
}[] = [
  { name: 'Python', codeOf: python },
  { name: 'curl', codeOf: curl },
  { name: 'JavaScript', codeOf: javaScript },
]

function python({ endpoint, domain, object, found, userName }: CodeTarget): string {
  const login = userName === undefined ? '' : `, username=${quoted(userName)}, password="..."`
  const file = `h5pyd.File(${quoted(domain)}, "r", endpoint=${quoted(endpoint)}${login})`
  const expression = `file[${quoted(object)}]`
  const shown =
    found.class === 'dataset'
      ? `${expression}[()]`
      : found.class === 'group'
        ? `list(${expression})`
        : expression
  return `import h5pyd\nfile = ${file}\nprint(${shown})`
}

function curl({ endpoint, domain, found, userName }: CodeTarget): string {
  const path =
    found.class === 'dataset'
      ? `/datasets/${found.id}/value`
      : found.class === 'group'
        ? `/groups/${found.id}/links`
        : `/datatypes/${found.id}`
  const login = userName === undefined ? '' : `-u ${inShell(userName)} `
  return `curl ${login}${inShell(`${endpoint}${path}?${new URLSearchParams({ domain })}`)}`
}

function javaScript({ endpoint, domain, object, found, userName }: CodeTarget): string {
  const login = userName === undefined ? '' : `, { authorization: basic(${quoted(userName)}, "...") }`
  const names = userName === undefined ? 'Hyperslab' : 'basic, Hyperslab'
  const lines = [
    `import { ${names} } from 'hyperslab/client'`,
    `const domain = new Hyperslab(${quoted(endpoint)}${login}).domain(${quoted(domain)})`,
  ]
  if (found.class === 'dataset')
    lines.push(`console.log(await domain.read(await domain.dataset(${quoted(found.id)})))`)
  else lines.push(`console.log(await domain.object(${quoted(object)}))`)
  return lines.join('\n')
}

/** A string literal of JSON is one of Python and JavaScript too. */
function quoted(text: string): string {
  return JSON.stringify(text)
}

function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

// The paths of a domain, which the service sends as it reads them, each in a line of its own.

import type { Connection } from './connection.ts'
import type { ListedPath } from './options.ts'

export async function* listedPaths(
  client: Connection,
  domain: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly ListedPath[]> {
  const response = await client.open('GET /paths', { domain }, signal && { signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let isFirst = true
  const listed = (items: string): readonly ListedPath[] => {
    const list: readonly (readonly [string, ListedPath['kind'], string?])[] = JSON.parse(items)
    return list.map(([path, kind, id]) => ({ path, kind, id }))
  }
  try {
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
      text += piece.value
      const end = text.lastIndexOf(',\n')
      if (end === -1) continue
      yield listed(`${isFirst ? '' : '['}${text.slice(0, end)}]`)
      text = text.slice(end + 1)
      isFirst = false
    }
  } finally {
    await reader?.cancel().catch(() => undefined)
  }
  yield listed(`${isFirst ? '' : '['}${text}`)
}

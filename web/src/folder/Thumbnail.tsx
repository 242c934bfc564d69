// A small picture of a domain, loaded when its row is drawn.

import { useEffect, useState } from 'react'
import type { Hyperslab } from '../../../client/index.ts'

export function Thumbnail({ client, path }: { readonly client: Hyperslab; readonly path: string }) {
  const [source, setSource] = useState<string>()
  useEffect(() => {
    const abort = new AbortController()
    let url: string | undefined
    const load = async () => {
      // An image in HTML carries no credentials.
      const response = await client.open('GET /thumbnail', { domain: path }, { signal: abort.signal })
      const blob = await response.blob()
      if (response.status !== 200 || abort.signal.aborted) return
      url = URL.createObjectURL(blob)
      setSource(url)
    }
    // A domain that cannot be shown has no picture; opening it shows the reason.
    load().catch(() => undefined)
    return () => {
      abort.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [client, path])
  return <span className="thumbnail">{source === undefined ? null : <img src={source} alt="" />}</span>
}

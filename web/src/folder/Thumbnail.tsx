// A small picture of a domain, loaded when its row is drawn; where there is none, the icon of a domain.

import { useEffect, useState } from 'react'
import type { Hyperslab } from '../../../client/index.ts'
import { Icon } from '../Icon.tsx'

type Picture = 'loading' | 'none' | { readonly url: string }

export function Thumbnail({ client, path }: { readonly client: Hyperslab; readonly path: string }) {
  const [picture, setPicture] = useState<Picture>('loading')
  useEffect(() => {
    const abort = new AbortController()
    let url: string | undefined
    const load = async () => {
      const response = await client.open('GET /thumbnail', { domain: path }, { signal: abort.signal })
      const blob = await response.blob()
      if (abort.signal.aborted) return
      if (response.status !== 200) return setPicture('none')
      url = URL.createObjectURL(blob)
      setPicture({ url })
    }
    load().catch(() => {
      // A domain that cannot be shown has no picture; opening it shows the reason.
      if (!abort.signal.aborted) setPicture('none')
    })
    return () => {
      abort.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [client, path])
  return (
    <span className={picture === 'loading' ? 'thumbnail loading' : 'thumbnail'}>
      {picture === 'none' ? <Icon name="domain" /> : null}
      {typeof picture === 'object' ? <img src={picture.url} alt="" /> : null}
    </span>
  )
}

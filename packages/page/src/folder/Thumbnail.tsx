// A small picture of a domain, loaded when its row is in sight; where there is none, the icon of a domain.

import type { Hyperslab } from '@hyperslab/client'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from '../common/Icon.tsx'
import { pictureOf } from './contents.ts'

type Picture = 'loading' | 'none' | { readonly url: string }

export function Thumbnail({ client, path }: { readonly client: Hyperslab; readonly path: string }) {
  const [picture, setPicture] = useState<Picture>('loading')
  const frame = useRef<HTMLSpanElement>(null)
  const isSeen = useIsInSight(frame)
  useEffect(() => {
    if (!isSeen) return
    const abort = new AbortController()
    let url: string | undefined
    void pictureOf(client, path, abort.signal).then(picture => {
      if (abort.signal.aborted) return
      if (picture === undefined) return setPicture('none')
      url = URL.createObjectURL(picture)
      setPicture({ url })
    })
    return () => {
      abort.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [client, path, isSeen])
  return (
    <span ref={frame} className={picture === 'loading' ? 'thumbnail loading' : 'thumbnail'}>
      {picture === 'none' ? <Icon name="domain" /> : null}
      {typeof picture === 'object' ? <img src={picture.url} alt="" /> : null}
    </span>
  )
}

/** Whether the element is in sight, or has been. */
function useIsInSight(element: RefObject<Element | null>): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver(entries => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      setSeen(true)
      observer.disconnect()
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isSeen
}

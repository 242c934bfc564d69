// The connections of the page to the service. The browser sends the cookie of the session with each request.

import { Hyperslab } from '@hyperslab/client'
import { unreachable } from '../common/errors.ts'
import { isEmbedded } from './embedding.ts'
import { type Relogin, sendAgain } from './relogin.ts'

/** The page is `ui` in the root of the service, or the root itself; a view of it is `ui/embed`. */
export const ENDPOINT = new URL(isEmbedded() ? '..' : '.', window.location.href.replace(/[?#].*/, '')).href

/** Requests with the cookie that change something need it: a form on a foreign page cannot send it. */
const PAGE_HEADER = ['x-requested-with', 'hyperslab'] as const

type Send = typeof fetch

/** Sends requests of the session. When it has ended, the user logs in again, and they go on. */
export function connect(relogin: Relogin): Hyperslab {
  return new Hyperslab(ENDPOINT, { fetch: sendAgain(send, relogin) })
}

/** Sends requests once, to begin and end a session and to ask for its user. */
export function connectOnce(authorization?: string): Hyperslab {
  return new Hyperslab(ENDPOINT, {
    retries: 0,
    fetch: send,
    ...(authorization !== undefined && { authorization }),
  })
}

/**
 * Sends files, and reports how many bytes were sent, which `fetch` cannot do in a browser.
 */
export function connectUpload(relogin: Relogin, onProgress: (bytes: number) => void): Hyperslab {
  const upload: Send = (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'GET', String(input))
      for (const [name, value] of [...new Headers(init.headers), PAGE_HEADER]) {
        request.setRequestHeader(name, value)
      }
      request.upload.onprogress = ({ loaded }) => onProgress(loaded)
      request.onload = () => {
        const { status, statusText, responseText } = request
        const seconds = request.getResponseHeader('retry-after')
        const headers: HeadersInit = seconds === null ? {} : { 'retry-after': seconds }
        resolve(new Response(responseText, { status, statusText, headers }))
      }
      request.onerror = () => reject(unreachable())
      request.onabort = () => reject(init.signal?.reason)
      init.signal?.addEventListener('abort', () => request.abort(), { once: true })
      // The client sends files as they are: no streams.
      request.send(init.body as XMLHttpRequestBodyInit)
    })
  return new Hyperslab(ENDPOINT, { fetch: sendAgain(upload, relogin) })
}

const send: Send = async (input, init = {}) => {
  const headers = new Headers(init.headers)
  headers.set(...PAGE_HEADER)
  try {
    return await fetch(input, { ...init, headers, credentials: 'same-origin' })
  } catch (error) {
    if (error instanceof TypeError) throw unreachable()
    throw error
  }
}

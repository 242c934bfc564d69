// The connections of the page to the service.

import { Hyperslab } from '../../client/index.ts'
import { unreachable } from './errors.ts'

/** The page is `ui` in the root of the service, or the root itself. */
const ENDPOINT = new URL('.', window.location.href.replace(/[?#].*/, '')).href

/**
 * Sends requests for a user, or anonymously. Without `omit`, a browser asks for a password itself when the service
 * rejects a request, keeps it, and sends it with requests of other pages.
 */
export function connect(authorization: string | undefined): Hyperslab {
  return new Hyperslab(ENDPOINT, {
    ...(authorization !== undefined && { authorization }),
    fetch: async (input, init) => {
      try {
        return await fetch(input, { ...init, credentials: 'omit' })
      } catch (error) {
        if (error instanceof TypeError) throw unreachable()
        throw error
      }
    },
  })
}

/**
 * Sends files, and reports how many bytes were sent, which `fetch` cannot do in a browser.
 */
export function connectUpload(authorization: string, onProgress: (bytes: number) => void): Hyperslab {
  return new Hyperslab(ENDPOINT, {
    authorization,
    fetch: (input, init = {}) =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest()
        request.open(init.method ?? 'GET', String(input))
        for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
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
      }),
  })
}

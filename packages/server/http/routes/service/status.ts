// The page /status for people: whether the service is ready, what does not answer, since when it runs, and its version.
// It says nothing that a caller without rights may not know: mounts are counted, since some have readers of their own.

import { HyperslabError } from '@hyperslab/base/errors'
import { escapeHtml } from '../../message/html.ts'
import { type Route, serviceRoute } from '../../route/route.ts'
import type { Readiness, UnwellMount } from '../../watch/readiness.ts'

/** Seconds after which a browser asks again. */
const REFRESH = 30

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:40em;margin:3em auto;padding:0 1em;color-scheme:light dark}' +
  'h1{font-size:1.5em}th{text-align:left;font-weight:normal;padding-right:2em;vertical-align:top}'

interface StatusFacts {
  readonly version: string
  /** Seconds since the epoch. */
  readonly startTime: number
  readonly readiness: Readiness
  readonly unwellMounts: () => readonly UnwellMount[]
}

export function statusRoute({ readiness, unwellMounts, startTime, version }: StatusFacts): Route {
  return serviceRoute({
    name: 'get-status',
    method: 'GET',
    path: '/status',
    summary: 'Shows people whether the service is ready, and what of it does not answer.',
    identifies: 'no',
    answers: { 200: { description: 'The page.', text: 'text/html' } },
    async answer() {
      const problem = await readiness.check().then(() => undefined, reasonOf)
      const rows = [
        ['Storage and accounts', problem ?? 'answer'],
        ...describeMounts(unwellMounts()),
        ['Runs since', timeOf(startTime)],
        ['Version', version],
      ]
      const title = problem === undefined ? 'The service is ready' : 'The service is not ready'
      return {
        status: 200,
        headers: { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'" },
        text: { contentType: 'text/html; charset=utf-8', text: page(title, rows) },
      }
    },
  })
}

/** The reason why the service is not ready; a defect is thrown again. */
function reasonOf(error: unknown): string {
  if (error instanceof HyperslabError) return error.message
  throw error
}

/** The row of the mounts, if there is one to tell of. */
function describeMounts(unwell: readonly UnwellMount[]): readonly [string, string][] {
  if (unwell.length === 0) return []
  const since = Math.min(...unwell.map(mount => mount.since)) / 1e6
  return [['Mounts that do not answer, or fail', `${unwell.length}, since ${timeOf(since)}`]]
}

/** `seconds` since the epoch. */
function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function page(title: string, rows: readonly (readonly string[])[]): string {
  const cells = rows.map(
    ([name = '', text = '']) => `<tr><th scope="row">${escapeHtml(name)}<td>${escapeHtml(text)}\n`,
  )
  return (
    `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="${REFRESH}">\n` +
    '<meta name="viewport" content="width=device-width">\n' +
    `<title>${title}</title>\n<style>${STYLE}</style>\n<h1>${title}</h1>\n<table>\n${cells.join('')}</table>\n`
  )
}

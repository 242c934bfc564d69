// Files of web pages that the service itself serves. A set of files is a table that is read when the server starts: a
// request chooses an entry of it and never becomes a path of the file system. This file knows no page.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { extname } from 'node:path'
import { HyperslabError } from '@hyperslab/base/errors'
import Negotiator from 'negotiator'
import { tagOf } from '../message/entity-tag.ts'
import type { Reply, Request } from '../message/message.ts'
import { STRING } from '../message/schema.ts'
import { shownPath } from '../message/target.ts'
import type { Parameter } from '../route/parameter.ts'
import { type Route, serviceRoute } from '../route/route.ts'

export interface Asset {
  readonly contentType: string
  readonly bytes: Uint8Array
  /** The same bytes, compressed, if the folder has them. */
  readonly gzip?: Uint8Array
  readonly entityTag: string
  /** True: the name changes with the bytes, so caches need not request it again. */
  readonly isFixed: boolean
}

/** Assets by the part of the path that follows the folder; the page of the folder itself is the entry ''. */
export type Assets = ReadonlyMap<string, Asset>

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/** A hash of the contents at the end of a name, as in `page.0123456789abcdef.css`. */
const HASHED_NAME = /\.[0-9a-f]{16}\.\w+$/

/**
 * Reads the files of a folder, and of folders in it. `index.html` is the page of the folder, and other pages have no
 * extension. `a.css.gz` has the bytes of `a.css`, compressed.
 */
export function readAssets(folder: URL): Assets {
  const assets = new Map<string, Asset>()
  const names = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  for (const name of names) {
    if (name.endsWith('.gz') || statSync(new URL(name, folder)).isDirectory()) continue
    const contentType = CONTENT_TYPES[extname(name)]
    if (contentType === undefined) throw new Error(`the file ${name} has an unknown content type`)
    const bytes = readFileSync(new URL(name, folder))
    const entityTag = tagOf(bytes)
    const path = name === 'index.html' ? '' : name.replace(/\.html$/, '')
    const gzip = names.has(`${name}.gz`) ? { gzip: readFileSync(new URL(`${name}.gz`, folder)) } : {}
    assets.set(path, { contentType, bytes, ...gzip, entityTag, isFixed: HASHED_NAME.test(name) })
  }
  return assets
}

interface AssetFolder {
  /** The routes are `get-<name>` and `get-<name>-file`. */
  readonly name: string
  /** The path without a slash at its end, such as `/docs`. */
  readonly path: string
  readonly summary: string
  readonly assets: Assets
  /** The page of the folder for a query with this parameter, whatever its value. */
  readonly variant?: { readonly parameter: Parameter<string | undefined>; readonly asset: Asset | undefined }
  /** Headers of each answer beside those of caches. */
  readonly headers: (request: Request) => Readonly<Record<string, string>>
}

/** The routes of a folder: its page, and the files below it. All callers may read them. */
export function assetRoutes(folder: AssetFolder): readonly Route[] {
  const { name, path, summary, variant } = folder
  const parameters: { readonly shown?: Parameter<string | undefined> } = variant
    ? { shown: variant.parameter }
    : {}
  return [
    serviceRoute({
      name: `get-${name}`,
      method: 'GET',
      path,
      summary,
      identifies: 'no',
      parameters,
      answers: { 200: { description: 'The page.', text: 'text/html' } },
      answer: ({ shown }, request) =>
        replyWith(
          folder,
          (shown === undefined ? undefined : variant?.asset) ?? folder.assets.get(''),
          request,
        ),
    }),
    serviceRoute({
      name: `get-${name}-file`,
      method: 'GET',
      path: `${path}/*`,
      summary: `A page or file below ${path}.`,
      identifies: 'no',
      parameters: { file: FILE },
      answers: FILE_ANSWERS,
      // After a slash, relative addresses in the page would mean other files.
      answer: ({ file }, request) =>
        file === ''
          ? { status: 308, headers: { Location: `..${path}`, 'Content-Length': '0' } }
          : replyWith(folder, folder.assets.get(file), request),
    }),
  ]
}

const FILE: Parameter<string> = {
  name: 'file',
  in: 'path',
  description: 'The name of the file.',
  schema: STRING,
  read: ({ parameters }) => parameters['*'] ?? '',
}

const FILE_ANSWERS: Route['answers'] = {
  200: {
    description: 'The file.',
    formats: {
      'text/html': 'A page.',
      'text/css': 'A style sheet.',
      'text/javascript': 'A program of a page.',
      'image/png': 'A picture.',
      'image/svg+xml': 'A drawing.',
      'text/plain': 'A licence.',
    },
  },
  404: {
    description: 'There is no such file.',
    json: 'Error',
    formats: { 'text/html': 'The same as a page, where `Accept` prefers it to JSON.' },
  },
  308: { description: 'The page of the folder has no slash at its end; Location leads to it.' },
}

function replyWith({ path, headers }: AssetFolder, asset: Asset | undefined, request: Request): Reply {
  if (asset === undefined) {
    const shown = shownPath(request.target.path)
    const message = `there is no file at ${shown}: ${path} leads to all that are there`
    throw new HyperslabError('file-not-found', message)
  }
  return assetReply(asset, request.headers, {
    'Cache-Control': asset.isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...headers(request),
    'Referrer-Policy': 'no-referrer',
  })
}

/** The answer with the bytes of a file, compressed if the client takes them so. */
export function assetReply(
  { contentType, gzip, entityTag, ...asset }: Asset,
  headers: IncomingHttpHeaders,
  others: Readonly<Record<string, string>>,
): Reply {
  const compressed = acceptsGzip(headers) ? gzip : undefined
  const bytes = compressed ?? asset.bytes
  return {
    status: 200,
    headers: {
      ...(compressed && { 'Content-Encoding': 'gzip' }),
      // The page of a folder may also be the answer to another path, for browsers only.
      Vary: 'Accept, Accept-Encoding',
      ...others,
    },
    stream: {
      contentType,
      length: bytes.length,
      entityTag: compressed ? entityTag.replace(/"$/, '-gzip"') : entityTag,
      pieces: once(bytes),
    },
  }
}

function acceptsGzip(headers: IncomingHttpHeaders): boolean {
  return new Negotiator({ headers }).encoding(['gzip', 'identity']) === 'gzip'
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

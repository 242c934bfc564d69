// HDF5 files of whole domains in requests and answers of `/`, in both dialects.

import querystring from 'node:querystring'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { DomainFile, DomainFiles, FileForm, FileLoss } from '@hyperslab/files/export'
import { parseLinkedFiles } from '@hyperslab/model/dataset'
import { excerpt } from '@hyperslab/model/json'
import { type DomainPath, nameOf, parseDomainPath, type Timestamp } from '@hyperslab/model/names'
import { requireInScope } from '../../service/access/scope.ts'
import type { Context } from '../../service/context.ts'
import {
  downloadDomain,
  publishUpload,
  requireUpload,
  type UploadOptions,
} from '../../service/domains/domain-files.ts'
import { requireFolder } from '../../service/domains/domains.ts'
import { listFolder } from '../../service/domains/folder-listing.ts'
import { fileNameOf } from '../../service/domains/path-names.ts'
import { parsePinned } from '../../service/domains/pinned.ts'
import { relatedDomains } from '../../service/domains/related-domains.ts'
import { addressInHeader, type Place } from '../dialect/hrefs.ts'
import { HDF5_FILE, mediaType, prefersHtml } from '../message/content-types.ts'
import { tagOf } from '../message/entity-tag.ts'
import type { EmptyReply, RequestHead, StreamReply } from '../message/message.ts'
import { STRING } from '../message/schema.ts'
import type { Target } from '../message/target.ts'
import { attachment } from '../output/attachment.ts'
import { folderReply, MAX_ROWS, type ShownFolder } from '../output/folder-pages.ts'
import { LISTING } from '../route/common-parameters.ts'
import {
  flagQuery,
  optionalQuery,
  type Parameter,
  type ParameterValues,
  whenUsed,
} from '../route/parameter.ts'
import { namespaceReadRoute, type Route, type UploadRequest } from '../route/route.ts'

const REPACK = flagQuery(
  'repack',
  'Whether a file that is served where it is, or that is stored as it was imported, is written anew, not sent as it ' +
    'is. Default: if some of its values are in other files.',
)

/** Parameters for the form of a domain's file. */
const FILE_FORM = {
  skipUnreadable: flagQuery(
    'skip_unreadable',
    'In a file: datasets without values are left out; otherwise they are an error.',
  ),
  repack: {
    ...REPACK,
    read: head => (head.target.query.get('repack') ? REPACK.read(head) : undefined),
  } satisfies Parameter<boolean | undefined>,
}

/** Parameters of GET of `/` for a domain as a file. */
export const DOWNLOAD_OPTIONS = {
  asFile: {
    name: 'format',
    in: 'query',
    description: `\`hdf5\`: the domain is answered as an HDF5 file, as with \`Accept: ${HDF5_FILE}\`.`,
    schema: { type: 'string', enum: ['hdf5', 'json'] },
    read: wantsFile,
  } satisfies Parameter<boolean>,
  ...FILE_FORM,
}

function wantsFile({ target, headers: { accept = '' } }: RequestHead): boolean {
  const format = target.query.get('format')
  if (format === 'hdf5' || format === 'json') return format === 'hdf5'
  if (format === null || format === '') return accept.split(',').some(item => mediaType(item) === HDF5_FILE)
  throw new HyperslabError('malformed-parameter', `format=${excerpt(format)} must be hdf5 or json`)
}

export const WHOLE_DOMAIN = 'The domain with all objects that hard links reach from its root group.'

/** A domain as a file, with its name, and with the paths of parts that are known to be left out. */
export interface Download {
  readonly file: DomainFile
  readonly path: DomainPath
  readonly leftOut: readonly FileLoss[]
}

/** Paths in a header: clients do not accept a longer one. @limit safety, entries */
const MAX_LISTED = 20

export function downloadReply(
  { file, path, leftOut }: Download,
  headers: StreamReply['headers'] = {},
): StreamReply {
  const paths = [...new Set(leftOut.map(loss => loss.path))]
  const listed = paths.slice(0, MAX_LISTED).map(path => encodeURIComponent(path).replaceAll('%2F', '/'))
  const more = paths.length > listed.length ? ['...'] : []
  return {
    status: 200,
    headers: {
      ...headers,
      ...attachment(fileNameOf(path)),
      ...(file.lastModified !== undefined && modifiedAt(file.lastModified)),
      ...(leftOut.length > 0 && { 'X-Left-Out': [...listed, ...more].join(',') }),
    },
    stream: {
      contentType: HDF5_FILE,
      length: file.length,
      entityTag: tagOf(file.version),
      pieces: { [Symbol.asyncIterator]: () => file.pieces(0, file.length)[Symbol.asyncIterator]() },
      piecesOf: (position, length) => file.pieces(position, length),
    },
  }
}

/** Programs that copy folders compare the times. Caches would guess from it for how long an answer is good. */
function modifiedAt(time: Timestamp): StreamReply['headers'] {
  // Files of other machines may be of the future.
  const shown = new Date(Math.min(time / 1000, SYSTEM_CLOCK.now()))
  return { 'Last-Modified': shown.toUTCString(), 'Cache-Control': 'no-cache' }
}

/** The domain as a file. */
export async function download(
  context: Context,
  files: DomainFiles,
  path: DomainPath,
  form: FileForm,
  state?: string,
): Promise<Download> {
  const file = await downloadDomain(context, files, path, form, state)
  return { file, path, leftOut: await file.losses() }
}

export interface FileFacts {
  /** The path before those of files, in the configuration of nginx; absent: nginx sends no files itself. */
  readonly accelRedirect?: string
}

/**
 * Whether the request came through an nginx that can send files itself. It drops headers that pages of other origins
 * need, and compares entity tags of its own, so it is not left the requests for which these matter.
 */
const PROXY_SENDS: Parameter<boolean> = {
  name: 'X-Sendfile-Type',
  in: 'header',
  description: '`X-Accel-Redirect`: nginx, in front of the service, sends files of mounts itself.',
  schema: STRING,
  read: ({ headers }) => headers['x-sendfile-type'] === 'X-Accel-Redirect' && headers.origin === undefined,
}

/** Clients read one range after another, so answers with ranges do not look for other files. */
const IS_WHOLE: Parameter<boolean> = {
  name: 'Range',
  in: 'header',
  description: 'The range of bytes to send. Without it `Link` names other files that the file leads to.',
  schema: STRING,
  read: ({ headers }) => headers.range === undefined,
}

const ACCEPTS_JSON: Parameter<boolean> = {
  name: 'Accept',
  in: 'header',
  description: '`application/json`: a folder is listed as JSON.',
  schema: STRING,
  read: ({ headers }) => (headers.accept?.includes('application/json') ?? false) && !prefersHtml(headers),
}

/** The answer that names to nginx the file to send, with a range, a length and a tag of its own. */
function redirectReply(location: string, { path }: Download, place: string): EmptyReply {
  const headers = {
    ...attachment(fileNameOf(path)),
    'Content-Type': HDF5_FILE,
    // With chunks, nginx would close its connection.
    'Content-Length': '0',
    'X-Accel-Redirect': location + place.split('/').map(encodeURIComponent).join('/'),
  }
  return { status: 200, headers }
}

/** Bytes of links in a header: proxies do not accept a longer one. @limit safety, bytes */
const MAX_LINK_BYTES = 2048

/** The header with the addresses of other domains as files, as many as fit. */
function relatedLinks({ base }: Pick<Place, 'base'>, paths: readonly DomainPath[]): { Link?: string } {
  const addresses = paths.map(path => `${base}/h5${path.split('/').map(encodeURIComponent).join('/')}`)
  let links = ''
  for (const address of addresses) {
    const link = `${links === '' ? '' : ', '}<${addressInHeader(address)}>; rel="related"`
    if (links.length + link.length > MAX_LINK_BYTES) break
    links += link
  }
  return links === '' ? {} : { Link: links }
}

export const FILE_PATH = {
  name: 'path',
  in: 'path',
  description:
    'The path of the domain, in the default bucket, perhaps behind the state that it is to have; with a slash at the ' +
    'end that of a folder.',
  schema: STRING,
  read: ({ target, dialect }: RequestHead) => {
    const names = target.path.split('/').slice(2)
    const { state, parts } = parsePinned(names.map(name => dialect.decodeName(name)))
    const isFolder = state === undefined && parts.at(-1) === ''
    const shown = isFolder ? parts.slice(0, -1) : parts
    return {
      path: parseDomainPath(shown.map(name => `/${name}`).join('') || (isFolder ? '/' : '')),
      state,
      isFolder,
    }
  },
} satisfies Parameter<unknown>

/**
 * The route of domains as files of a file server, with paths that end with an extension, because programs look at it.
 */
export function fileRoute(files: DomainFiles, { accelRedirect }: FileFacts): Route {
  return namespaceReadRoute({
    name: 'get-domain-file',
    method: 'GET',
    path: '/h5/*',
    hasDomainInPath: true,
    summary: 'Gives a domain as an HDF5 file, of which ranges can be read, or lists a folder.',
    access: 'read',
    parameters: {
      path: FILE_PATH,
      ...FILE_FORM,
      proxySends: PROXY_SENDS,
      isWhole: IS_WHOLE,
      isJson: ACCEPTS_JSON,
      marker: LISTING.marker,
      limit: whenUsed(LISTING.limit),
    },
    answers: {
      200: {
        description: 'The file; or the domains and folders in a folder, as a page of links or as JSON.',
        json: 'FolderList',
        file: WHOLE_DOMAIN,
        formats: { 'text/html': 'A link to each domain and folder in the folder.' },
      },
      308: { description: 'The path of a folder, with a slash at its end.' },
    },
    async run(
      context,
      _,
      { path: { path, state, isFolder }, proxySends, isWhole, marker, limit, isJson, ...form },
    ) {
      if (isFolder) return { folder: await showFolder(context, path, limit(), marker), isJson }
      const entry = await context.reader.domain(path)
      if (state === undefined && entry && entry.root === undefined) {
        // A caller that may not read the folder does not learn of it.
        await showFolder(context, path, 1, undefined)
        return { redirect: `${encodeURIComponent(nameOf(path))}/` }
      }
      const found = await download(context, files, path, form, state)
      const isAnyState = state === undefined && context.requiredState === undefined
      const related = isWhole ? await relatedDomains(context, path, await found.file.otherFiles()) : []
      return { found, related, place: proxySends && isAnyState ? found.file.place : undefined }
    },
    respond({ folder, isJson = false, redirect, found, related, place }, answer) {
      if (folder) return folderReply(folder, answer.place, isJson)
      if (redirect !== undefined)
        return { status: 308, headers: { Location: redirect + queryOf(answer.target) } }
      return accelRedirect === undefined || place === undefined
        ? downloadReply(found, relatedLinks(answer.place, related))
        : redirectReply(accelRedirect, found, place)
    },
  })
}

function queryOf({ rawQuery }: Pick<Target, 'rawQuery'>): string {
  return rawQuery === '' ? '' : `?${rawQuery}`
}

/** One entry more is read than is shown, to know whether a page follows. */
async function showFolder(
  context: Context,
  path: DomainPath,
  limit: number | undefined,
  marker: string | undefined,
): Promise<ShownFolder> {
  requireInScope(context.caller, path)
  if (!(await requireFolder(context, path))) {
    const rule = 'is a domain and no folder: its file has the address without the slash at the end'
    throw new HyperslabError('folder-not-found', `${path} ${rule}`, { subject: path })
  }
  const most = Math.min(limit ?? MAX_ROWS, MAX_ROWS)
  const entries = await listFolder(context, path, { limit: most + 1, marker })
  return { path, entries: entries.slice(0, most), hasMore: entries.length > most }
}

/** Parameters of PUT of `/` with a file. */
export const UPLOAD_OPTIONS = {
  strict: flagQuery('strict', 'With a file: one of which a part would be left out or changed is refused.'),
  replace: flagQuery(
    'replace',
    'With a file: it replaces the domain of that name, in one step. The owner and the access control list stay.',
  ),
  linkedFiles: optionalQuery({
    name: 'linked_files',
    description:
      'With a file: where the files are that its external links name, seen from its folder: a JSON object, such as ' +
      '`{"/data/b/":"../b/"}`. A name that ends with `/` is a folder. Domains are looked for there, too.',
    schema: { type: 'string', examples: ['{"/data/b/":"../b/"}'] },
    parse: text => parseLinkedFiles(text, 'linked_files'),
  }),
}

export const UPLOAD = 'A whole HDF5 file: the domain gets what is in it.'

/** The request of an upload. `options` are those of the created domain, for the caller. */
export function uploadRequest(
  { strict, replace, linkedFiles }: ParameterValues<typeof UPLOAD_OPTIONS>,
  { dialect, target, headers }: RequestHead,
  permit: (context: Context, path: DomainPath) => Promise<void>,
  optionsOf: (context: Context) => Omit<UploadOptions, 'replace'>,
): UploadRequest {
  return {
    strict,
    ...(linkedFiles && { linkedFiles }),
    // `curl -T` sends the name of the file in the path of the request.
    namesFor: path => [querystring.unescape(target.path.slice(1)), nameOf(path), fileNameOf(path)],
    async permit(context, path) {
      await permit(context, path)
      const length = headers['content-length']
      const bytes = length === undefined ? undefined : Number(length)
      await requireUpload(context, path, bytes, { ...optionsOf(context), replace })
    },
    async publish(context, path, contents) {
      await permit(context, path)
      const created = await publishUpload(context, path, contents, { ...optionsOf(context), replace })
      return (place, losses) => {
        const { domains } = dialect.present
        const body = domains.created({ ...place, root: created.entry.root }, created)
        return {
          status: 201,
          body: { ...body, warnings: losses.map(({ path, message }) => ({ path, message })) },
          changed: () => ({ path: created.entry.path, upload: true }),
        }
      }
    },
  }
}

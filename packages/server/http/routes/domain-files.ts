// HDF5 files of whole domains in requests and answers of `/`, in both dialects.

import querystring from 'node:querystring'
import { HyperslabError } from '@hyperslab/base/errors'
import type { DomainFile, DomainFiles, FileForm, FileLoss } from '@hyperslab/files/export'
import { parseLinkedFiles } from '@hyperslab/model/dataset'
import { excerpt } from '@hyperslab/model/json'
import { type DomainPath, nameOf, parseDomainPath } from '@hyperslab/model/names'
import type { Context } from '../../service/context.ts'
import {
  downloadDomain,
  publishUpload,
  requireUpload,
  type UploadOptions,
} from '../../service/domains/domain-files.ts'
import { fileNameOf } from '../../service/domains/path-names.ts'
import { parsePinned } from '../../service/domains/pinned.ts'
import { HDF5_FILE, mediaType } from '../message/content-types.ts'
import { tagOf } from '../message/entity-tag.ts'
import type { EmptyReply, RequestHead, StreamReply } from '../message/message.ts'
import { STRING } from '../message/schema.ts'
import { attachment } from '../output/attachment.ts'
import { flagQuery, optionalQuery, type Parameter, type ParameterValues } from '../route/parameter.ts'
import { namespaceReadRoute, type Route, type UploadRequest } from '../route/route.ts'

/** Parameters for the form of a domain's file. */
const FILE_FORM = {
  skipUnreadable: flagQuery(
    'skip_unreadable',
    'In a file: datasets without values are left out; otherwise they are an error.',
  ),
  repack: flagQuery(
    'repack',
    'A file that is served where it is, or that is stored as it was imported, is not sent as it is, but written anew.',
  ),
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

export function downloadReply({ file, path, leftOut }: Download): StreamReply {
  const paths = [...new Set(leftOut.map(loss => loss.path))]
  const listed = paths.slice(0, MAX_LISTED).map(path => encodeURIComponent(path).replaceAll('%2F', '/'))
  const more = paths.length > listed.length ? ['...'] : []
  return {
    status: 200,
    headers: {
      ...attachment(fileNameOf(path)),
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

/**
 * The route of domains as files of a file server, with paths that end with an extension, because programs look at it.
 */
export function fileRoute(files: DomainFiles, { accelRedirect }: FileFacts): Route {
  return namespaceReadRoute({
    name: 'get-domain-file',
    method: 'GET',
    path: '/h5/*',
    hasDomainInPath: true,
    summary: 'Gives a domain as an HDF5 file, of which ranges can be read.',
    access: 'read',
    parameters: {
      path: {
        name: 'path',
        in: 'path',
        description:
          'The path of the domain, in the default bucket, perhaps behind the state that it is to have.',
        schema: STRING,
        read: ({ target, dialect }) => {
          const names = target.path.split('/').slice(2)
          const { state, parts } = parsePinned(names.map(name => dialect.decodeName(name)))
          const path = parseDomainPath(parts.map(name => `/${name}`).join(''))
          return { path, state }
        },
      },
      ...FILE_FORM,
      proxySends: PROXY_SENDS,
    },
    answers: { 200: { description: 'The file.', file: WHOLE_DOMAIN } },
    async run(context, _, { path: { path, state }, proxySends, ...form }) {
      const found = await download(context, files, path, form, state)
      const isAnyState = state === undefined && context.requiredState === undefined
      return { ...found, place: proxySends && isAnyState ? found.file.place : undefined }
    },
    respond: ({ place, ...found }) =>
      accelRedirect === undefined || place === undefined
        ? downloadReply(found)
        : redirectReply(accelRedirect, found, place),
  })
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

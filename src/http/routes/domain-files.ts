// HDF5 files of whole domains in requests and answers of `/`, in both dialects.

import querystring from 'node:querystring'
import { HyperslabError } from '../../errors.ts'
import { type DomainPath, fileNameOf, nameOf } from '../../hdf5/domain-path.ts'
import { excerpt } from '../../hdf5/json.ts'
import { parseLinkedFiles } from '../../hdf5/linked-files.ts'
import type { Context } from '../../service/context.ts'
import {
  type DomainFile,
  type FileLoss,
  publishUpload,
  requireUpload,
  type UploadOptions,
} from '../../service/domains/domain-files.ts'
import { HDF5_FILE, mediaType } from '../message/content-types.ts'
import type { RequestHead, StreamReply } from '../message/message.ts'
import { attachment } from '../output/attachment.ts'
import { flagQuery, optionalQuery, type Parameter, type ParameterValues } from '../route/parameter.ts'
import type { UploadRequest } from '../route/route.ts'

/** What GET of `/` takes to give a domain as a file. */
export const DOWNLOAD_OPTIONS = {
  asFile: {
    name: 'format',
    in: 'query',
    description: `\`hdf5\`: the domain is answered as an HDF5 file, as with \`Accept: ${HDF5_FILE}\`.`,
    schema: { type: 'string', enum: ['hdf5', 'json'] },
    read: wantsFile,
  } satisfies Parameter<boolean>,
  skipUnreadable: flagQuery(
    'skip_unreadable',
    'In a file: datasets without values are left out; otherwise they are an error.',
  ),
}

function wantsFile({ target, headers: { accept = '' } }: RequestHead): boolean {
  const format = target.query.get('format')
  if (format === 'hdf5' || format === 'json') return format === 'hdf5'
  if (format === null || format === '') return accept.split(',').some(item => mediaType(item) === HDF5_FILE)
  throw new HyperslabError('malformed-parameter', `format=${excerpt(format)} must be hdf5 or json`)
}

/** A domain as a file, with its name, and with the paths of what is known to be left out. */
export interface Download {
  readonly file: DomainFile
  readonly path: DomainPath
  readonly leftOut: readonly FileLoss[]
}

/** Paths in a header: more would make it longer than clients take. */
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
    stream: { contentType: HDF5_FILE, length: file.length, pieces: file.pieces() },
  }
}

/** What PUT of `/` takes with a file. */
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

/** What can be asked for with a file. `options`: of the domain that is created, for the caller. */
export function uploadRequest(
  { strict, replace, linkedFiles }: ParameterValues<typeof UPLOAD_OPTIONS>,
  { dialect, target }: RequestHead,
  permit: (context: Context, path: DomainPath) => Promise<void>,
  optionsOf: (context: Context) => Omit<UploadOptions, 'replace'>,
): UploadRequest {
  return {
    strict,
    ...(linkedFiles && { linkedFiles }),
    // In the path of the request, `curl -T` sends the name of the file.
    namesFor: path => [querystring.unescape(target.path.slice(1)), nameOf(path), fileNameOf(path)],
    async permit(context, path) {
      await permit(context, path)
      await requireUpload(context, path, { ...optionsOf(context), replace })
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
        }
      }
    },
  }
}

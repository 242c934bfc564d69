// The Zarr view of domains, a path for each format (docs/decisions/064), and references to its chunks
// (docs/decisions/069). Both dialects answer alike.

import { keepReferences, readReferences } from '../../service/zarr/references.ts'
import { deleteZarr, MAX_BODY, permitZarr, putZarr } from '../../service/zarr/write.ts'
import { keepZarr, readZarr, type ZarrAnswer } from '../../service/zarr/zarr.ts'
import { addressInHeader } from '../dialect/hrefs.ts'
import { OCTETS } from '../message/content-types.ts'
import { isKnown, tagged, tagOf } from '../message/entity-tag.ts'
import { escapeHtml } from '../message/html.ts'
import type { ByteStream, Reply } from '../message/message.ts'
import { slices } from '../message/pieces.ts'
import { STRING } from '../message/schema.ts'
import { IS_ANONYMOUS } from '../route/common-parameters.ts'
import type { Parameter } from '../route/parameter.ts'
import { namespaceReadRoute, namespaceWriteRoute, type Route } from '../route/route.ts'

const JSON_TYPE = 'application/json'
const HTML = 'text/html; charset=utf-8'

/** The header of an answer that never changes, because its address names the state. */
const FIXED = 'max-age=31536000, immutable'

/** The address of the same document or chunk in the state of the answer. */
function pinned(path: string, state: string): string {
  return path.replace(/^\/zarr\/v[23]\//, start => `${start}~${state}/`)
}

function pathParameter(description: string): Parameter<string> {
  return {
    name: 'path',
    in: 'path',
    description,
    schema: STRING,
    read: ({ parameters }) => parameters['*'] ?? '',
  }
}

function cacheControl(isAnonymous: boolean, isFixed: boolean): string {
  return (isAnonymous ? '' : 'private, ') + (isFixed ? FIXED : 'no-cache')
}

const PARAMETERS = {
  path: pathParameter(
    'The path of a domain, that of an object in it, and the name of a document or a chunk.',
  ),
  isAnonymous: IS_ANONYMOUS,
  isKnown: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Entity tags of the versions that the client has.',
    schema: STRING,
    read:
      head =>
      ({ entityTag }: ByteStream) =>
        entityTag !== undefined && isKnown(head, entityTag),
  },
} satisfies Record<string, Parameter<unknown>>

export function zarrRoutes(): readonly Route[] {
  const kept = keepZarr()
  return ([2, 3] as const).map(format =>
    namespaceReadRoute({
      name: `get-zarr-${format}`,
      method: 'GET',
      path: `/zarr/v${format}/*`,
      hasDomainInPath: true,
      summary: `A document or a chunk of a domain as Zarr ${format}.`,
      access: 'read',
      repeatable: 'if-known',
      parameters: PARAMETERS,
      answers: {
        200: {
          description: 'A document as JSON, or the bytes of a chunk.',
          json: 'ZarrDocument',
          bytes: 'The bytes of a chunk.',
          formats: {
            'text/html': 'A page of links to the members of a group: its path, with a slash behind it.',
          },
        },
      },
      run: async (context, _, { path, isKnown }) => {
        const answer = await readZarr(context, path, format, kept)
        const stream = streamOf(answer)
        return { answer, stream: 'names' in answer || isKnown(stream) ? stream : await measured(stream) }
      },
      respond: ({ answer, stream }, { target, place }, { isAnonymous }): Reply => ({
        status: 200,
        headers: {
          'Cache-Control': cacheControl(isAnonymous, answer.isFixed),
          ...(answer.state && { 'Content-Location': place.prefix + pinned(target.path, answer.state) }),
        },
        stream,
      }),
    }),
  )
}

export function zarrWriteRoutes(): readonly Route[] {
  return ([2, 3] as const).flatMap(format => [
    namespaceWriteRoute({
      name: `put-zarr-${format}`,
      method: 'PUT',
      path: `/zarr/v${format}/*`,
      hasDomainInPath: true,
      summary: `Puts a document or a chunk of Zarr ${format}: domains, groups, datasets and attributes are made of them.`,
      access: 'update',
      permit: (context, _, { parameters }) => permitZarr(context, parameters['*'] ?? '', format),
      parameters: { path: PARAMETERS.path },
      body: {
        description: 'A document of Zarr, or the bytes of a chunk as the codecs of its array make them.',
        required: true,
        json: 'ZarrDocument',
        bytes: 'The bytes of a chunk, or of a document.',
        read: body => body.buffer(MAX_BODY),
      },
      answers: {
        201: { description: 'A group or an array was made.' },
        204: { description: 'It was changed.' },
      },
      run: (context, _, { path, body }) => putZarr(context, path, body, format),
      respond: (change, { target }): Reply => ({
        status: change === 'created' ? 201 : 204,
        changed: () => ({ path: target.path }),
      }),
    }),
    namespaceWriteRoute({
      name: `delete-zarr-${format}`,
      method: 'DELETE',
      path: `/zarr/v${format}/*`,
      hasDomainInPath: true,
      summary: `Deletes a chunk of Zarr ${format}, or a group, an array or a domain by its document or its path.`,
      access: 'delete',
      parameters: { path: PARAMETERS.path },
      answers: { 204: { description: 'It is deleted.' } },
      run: (context, _, { path }) => deleteZarr(context, path, format),
      respond: (_, { target }): Reply => ({ status: 204, changed: () => ({ path: target.path }) }),
    }),
  ])
}

/** References whose text may be longer than what is held until its length and its tag are known. */
const MANY_REFERENCES = 20_000

export function referencesRoute(): Route {
  const kept = keepReferences()
  return namespaceReadRoute({
    name: 'get-zarr-references',
    method: 'GET',
    path: '/zarr/refs/*',
    hasDomainInPath: true,
    summary: 'References of kerchunk to all chunks of a domain, or of a part of it.',
    access: 'read',
    parameters: {
      path: pathParameter('The path of a domain, and that of an object in it.'),
      isAnonymous: IS_ANONYMOUS,
    },
    answers: { 200: { description: 'Version 1 of the references of kerchunk.', json: 'References' } },
    run: (context, _, { path }) => readReferences(context, path, kept),
    respond: ({ count, name, text }, { place }, { isAnonymous }): Reply => {
      const base = addressInHeader(place.base)
      const isTagged = count > MANY_REFERENCES && name !== undefined
      return {
        status: 200,
        headers: { 'Cache-Control': cacheControl(isAnonymous, false) },
        stream: {
          contentType: JSON_TYPE,
          ...(isTagged && { entityTag: tagOf(`${base} ${name}`) }),
          pieces: { [Symbol.asyncIterator]: () => encoded(text(base)) },
        },
      }
    },
  })
}

async function* encoded(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of text) yield Buffer.from(piece)
}

/**
 * The stream with its length, so that HEAD has it and ranges are possible; unchanged if it is too long to be kept in
 * memory.
 */
async function measured(stream: ByteStream): Promise<ByteStream> {
  if (stream.length !== undefined) return stream
  const { entityTag } = stream
  return { ...(await tagged(stream)), ...(entityTag !== undefined && { entityTag }) }
}

/** A page of links, as file servers list folders. */
async function* pageOf(names: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  yield Buffer.from('<!doctype html><title>Members</title>\n')
  for await (const name of names) {
    yield Buffer.from(`<a href="${encodeURIComponent(name)}">${escapeHtml(name)}</a><br>\n`)
  }
}

/** The tags of documents: one that is kept may have megabytes. */
const TAGS = new WeakMap<Uint8Array, string>()

function streamOf(answer: ZarrAnswer): ByteStream {
  if ('document' in answer) {
    const { document } = answer
    const entityTag = TAGS.get(document) ?? tagOf(document)
    TAGS.set(document, entityTag)
    return { contentType: JSON_TYPE, length: document.length, entityTag, pieces: slices(document) }
  }
  if ('names' in answer) return { contentType: HTML, pieces: pageOf(answer.names) }
  const { name, length, pieces, piecesOf } = answer.chunk
  return {
    contentType: OCTETS,
    ...(length !== undefined && { length }),
    ...(name !== undefined && { entityTag: tagOf(name) }),
    ...(piecesOf && { piecesOf }),
    pieces,
  }
}

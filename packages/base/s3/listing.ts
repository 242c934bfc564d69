// The XML answers of S3: they are flat, so elements are found by their names.

/**
 * Bytes of an answer in XML: a page has at most 1,000 keys of 1,024 bytes, each byte of which may take three; others
 * are short.
 * @limit safety, bytes
 */
export const MAX_XML_BYTES = 16 * 2 ** 20

/** The state of an object in a listing. */
export interface ListedObject {
  readonly etag: string | undefined
  readonly size: number
}

export interface Listing {
  readonly objects: readonly { readonly key: string; readonly listed: ListedObject }[]
  /** The beginnings of keys up to and with the next slash. */
  readonly prefixes: readonly string[]
  /** The token of the next page; undefined: this is the last page. */
  readonly continuation?: string
}

/** Parses a listing; undefined: the XML is not one. Keys that are not UTF-8 are left out. */
export function parseListing(xml: string): Listing | undefined {
  if (!xml.includes('<ListBucketResult')) return undefined
  const decodeKey = contentOf(xml, 'EncodingType') === 'url' ? decodeUrl : (key: string) => key
  const continuation = contentOf(xml, 'NextContinuationToken')
  return {
    objects: elements(xml, 'Contents').flatMap(object => {
      const key = decodeKey(contentOf(object, 'Key') ?? '')
      const size = Number(contentOf(object, 'Size'))
      return key === undefined ? [] : [{ key, listed: { etag: contentOf(object, 'ETag'), size } }]
    }),
    prefixes: elements(xml, 'CommonPrefixes').flatMap(
      part => decodeKey(contentOf(part, 'Prefix') ?? '') ?? [],
    ),
    ...(contentOf(xml, 'IsTruncated') === 'true' && continuation !== undefined && { continuation }),
  }
}

/** The code of an error answer, such as `AccessDenied`. */
export function parseErrorCode(xml: string): string | undefined {
  return xml.includes('<Error') ? contentOf(xml, 'Code') : undefined
}

/** The contents of all elements of that name, none of which holds another. */
export function elements(xml: string, name: string): readonly string[] {
  const [opening, closing] = [`<${name}>`, `</${name}>`]
  const contents: string[] = []
  for (let offset = xml.indexOf(opening); offset >= 0; ) {
    const end = xml.indexOf(closing, offset)
    if (end < 0) break
    contents.push(xml.slice(offset + opening.length, end))
    offset = xml.indexOf(opening, end)
  }
  return contents
}

/** The text of the first element of that name. */
export function contentOf(xml: string, name: string): string | undefined {
  const [opening, closing] = [`<${name}>`, `</${name}>`]
  const start = xml.indexOf(opening)
  const end = start < 0 ? -1 : xml.indexOf(closing, start)
  return end < 0 ? undefined : decodeEntities(xml.slice(start + opening.length, end))
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (entity, decimal, hex, named) => {
    if (named) return ENTITIES[named] ?? entity
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10_ffff ? String.fromCodePoint(code) : entity
  })
}

/** Decodes a key of `encoding-type=url`, where a blank is `+`. */
function decodeUrl(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

// Domain paths, the one name of a domain or folder: `/home/ann/run7`.
//
// Buckets are namespaces beside each other, each with a top level of its own (hsds-objects 1.2). A path in the default
// bucket is alone; one in another begins with the bucket's name, `archive/home/ann/run7`, and has no DNS name.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '../json/json.ts'
import { isUtf8LongerThan, isWellFormed } from './utf8.ts'

/**
 * The bucket and `/`, or `/` before each of one or more components. A component is text of 1 to 255 bytes, is neither
 * `.` nor `..`, and holds no slash, backslash or NUL. Made by the functions of this file only.
 */
export type DomainPath = string & { readonly __path: 'DomainPath' }

/** The beginning of paths in a bucket: its name, which has no slash, or nothing for the default bucket. */
export type Bucket = string & { readonly __bucket: 'Bucket' }

export const DEFAULT_BUCKET = '' as Bucket

/** The top-level folder of the default bucket; as a DNS name it is the base domain itself. */
export const ROOT_FOLDER = '/' as DomainPath

export function topLevelOf(bucket: Bucket): DomainPath {
  return `${bucket}/` as DomainPath
}

export function isTopLevel(path: DomainPath): boolean {
  return path.endsWith('/')
}

export function bucketOf(path: DomainPath): Bucket {
  return path.slice(0, path.indexOf('/')) as Bucket
}

/** Bytes of one component of a domain path. @limit safety, bytes */
export const MAX_COMPONENT_BYTES = 255
/** Bytes of a domain path. @limit safety, bytes */
export const MAX_PATH_BYTES = 4096

/** The extension of HDF5 files, which the DNS name of a domain may leave out. */
export const FILE_EXTENSION = '.h5'

/** The path in the bucket that is spelled `/home/ann/run7` or `hdf5://home/ann/run7`. */
export function parseDomainPath(text: string, bucket = DEFAULT_BUCKET): DomainPath {
  const path = withoutScheme(text)
  if (path === '/') return topLevelOf(bucket)
  if (!path.startsWith('/')) throw malformedDomain(text, 'a domain path must start with "/"')
  if (path.endsWith('/')) throw malformedDomain(text, 'a domain path must not end with "/"')
  return joinComponents(bucket, path.slice(1).split('/'), text)
}

/** The folder that holds the domain or folder. A top-level folder is its own parent. */
export function parentOf(path: DomainPath): DomainPath {
  const end = path.lastIndexOf('/')
  return path.slice(0, end === path.indexOf('/') ? end + 1 : end) as DomainPath
}

/** The last component; empty for a top-level folder. */
export function nameOf(path: DomainPath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Whether the path is the folder or is below it. */
export function isWithin(folder: DomainPath, path: DomainPath): boolean {
  return path === folder || path.startsWith(isTopLevel(folder) ? folder : `${folder}/`)
}

/**
 * The names that lead from the folder to the path; none if they are the same. Undefined: the path is not within the
 * folder.
 */
export function namesBelow(folder: DomainPath, path: DomainPath): readonly string[] | undefined {
  return isWithin(folder, path) ? componentsOf(path).slice(componentsOf(folder).length) : undefined
}

export function childOf(folder: DomainPath, name: string): DomainPath {
  return joinComponents(bucketOf(folder), [...componentsOf(folder), name], name)
}

/** The same; undefined: the name is none that a domain can have, or too long there. */
export function childIfValid(folder: DomainPath, name: string): DomainPath | undefined {
  try {
    return childOf(folder, name)
  } catch (error) {
    if (error instanceof HyperslabError) return undefined
    throw error
  }
}

export function componentsOf(path: DomainPath): string[] {
  return isTopLevel(path) ? [] : path.slice(path.indexOf('/') + 1).split('/')
}

export function joinComponents(bucket: Bucket, components: readonly string[], source: string): DomainPath {
  for (const component of components) checkComponent(component, source)
  const path = `${bucket}/${components.join('/')}`
  if (isUtf8LongerThan(path, MAX_PATH_BYTES)) {
    throw malformedDomain(source, `a domain path must take at most ${MAX_PATH_BYTES} bytes of UTF-8`)
  }
  return path as DomainPath
}

function checkComponent(component: string, source: string): void {
  if (component === '') throw malformedDomain(source, 'no component of it may be empty')
  if (component === '.' || component === '..')
    throw malformedDomain(source, `no component of it may be "${component}"`)
  if (/[/\\\0]/.test(component)) throw malformedDomain(source, 'no component of it may hold "/", "\\" or NUL')
  if (!isWellFormed(component)) throw malformedDomain(source, 'it must not hold half of a surrogate pair')
  if (isUtf8LongerThan(component, MAX_COMPONENT_BYTES)) {
    throw malformedDomain(source, `a component of it must take at most ${MAX_COMPONENT_BYTES} bytes of UTF-8`)
  }
}

/** `hdf5://home/x` is `/home/x` (hsds-objects 1.1). */
export function withoutScheme(text: string): string {
  return text.startsWith('hdf5:/') ? text.slice('hdf5:/'.length) : text
}

export function malformedDomain(text: string, rule: string): HyperslabError {
  return new HyperslabError('malformed-domain', `the domain ${excerpt(text)} is malformed: ${rule}`)
}

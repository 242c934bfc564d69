// Names made from domain paths, and the paths that links name.

import {
  bucketOf,
  componentsOf,
  type DomainPath,
  FILE_EXTENSION,
  joinComponents,
  malformedDomain,
  nameOf,
  parentOf,
  withoutScheme,
} from '@hyperslab/model/names'

const BUCKET_NAME = /^[\w.-]+$/

export function isBucketName(text: string): boolean {
  return BUCKET_NAME.test(text)
}

/** The path as clients write it beside the bucket: `/home/ann/run7`. */
export function pathInBucket(path: DomainPath): string {
  return path.slice(path.indexOf('/'))
}

/** A name for the file of a domain: that of the domain, with `.h5` if it has no extension. */
export function fileNameOf(path: DomainPath): string {
  const name = nameOf(path)
  return name.lastIndexOf('.') > 0 ? name : name + FILE_EXTENSION
}

/**
 * The domain that an external link names, in the bucket of the domain that holds the link: by its path or, without a
 * slash at the beginning, from the folder of that domain (hsds-objects 8.7 and 11.1), with `..` as in names of files.
 */
export function parseLinkedDomain(text: string, holder: DomainPath): DomainPath {
  const path = withoutScheme(text)
  const components = path.startsWith('/') ? [] : componentsOf(parentOf(holder))
  for (const component of path.split('/')) {
    if (component === '..') components.pop()
    else if (component !== '' && component !== '.') components.push(component)
  }
  if (components.length === 0) throw malformedDomain(text, 'it names the top level, which is a folder')
  return joinComponents(bucketOf(holder), components, text)
}

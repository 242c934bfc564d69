// The types of requests and answers, made from the routes and schemas of the hsds dialect (packages/server/http/client-types.test.ts). Do not edit.

/**
 * The domain or folder; with `h5path` an object of the domain; the domains and folders at the top level where the request names none.
 */
export type DomainView = Domain | Folder | FoundObject | FolderList
/**
 * A domain; with `verbose` also its counts and sizes.
 */
export type Domain =
  | {
      owner: string
      created: number
      lastModified: number
      /**
       * With `getdnids`: it never changes.
       */
      dn_ids?: string[]
      /**
       * Served where it is: no request changes it.
       */
      mounted?: true
      /**
       * Made of mounted files: no request changes anything in it.
       */
      joined?: true
      /**
       * Files that are read as this one domain.
       */
      num_files?: number
      /**
       * Bytes of the mounted file, or of all files of a joined domain.
       */
      file_size?: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      version: string
      limits: {
        min_chunk_size: number
        max_chunk_size: number
        max_request_size: number
      }
      compressors: string[]
      root: string
      class: 'domain'
      join?: JoinDefinition
      /**
       * The files of a joined domain that cannot be read, as far as they were looked at. Absent: none is known.
       */
      unwell?: {
        file: string
        reason: string
      }[]
      /**
       * A joined domain does not have all of its files yet: their structures are being read.
       */
      joining?: {
        /**
         * Files that the domain has by now.
         */
        joined: number
        /**
         * Files that were read.
         */
        read: number
      }
      /**
       * Different after every change of anything in the domain.
       */
      state: string
      /**
       * With `getobjs`: the objects by their ids, the root group first.
       */
      domain_objs?: {
        [k: string]: BulkObject
      }
      /**
       * Addresses of related resources.
       */
      hrefs: {
        href: string
        rel: string
      }[]
    }
  | {
      owner: string
      created: number
      lastModified: number
      /**
       * With `getdnids`: it never changes.
       */
      dn_ids?: string[]
      /**
       * Served where it is: no request changes it.
       */
      mounted?: true
      /**
       * Made of mounted files: no request changes anything in it.
       */
      joined?: true
      /**
       * Files that are read as this one domain.
       */
      num_files?: number
      /**
       * Bytes of the mounted file, or of all files of a joined domain.
       */
      file_size?: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      version: string
      limits: {
        min_chunk_size: number
        max_chunk_size: number
        max_request_size: number
      }
      compressors: string[]
      root: string
      class: 'domain'
      join?: JoinDefinition
      /**
       * The files of a joined domain that cannot be read, as far as they were looked at. Absent: none is known.
       */
      unwell?: {
        file: string
        reason: string
      }[]
      /**
       * A joined domain does not have all of its files yet: their structures are being read.
       */
      joining?: {
        /**
         * Files that the domain has by now.
         */
        joined: number
        /**
         * Files that were read.
         */
        read: number
      }
      /**
       * Different after every change of anything in the domain.
       */
      state: string
      /**
       * With `getobjs`: the objects by their ids, the root group first.
       */
      domain_objs?: {
        [k: string]: BulkObject
      }
      /**
       * Addresses of related resources.
       */
      hrefs: {
        href: string
        rel: string
      }[]
      num_groups: number
      num_datasets: number
      num_datatypes: number
      num_objects: number
      num_chunks: number
      num_linked_chunks: number
      total_size: number
      allocated_bytes: number
      metadata_bytes: number
      linked_bytes: number
      md5_sum: string
      /**
       * The numbers are those of the request: `scan_start` and `scan_complete` are its time.
       */
      scan_info: {
        lastModified: number
        num_groups: number
        num_datatypes: number
        /**
         * Entries by the ids of the datasets; absent where there are more than 1,000.
         */
        datasets?: {
          [k: string]: {
            lastModified: number
            num_chunks: number
            allocated_bytes: number
            logical_bytes: number
            linked_bytes: number
            num_linked_chunks: number
          }
        }
        num_chunks: number
        allocated_bytes: number
        metadata_bytes: number
        num_linked_chunks: number
        linked_bytes: number
        logical_bytes: number
        bucket: string
        scan_start: number
        md5_sum: string
        scan_complete: number
      }
    }
/**
 * One of all objects of a domain. Small datasets come with their values.
 */
export type BulkObject =
  | {
      id: string
      root: string
      created: number
      lastModified: number
      attributeCount: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      linkCount: number
      creationProperties?: unknown
      links: {
        [k: string]: StoredLink
      }
      attributes?: {
        [k: string]:
          | {
              shape: Shape
              type: Type
              value: unknown
              encoding?: 'base64'
              created: number
            }
          | {
              unreadable: string
              created: number
            }
      }
    }
  | {
      id: string
      root: string
      created: number
      lastModified: number
      attributeCount: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      shape: Shape
      type: Type
      layout?: Layout
      creationProperties: CreationProperties
      attributes?: {
        [k: string]:
          | {
              shape: Shape
              type: Type
              value: unknown
              encoding?: 'base64'
              created: number
            }
          | {
              unreadable: string
              created: number
            }
      }
      value?: unknown
    }
  | {
      id: string
      root: string
      created: number
      lastModified: number
      attributeCount: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      type: Type
      attributes?: {
        [k: string]:
          | {
              shape: Shape
              type: Type
              value: unknown
              encoding?: 'base64'
              created: number
            }
          | {
              unreadable: string
              created: number
            }
      }
    }
/**
 * A link in a map by title.
 */
export type StoredLink =
  | {
      class: 'H5L_TYPE_HARD'
      id: string
      title?: string
      created: number
    }
  | {
      class: 'H5L_TYPE_SOFT'
      h5path: string
      title?: string
      created: number
    }
  | {
      class: 'H5L_TYPE_EXTERNAL'
      h5path: string
      h5domain: string
      file: string
      title?: string
      created: number
    }
  | {
      class: 'H5L_TYPE_USER_DEFINED'
      title?: string
      created: number
    }
  | {
      class: 'H5L_TYPE_ERROR'
      unreadable: string
      title?: string
      created: number
    }
export type Shape =
  | {
      class: 'H5S_NULL' | 'H5S_SCALAR'
    }
  | {
      class: 'H5S_SIMPLE'
      dims: number[]
      /**
       * The extents that a dataset can grow to; 0 is without limit.
       */
      maxdims?: number[]
    }
/**
 * A type as it was sent: members that have no meaning come back too. `id` is that of the committed datatype that it was taken from.
 */
export type Type =
  | {
      class: 'H5T_INTEGER' | 'H5T_FLOAT'
      base: string
      id?: string
      [k: string]: unknown
    }
  | {
      class: 'H5T_STRING'
      charSet?: string
      strPad?: string
      length?: number | 'H5T_VARIABLE'
      id?: string
      [k: string]: unknown
    }
  | {
      class: 'H5T_COMPOUND'
      fields: {
        name: string
        type: string | Type
        [k: string]: unknown
      }[]
      id?: string
      [k: string]: unknown
    }
  | {
      class: 'H5T_ARRAY'
      dims: number | number[]
      base: string | Type
      id?: string
      [k: string]: unknown
    }
  | {
      class: 'H5T_ENUM'
      base: string | Type
      mapping: {
        [k: string]: number
      }
      members: {
        name: string
        value: number
        [k: string]: unknown
      }[]
      id?: string
      [k: string]: unknown
    }
  | {
      class: 'H5T_VLEN'
      base: string | Type
      size?: unknown
      id?: string
      [k: string]: unknown
    }
  | {
      class: 'H5T_OPAQUE'
      size: number
      tag?: string
      id?: string
      [k: string]: unknown
    }
  | {
      class: 'H5T_REFERENCE'
      base: 'H5T_STD_REF_OBJ' | 'H5T_STD_REF_DSETREG'
      id?: string
      [k: string]: unknown
    }
/**
 * The layout in effect, with the chunks that values are stored in.
 */
export type Layout =
  | {
      class: 'H5D_CHUNKED'
      dims: number[]
    }
  | {
      class: 'H5D_COMPACT'
    }
/**
 * An object that was found by its path; alone it has `hrefs`.
 */
export type FoundObject =
  | {
      class: 'group'
      id: string
      root: string
      created: number
      lastModified: number
      attributeCount: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      linkCount: number
      creationProperties?: unknown
      domain: string
      /**
       * With `include_attrs`: by their names.
       */
      attributes?: {
        [k: string]: AttributeItem
      }
      /**
       * Addresses of related resources.
       */
      hrefs?: {
        href: string
        rel: string
      }[]
      bucket: string
      /**
       * With `include_links`: by their titles.
       */
      links?: {
        [k: string]: StoredLink
      }
    }
  | {
      class: 'dataset'
      id: string
      root: string
      created: number
      lastModified: number
      attributeCount: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      shape: Shape
      type: Type
      layout?: Layout
      creationProperties: CreationProperties
      domain: string
      /**
       * With `include_attrs`: by their names.
       */
      attributes?: {
        [k: string]: AttributeItem
      }
      /**
       * Addresses of related resources.
       */
      hrefs?: {
        href: string
        rel: string
      }[]
    }
  | {
      class: 'datatype'
      id: string
      root: string
      created: number
      lastModified: number
      attributeCount: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      type: Type
      creationProperties?: unknown
      domain: string
      /**
       * With `include_attrs`: by their names.
       */
      attributes?: {
        [k: string]: AttributeItem
      }
      /**
       * Addresses of related resources.
       */
      hrefs?: {
        href: string
        rel: string
      }[]
    }
/**
 * An attribute in a list, or why one of a mounted file cannot be read. Lists of one object, read by GET, have `href`.
 */
export type AttributeItem =
  | {
      name: string
      shape: Shape
      type: Type
      value?: AnyValue
      encoding?: 'base64'
      created: number
      href?: string
    }
  | {
      name: string
      unreadable: string
      created: number
      href?: string
    }
/**
 * A domain or folder in a list, by its path; with `verbose` also its counts and sizes.
 */
export type ListedDomain =
  | {
      /**
       * Served where it is: no request changes it.
       */
      mounted?: true
      /**
       * Made of mounted files: no request changes anything in it.
       */
      joined?: true
      /**
       * Files that are read as this one domain.
       */
      num_files?: number
      /**
       * Bytes of the mounted file, or of all files of a joined domain.
       */
      file_size?: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      name: string
      owner: string
      created: number
      lastModified: number
      /**
       * Addresses of related resources.
       */
      hrefs: {
        href: string
        rel: string
      }[]
      class: 'domain'
      root: string
    }
  | {
      /**
       * Served where it is: no request changes it.
       */
      mounted?: true
      /**
       * Made of mounted files: no request changes anything in it.
       */
      joined?: true
      /**
       * Files that are read as this one domain.
       */
      num_files?: number
      /**
       * Bytes of the mounted file, or of all files of a joined domain.
       */
      file_size?: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      name: string
      owner: string
      created: number
      lastModified: number
      /**
       * Addresses of related resources.
       */
      hrefs: {
        href: string
        rel: string
      }[]
      class: 'domain'
      root: string
      num_groups: number
      num_datasets: number
      num_datatypes: number
      num_objects: number
      num_chunks: number
      num_linked_chunks: number
      total_size: number
      allocated_bytes: number
      metadata_bytes: number
      linked_bytes: number
      md5_sum: string
    }
  | {
      /**
       * Served where it is: no request changes it.
       */
      mounted?: true
      /**
       * Made of mounted files: no request changes anything in it.
       */
      joined?: true
      /**
       * Files that are read as this one domain.
       */
      num_files?: number
      /**
       * Bytes of the mounted file, or of all files of a joined domain.
       */
      file_size?: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      name: string
      owner: string
      created: number
      lastModified: number
      /**
       * Addresses of related resources.
       */
      hrefs: {
        href: string
        rel: string
      }[]
      class: 'folder'
    }
/**
 * The options of a new domain or folder; or `flush`, `rescan` or `moved_from` of one that exists. Flags that the body lacks may be in the query. Other members are errors.
 */
export type NewDomain = {
  folder?: true | false | 1 | 0 | null
  /**
   * For administrators; otherwise the caller is the owner.
   */
  owner?: string
  /**
   * The path of a domain: the new one gets its root group, so that both hold the same.
   */
  linked_domain?: string
  /**
   * The bucket that linked_domain is in.
   */
  linked_bucket?: string
  /**
   * The path of a domain or folder, which gets this one instead, with all that is in it. Alone.
   */
  moved_from?: string
  /**
   * The id of the new root group.
   */
  root_id?: string
  join?: JoinDefinition
  /**
   * The path of a file that is gone: the joined domain closes its place. Alone.
   */
  forget?: string
  /**
   * With `join`: nothing is created; the answer says what the files would be together.
   */
  dry_run?: true | false | 1 | 0 | null
  group?: {
    creationProperties?: unknown
  }
  flush?: true | false | 1 | 0 | null
  rescan?: true | false | 1 | 0 | null
  getdnids?: true | false | 1 | 0 | null
} | null
export type PutDone = DataNodes | JoinReview
/**
 * The new domain or folder, with the flags of its access control list by the names of the users.
 */
export type DomainCreated =
  | {
      owner: string
      created: number
      lastModified: number
      /**
       * With `getdnids`: it never changes.
       */
      dn_ids?: string[]
      /**
       * Served where it is: no request changes it.
       */
      mounted?: true
      /**
       * Made of mounted files: no request changes anything in it.
       */
      joined?: true
      /**
       * Files that are read as this one domain.
       */
      num_files?: number
      /**
       * Bytes of the mounted file, or of all files of a joined domain.
       */
      file_size?: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      version: string
      limits: {
        min_chunk_size: number
        max_chunk_size: number
        max_request_size: number
      }
      compressors: string[]
      root: string
      class: 'domain'
      acls: {
        [k: string]: {
          create: boolean
          read: boolean
          update: boolean
          delete: boolean
          readACL: boolean
          updateACL: boolean
        }
      }
      /**
       * The parts of a file that were left out or changed; of a joined domain, sources in which there is no file, and files that are left out.
       */
      warnings?: {
        path: string
        message: string
      }[]
    }
  | {
      owner: string
      created: number
      lastModified: number
      /**
       * With `getdnids`: it never changes.
       */
      dn_ids?: string[]
      /**
       * Served where it is: no request changes it.
       */
      mounted?: true
      /**
       * Made of mounted files: no request changes anything in it.
       */
      joined?: true
      /**
       * Files that are read as this one domain.
       */
      num_files?: number
      /**
       * Bytes of the mounted file, or of all files of a joined domain.
       */
      file_size?: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      class: 'folder'
      version: string
      limits: {
        min_chunk_size: number
        max_chunk_size: number
        max_request_size: number
      }
      compressors: string[]
      acls: {
        [k: string]: {
          create: boolean
          read: boolean
          update: boolean
          delete: boolean
          readACL: boolean
          updateACL: boolean
        }
      }
    }
/**
 * Options; a body replaces all options of the query. Other members are errors.
 */
export type DomainDeletion = {
  keep_root?: true | false | 1 | 0 | null
  meta_only?: true | false | 1 | 0 | null
} | null
/**
 * A path, the kind of what is there (`link`: a link that is no hard link), and the id of a group.
 */
export type PathList = [string, string] | [string, string, string][]
export type GroupList =
  | {
      groups: string[]
      /**
       * Addresses of related resources.
       */
      hrefs: {
        href: string
        rel: string
      }[]
    }
  | Group
/**
 * One object, or a list of them. Other members are errors.
 */
export type NewGroup =
  | ({
      /**
       * The id of the new object; without, it gets a new one.
       */
      id?: string
      /**
       * The path where it is linked.
       */
      h5path?: string
      /**
       * The group where h5path starts; without, the root group.
       */
      parent_id?: string
      /**
       * A link to it, instead of h5path; without id in the root group.
       */
      link?: {
        id?: string
        name: string
      }
      /**
       * Attributes by their names.
       */
      attributes?: {
        [k: string]: NewAttribute
      }
      /**
       * Seconds since 1970; a value that is not a number is ignored.
       */
      created?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      root?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      class?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      domain?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      bucket?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      alias?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      lastModified?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      attributeCount?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      linkCount?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      layout?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      num_chunks?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      allocated_size?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      hrefs?: {
        [k: string]: unknown
      }
      /**
       * Links of the new group by their titles.
       */
      links?: {
        [k: string]: NewLink
      }
      /**
       * Any JSON; it comes back as it was sent.
       */
      creationProperties?: {
        [k: string]: unknown
      }
    } | null)
  | ({
      /**
       * The id of the new object; without, it gets a new one.
       */
      id?: string
      /**
       * The path where it is linked.
       */
      h5path?: string
      /**
       * The group where h5path starts; without, the root group.
       */
      parent_id?: string
      /**
       * A link to it, instead of h5path; without id in the root group.
       */
      link?: {
        id?: string
        name: string
      }
      /**
       * Attributes by their names.
       */
      attributes?: {
        [k: string]: NewAttribute
      }
      /**
       * Seconds since 1970; a value that is not a number is ignored.
       */
      created?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      root?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      class?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      domain?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      bucket?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      alias?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      lastModified?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      attributeCount?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      linkCount?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      layout?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      num_chunks?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      allocated_size?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      hrefs?: {
        [k: string]: unknown
      }
      /**
       * Links of the new group by their titles.
       */
      links?: {
        [k: string]: NewLink
      }
      /**
       * Any JSON; it comes back as it was sent.
       */
      creationProperties?: {
        [k: string]: unknown
      }
    } | null)[]
/**
 * A type. Other members of its objects have no effect.
 */
export type TypeInput =
  | string
  | {
      class: 'H5T_INTEGER' | 'H5T_FLOAT'
      base: string
      [k: string]: unknown
    }
  | {
      class: 'H5T_STRING'
      length?: number | 'H5T_VARIABLE'
      /**
       * Another name of length.
       */
      strsize?: number | 'H5T_VARIABLE'
      charSet?: 'H5T_CSET_ASCII' | 'H5T_CSET_UTF8'
      /**
       * Another name of charSet.
       */
      cset?: 'H5T_CSET_ASCII' | 'H5T_CSET_UTF8'
      strPad?: 'H5T_STR_NULLTERM' | 'H5T_STR_NULLPAD' | 'H5T_STR_SPACEPAD'
      /**
       * Another name of strPad.
       */
      strpad?: 'H5T_STR_NULLTERM' | 'H5T_STR_NULLPAD' | 'H5T_STR_SPACEPAD'
      [k: string]: unknown
    }
  | {
      class: 'H5T_COMPOUND'
      fields: {
        name: string
        type: TypeInput
        [k: string]: unknown
      }[]
      [k: string]: unknown
    }
  | {
      class: 'H5T_ARRAY'
      dims: number | number[]
      base: TypeInput
      [k: string]: unknown
    }
  | {
      class: 'H5T_ENUM'
      base: TypeInput
      mapping?: {
        [k: string]: number
      }
      /**
       * Instead of mapping, or the same.
       */
      members?: {
        name: string
        value: number
        [k: string]: unknown
      }[]
      [k: string]: unknown
    }
  | {
      class: 'H5T_VLEN'
      base: TypeInput
      [k: string]: unknown
    }
  | {
      class: 'H5T_OPAQUE'
      size: number
      tag?: string
      [k: string]: unknown
    }
  | {
      class: 'H5T_REFERENCE'
      base: 'H5T_STD_REF_OBJ' | 'H5T_STD_REF_DSETREG'
      [k: string]: unknown
    }
/**
 * A hard link has `id`, a soft link `h5path`, an external link `h5path` and `h5domain` or `file`. Other members are errors.
 */
export type NewLink = {
  [k: string]: unknown
}
export type GroupCreated =
  | {
      id: string
      root: string
      created: number
      lastModified: number
      attributeCount: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      linkCount: number
      creationProperties?: unknown
    }
  | {
      objects: {
        id: string
        root: string
        created: number
        lastModified: number
        attributeCount: number
        /**
         * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
         */
        damage?: string
        linkCount: number
        creationProperties?: unknown
      }[]
    }
export type DatasetList =
  | {
      datasets: string[]
      /**
       * Addresses of related resources.
       */
      hrefs: {
        href: string
        rel: string
      }[]
    }
  | Dataset
/**
 * One object, or a list of them. Other members are errors.
 */
export type NewDataset =
  | {
      /**
       * The id of the new object; without, it gets a new one.
       */
      id?: string
      /**
       * The path where it is linked.
       */
      h5path?: string
      /**
       * The group where h5path starts; without, the root group.
       */
      parent_id?: string
      /**
       * A link to it, instead of h5path; without id in the root group.
       */
      link?: {
        id?: string
        name: string
      }
      /**
       * Attributes by their names.
       */
      attributes?: {
        [k: string]: NewAttribute
      }
      /**
       * Seconds since 1970; a value that is not a number is ignored.
       */
      created?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      root?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      class?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      domain?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      bucket?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      alias?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      lastModified?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      attributeCount?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      linkCount?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      layout?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      num_chunks?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      allocated_size?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      hrefs?: {
        [k: string]: unknown
      }
      type: TypeInput
      shape?: ShapeInput
      /**
       * The extents that a dataset can grow to; 0 and H5S_UNLIMITED are without limit.
       */
      maxdims?: (number | 'H5S_UNLIMITED') | (number | 'H5S_UNLIMITED')[]
      creationProperties?: CreationPropertiesInput
      /**
       * The first values, in the shape of the dataset.
       */
      value?: {
        [k: string]: unknown
      }
    }
  | {
      /**
       * The id of the new object; without, it gets a new one.
       */
      id?: string
      /**
       * The path where it is linked.
       */
      h5path?: string
      /**
       * The group where h5path starts; without, the root group.
       */
      parent_id?: string
      /**
       * A link to it, instead of h5path; without id in the root group.
       */
      link?: {
        id?: string
        name: string
      }
      /**
       * Attributes by their names.
       */
      attributes?: {
        [k: string]: NewAttribute
      }
      /**
       * Seconds since 1970; a value that is not a number is ignored.
       */
      created?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      root?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      class?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      domain?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      bucket?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      alias?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      lastModified?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      attributeCount?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      linkCount?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      layout?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      num_chunks?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      allocated_size?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      hrefs?: {
        [k: string]: unknown
      }
      type: TypeInput
      shape?: ShapeInput
      /**
       * The extents that a dataset can grow to; 0 and H5S_UNLIMITED are without limit.
       */
      maxdims?: (number | 'H5S_UNLIMITED') | (number | 'H5S_UNLIMITED')[]
      creationProperties?: CreationPropertiesInput
      /**
       * The first values, in the shape of the dataset.
       */
      value?: {
        [k: string]: unknown
      }
    }[]
/**
 * A number is the extent of one dimension; an empty list is a scalar.
 */
export type ShapeInput =
  | number
  | number[]
  | ('H5S_NULL' | 'H5S_SCALAR')
  | {
      class: 'H5S_NULL' | 'H5S_SCALAR'
      [k: string]: unknown
    }
  | {
      class: 'H5S_SIMPLE'
      dims: number[]
      /**
       * The extents that a dataset can grow to; 0 and H5S_UNLIMITED are without limit.
       */
      maxdims?: (number | 'H5S_UNLIMITED') | (number | 'H5S_UNLIMITED')[]
      [k: string]: unknown
    }
export type DatasetCreated =
  | {
      id: string
      root: string
      created: number
      lastModified: number
      attributeCount: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      shape: Shape
      type: Type
      layout?: Layout
      creationProperties: CreationProperties
    }
  | {
      objects: {
        id: string
        root: string
        created: number
        lastModified: number
        attributeCount: number
        /**
         * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
         */
        damage?: string
        shape: Shape
        type: Type
        layout?: Layout
        creationProperties: CreationProperties
      }[]
    }
export type DatatypeList =
  | {
      datatypes: string[]
      /**
       * Addresses of related resources.
       */
      hrefs: {
        href: string
        rel: string
      }[]
    }
  | Datatype
/**
 * One object, or a list of them. Other members are errors.
 */
export type NewDatatype =
  | {
      /**
       * The id of the new object; without, it gets a new one.
       */
      id?: string
      /**
       * The path where it is linked.
       */
      h5path?: string
      /**
       * The group where h5path starts; without, the root group.
       */
      parent_id?: string
      /**
       * A link to it, instead of h5path; without id in the root group.
       */
      link?: {
        id?: string
        name: string
      }
      /**
       * Attributes by their names.
       */
      attributes?: {
        [k: string]: NewAttribute
      }
      /**
       * Seconds since 1970; a value that is not a number is ignored.
       */
      created?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      root?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      class?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      domain?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      bucket?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      alias?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      lastModified?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      attributeCount?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      linkCount?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      layout?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      num_chunks?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      allocated_size?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      hrefs?: {
        [k: string]: unknown
      }
      type: TypeInput
      /**
       * Any JSON; it comes back as it was sent.
       */
      creationProperties?: {
        [k: string]: unknown
      }
    }
  | {
      /**
       * The id of the new object; without, it gets a new one.
       */
      id?: string
      /**
       * The path where it is linked.
       */
      h5path?: string
      /**
       * The group where h5path starts; without, the root group.
       */
      parent_id?: string
      /**
       * A link to it, instead of h5path; without id in the root group.
       */
      link?: {
        id?: string
        name: string
      }
      /**
       * Attributes by their names.
       */
      attributes?: {
        [k: string]: NewAttribute
      }
      /**
       * Seconds since 1970; a value that is not a number is ignored.
       */
      created?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      root?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      class?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      domain?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      bucket?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      alias?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      lastModified?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      attributeCount?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      linkCount?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      layout?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      num_chunks?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      allocated_size?: {
        [k: string]: unknown
      }
      /**
       * Ignored: answers have it.
       */
      hrefs?: {
        [k: string]: unknown
      }
      type: TypeInput
      /**
       * Any JSON; it comes back as it was sent.
       */
      creationProperties?: {
        [k: string]: unknown
      }
    }[]
export type DatatypeCreated =
  | {
      id: string
      root: string
      created: number
      lastModified: number
      attributeCount: number
      /**
       * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
       */
      damage?: string
      type: Type
    }
  | {
      objects: {
        id: string
        root: string
        created: number
        lastModified: number
        attributeCount: number
        /**
         * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
         */
        damage?: string
        type: Type
      }[]
    }
/**
 * A link in a list.
 */
export type LinkItem =
  | {
      class: 'H5L_TYPE_HARD'
      id: string
      collection: 'groups' | 'datasets' | 'datatypes'
      target: string
      title: string
      created: number
      href: string
    }
  | {
      class: 'H5L_TYPE_SOFT'
      h5path: string
      title: string
      created: number
      href: string
    }
  | {
      class: 'H5L_TYPE_EXTERNAL'
      h5path: string
      h5domain: string
      file: string
      title: string
      created: number
      href: string
    }
  | {
      class: 'H5L_TYPE_USER_DEFINED'
      title: string
      created: number
      href: string
    }
  | {
      class: 'H5L_TYPE_ERROR'
      unreadable: string
      title: string
      created: number
      href: string
    }
/**
 * The new extents, or by how much (`extend`) a dimension (`extend_dim`, by default 0) grows.
 */
export type ShapeChange = {
  [k: string]: unknown
}
export type ValueOrStatistics = Value | ValueStatistics
export type ValueInput = NewValue | QueryUpdate
/**
 * The elements, in `value` or `value_base64`, and which they are: a selection, or with `append` new ones; or all.
 */
export type NewValue = {
  [k: string]: unknown
}
/**
 * Nothing; of a query, which elements were changed.
 */
export type ValueWritten = {} | QueryUpdated
/**
 * The flags of a user. `domain` is the domain or folder that a request put the item on. Items of objects have the name twice.
 */
export type AclItem =
  | {
      userName: string
      create: boolean
      read: boolean
      update: boolean
      delete: boolean
      readACL: boolean
      updateACL: boolean
      domain?: string
    }
  | {
      username: string
      userName: string
      create: boolean
      read: boolean
      update: boolean
      delete: boolean
      readACL: boolean
      updateACL: boolean
      domain?: string
    }

/**
 * The request and the JSON answer of each operation. `parameters` are those of the path, in braces, and of the query.
 */
export interface Operations {
  /**
   * Describes the service and, for callers that may see them, gives figures about the process.
   */
  'GET /info': {
    parameters: {}
    answer: Info
  }
  /**
   * Describes the API of a dialect in OpenAPI 3.1.
   */
  'GET /openapi.json': {
    parameters: {
      /**
       * The dialect; without it, that of the request.
       */
      dialect?: 'classic' | 'hsds'
    }
    answer: OpenApi
  }
  /**
   * Describes the service and the caller, as clients of HSDS expect it.
   */
  'GET /about': {
    parameters: {}
    answer: About
  }
  /**
   * Answers as long as the process runs.
   */
  'GET /health': {
    parameters: {}
    answer: Health
  }
  /**
   * Checks that requests can be served: the storage reads and writes, accounts can be read.
   */
  'GET /ready': {
    parameters: {}
    answer: Ready
  }
  /**
   * Shows people whether the service is ready, and what of it does not answer.
   */
  'GET /status': {
    parameters: {}
    answer: undefined
  }
  /**
   * Figures about the process in the format of Prometheus.
   */
  'GET /metrics': {
    parameters: {}
    answer: undefined
  }
  /**
   * Lists the requests that are being answered, except those about requests, for administrators.
   */
  'GET /requests': {
    parameters: {}
    answer: RequestList
  }
  /**
   * Ends a request, for administrators: its connection is closed and its work stops. What it has committed stays.
   */
  'DELETE /requests/{id}': {
    parameters: {
      /**
       * The id of the request.
       */
      id: string | number | boolean
    }
    answer: EndedRequests
  }
  /**
   * Gives the last lines of the audit that fit, for administrators.
   */
  'GET /audit': {
    parameters: {
      /**
       * The path of a domain, or of a folder: the lines about it and what is below it.
       */
      within?: string | number | boolean
      /**
       * The name of a user: the lines of requests of that user, also those that were refused.
       */
      user?: string | number | boolean
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
    }
    answer: AuditLines
  }
  /**
   * Lists the quotas and what is used of them: administrators get all, other users those on what they own.
   */
  'GET /quotas': {
    parameters: {}
    answer: QuotaList
  }
  /**
   * Sets the quota of a folder or of an owner, for administrators. It may be below what is used.
   */
  'PUT /quotas': {
    parameters: {}
    body: NewQuota
    answer: Quota
  }
  /**
   * Removes the quota of a folder or of an owner, for administrators.
   */
  'DELETE /quotas': {
    parameters: {
      /**
       * The folder of the quota; or its owner, by `owner`.
       */
      folder?: string | number | boolean
      /**
       * The owner of the quota.
       */
      owner?: string | number | boolean
    }
    answer: RemovedQuotas
  }
  /**
   * Describes the caller, and how the caller has logged in.
   */
  'GET /login': {
    parameters: {}
    answer: Login
  }
  /**
   * Begins a session for the user of the `Authorization` header, and sets its cookie.
   */
  'POST /login': {
    parameters: {}
    answer: Login
  }
  /**
   * Ends the session of the cookie, and removes the cookie. Without a session it does nothing.
   */
  'DELETE /login': {
    parameters: {}
    answer: Login
  }
  /**
   * Lists the sessions of the caller.
   */
  'GET /sessions': {
    parameters: {}
    answer: SessionList
  }
  /**
   * Ends all sessions of the caller but that of the request.
   */
  'DELETE /sessions': {
    parameters: {}
    answer: EndedLogins
  }
  /**
   * Ends a session of the caller.
   */
  'DELETE /sessions/{id}': {
    parameters: {
      /**
       * The id, as the list has it.
       */
      id: string | number | boolean
    }
    answer: EndedLogins
  }
  /**
   * Lists the tokens of the caller, without their secrets.
   */
  'GET /tokens': {
    parameters: {}
    answer: TokenList
  }
  /**
   * Makes a token for programs of the caller. It is shown in this answer only.
   */
  'POST /tokens': {
    parameters: {}
    body: NewToken
    answer: CreatedToken
  }
  /**
   * Revokes a token of the caller.
   */
  'DELETE /tokens/{id}': {
    parameters: {
      /**
       * The id, as the list has it.
       */
      id: string | number | boolean
    }
    answer: EndedLogins
  }
  /**
   * Lists the sessions, tokens and shares of all users, or of one, for administrators.
   */
  'GET /logins': {
    parameters: {
      /**
       * The name of the user.
       */
      user?: string | number | boolean
      /**
       * Sessions, tokens or shares.
       */
      kind?: 'session' | 'token' | 'share'
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The logins after those of an answer: its `next`.
       */
      Marker?: string | number | boolean
    }
    answer: LoginList
  }
  /**
   * Ends a session, or revokes a token or share, of any user, for administrators.
   */
  'DELETE /logins/{id}': {
    parameters: {
      /**
       * The id, as the list has it.
       */
      id: string | number | boolean
      /**
       * The name of the user.
       */
      user?: string | number | boolean
      /**
       * Sessions, tokens or shares.
       */
      kind?: 'session' | 'token' | 'share'
    }
    answer: EndedLogins
  }
  /**
   * Lists the identity providers with which people log in.
   */
  'GET /providers': {
    parameters: {}
    answer: ProviderList
  }
  /**
   * Sends a person to an identity provider to log in there.
   */
  'GET /login/{provider}': {
    parameters: {
      /**
       * The name of an identity provider, as `GET /providers` lists it.
       */
      provider: string | number | boolean
      /**
       * The page that the person comes from and returns to: a path of this service, with its query.
       */
      next?: string | number | boolean
    }
    answer: undefined
  }
  /**
   * Takes the answer of an identity provider, begins a session, and sends the person back to the page.
   */
  'GET /login/{provider}/callback': {
    parameters: {
      /**
       * The name of an identity provider, as `GET /providers` lists it.
       */
      provider: string | number | boolean
    }
    answer: undefined
  }
  /**
   * Makes the first account of a service, an administrator, with the code that the service has printed.
   */
  'POST /first-account': {
    parameters: {}
    body: FirstAccount
    answer: User
  }
  /**
   * Changes the password of the caller, and ends all other sessions of the caller.
   */
  'PUT /password': {
    parameters: {}
    body: NewPassword
    answer: EndedLogins
  }
  /**
   * Lists the users, for administrators.
   */
  'GET /users': {
    parameters: {}
    answer: UserList
  }
  /**
   * Creates a user, for administrators.
   */
  'PUT /users/{name}': {
    parameters: {
      /**
       * The name of the user.
       */
      name: string | number | boolean
    }
    body: NewUser
    answer: User
  }
  /**
   * Changes a user, for administrators: the password, the rights, whether the user can log in.
   */
  'POST /users/{name}': {
    parameters: {
      /**
       * The name of the user.
       */
      name: string | number | boolean
    }
    body: ChangedUser
    answer: User
  }
  /**
   * Disables a user, for administrators: the user cannot log in any more, and the name stays taken. Or removes it.
   */
  'DELETE /users/{name}': {
    parameters: {
      /**
       * The name of the user.
       */
      name: string | number | boolean
      /**
       * Removes the account, with its sessions, tokens and shares: another may get the name.
       */
      remove?: string | number | boolean
    }
    answer: DisabledUser
  }
  /**
   * Lists the shares of the caller, without their addresses.
   */
  'GET /shares': {
    parameters: {}
    answer: ShareList
  }
  /**
   * Makes a share: an address by which anybody can read a domain or folder. It is shown in this answer only.
   */
  'POST /shares': {
    parameters: {}
    body: NewShare
    answer: CreatedShare
  }
  /**
   * Revokes a share of the caller: its address shows nothing from then on.
   */
  'DELETE /shares/{id}': {
    parameters: {
      /**
       * The id, as the list has it.
       */
      id: string | number | boolean
    }
    answer: EndedLogins
  }
  /**
   * Shows folders, domains and their data in a browser.
   */
  'GET /ui': {
    parameters: {
      /**
       * The path of the domain that the page shows; the program of the page reads it and the rest.
       */
      domain?: string | number | boolean
    }
    answer: undefined
  }
  /**
   * A page or file below /ui.
   */
  'GET /ui/{file}': {
    parameters: {
      /**
       * The name of the file.
       */
      file: string | number | boolean
    }
    answer: undefined
  }
  /**
   * Shows the API, the list of errors and the guide in a browser.
   */
  'GET /docs': {
    parameters: {}
    answer: undefined
  }
  /**
   * A page or file below /docs.
   */
  'GET /docs/{file}': {
    parameters: {
      /**
       * The name of the file.
       */
      file: string | number | boolean
    }
    answer: undefined
  }
  /**
   * Says which addresses search engines may visit: pages where the operator allows it, never data.
   */
  'GET /robots.txt': {
    parameters: {}
    answer: undefined
  }
  /**
   * The icon of the pages.
   */
  'GET /favicon.ico': {
    parameters: {}
    answer: undefined
  }
  /**
   * Describes a domain or folder, gives a domain as a file, finds an object by its path, or lists the top level.
   */
  'GET /': {
    parameters: {
      /**
       * The object at this path is described instead of the domain.
       */
      h5path?: string | number | boolean
      /**
       * The id of the group where relative paths begin; without it, the root group.
       */
      parent_id?: string | number | boolean
      /**
       * Soft links are followed.
       */
      follow_soft_links?: string | number | boolean
      /**
       * External links are followed.
       */
      follow_external_links?: string | number | boolean
      /**
       * Groups come with their links.
       */
      include_links?: string | number | boolean
      /**
       * Objects come with their attributes.
       */
      include_attrs?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * Values of more bytes are left out; an element of variable size counts 512. 0 is no bound.
       */
      max_data_size?: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * The domain comes with all its objects.
       */
      getobjs?: string | number | boolean
      /**
       * The answer has `dn_ids`.
       */
      getdnids?: string | number | boolean
      /**
       * `hdf5`: the domain is answered as an HDF5 file, as with `Accept: application/x-hdf5`.
       */
      format?: 'hdf5' | 'json'
      /**
       * In a file: datasets without values are left out; otherwise they are an error.
       */
      skip_unreadable?: string | number | boolean
      /**
       * Whether a file that is served where it is, or that is stored as it was imported, is written anew, not sent as it is. Default: if some of its values are in other files.
       */
      repack?: string | number | boolean
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The listing begins behind this item: a name, or an id where ids are listed.
       */
      Marker?: string | number | boolean
      /**
       * Only domains and folders whose last name matches it: `*`, `?`, `[a-z]`.
       */
      pattern?: string | number | boolean
      /**
       * Only domains whose root groups have attributes of which this holds: `mass > 10`.
       */
      query?: string | number | boolean
      /**
       * Domains come with what they hold.
       */
      verbose?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: DomainView
  }
  /**
   * Creates a domain or folder, also a domain of an HDF5 file, moves one, or flushes a domain.
   */
  'PUT /': {
    parameters: {
      /**
       * A folder is created, not a domain. Counts where the body has no such option.
       */
      folder?: string | number | boolean
      /**
       * Nothing is created; what was written to the domain is durable. Counts where the body has no such option.
       */
      flush?: string | number | boolean
      /**
       * Like flush, and the statistics of the domain are exact. Counts where the body has no such option.
       */
      rescan?: string | number | boolean
      /**
       * The answer has `dn_ids`. Counts where the body has no such option.
       */
      getdnids?: string | number | boolean
      /**
       * With a file: one of which a part would be left out or changed is refused.
       */
      strict?: string | number | boolean
      /**
       * With a file: it replaces the domain of that name, in one step. The owner and the access control list stay.
       */
      replace?: string | number | boolean
      /**
       * With a file: where the files are that its external links name, seen from its folder: a JSON object, such as `{"/data/b/":"../b/"}`. A name that ends with `/` is a folder. Domains are looked for there, too.
       */
      linked_files?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewDomain
    answer: PutDone | DomainCreated
  }
  /**
   * Deletes a domain, or a folder that is empty.
   */
  'DELETE /': {
    parameters: {
      /**
       * The contents stay, under the other names of the domain. Counts without a body.
       */
      keep_root?: string | number | boolean
      /**
       * Nothing is deleted. Counts without a body.
       */
      meta_only?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: DomainDeletion
    answer: Done
  }
  /**
   * Describes the objects at several paths.
   */
  'POST /': {
    parameters: {
      /**
       * The id of the group where relative paths begin; without it, the root group.
       */
      parent_id?: string | number | boolean
      /**
       * Soft links are followed.
       */
      follow_soft_links?: string | number | boolean
      /**
       * External links are followed.
       */
      follow_external_links?: string | number | boolean
      /**
       * Groups come with their links.
       */
      include_links?: string | number | boolean
      /**
       * Objects come with their attributes.
       */
      include_attrs?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * Values of more bytes are left out; an element of variable size counts 512. 0 is no bound.
       */
      max_data_size?: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * A path that leads nowhere has its error, and does not fail the request.
       */
      include_errors?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: PathQuery
    answer: FoundObjects
  }
  /**
   * Gives a domain as an HDF5 file, of which ranges can be read, or lists a folder.
   */
  'GET /h5/{path}': {
    parameters: {
      /**
       * The path of the domain, in the default bucket, perhaps behind the state that it is to have; with a slash at the end that of a folder.
       */
      path: string | number | boolean
      /**
       * In a file: datasets without values are left out; otherwise they are an error.
       */
      skip_unreadable?: string | number | boolean
      /**
       * Whether a file that is served where it is, or that is stored as it was imported, is written anew, not sent as it is. Default: if some of its values are in other files.
       */
      repack?: string | number | boolean
      /**
       * The listing begins behind this item: a name, or an id where ids are listed.
       */
      Marker?: string | number | boolean
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: FolderList
  }
  /**
   * Makes an HDF5 file the domain at a path, in the place of one that is there.
   */
  'PUT /h5/{path}': {
    parameters: {
      /**
       * The path of the domain, in the default bucket, perhaps behind the state that it is to have; with a slash at the end that of a folder.
       */
      path: string | number | boolean
      /**
       * With a file: one of which a part would be left out or changed is refused.
       */
      strict?: string | number | boolean
      /**
       * With a file: where the files are that its external links name, seen from its folder: a JSON object, such as `{"/data/b/":"../b/"}`. A name that ends with `/` is a folder. Domains are looked for there, too.
       */
      linked_files?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: StoredFile
  }
  /**
   * Deletes the domain at a path.
   */
  'DELETE /h5/{path}': {
    parameters: {
      /**
       * The path of the domain, in the default bucket, perhaps behind the state that it is to have; with a slash at the end that of a folder.
       */
      path: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: undefined
  }
  /**
   * Lists the domains and folders in a folder.
   */
  'GET /domains': {
    parameters: {
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The listing begins behind this item: a name, or an id where ids are listed.
       */
      Marker?: string | number | boolean
      /**
       * Only domains and folders whose last name matches it: `*`, `?`, `[a-z]`.
       */
      pattern?: string | number | boolean
      /**
       * Only domains whose root groups have attributes of which this holds: `mass > 10`.
       */
      query?: string | number | boolean
      /**
       * Domains come with what they hold.
       */
      verbose?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: FolderList
  }
  /**
   * Gives a picture of a dataset or a part of it; or of a domain: the default plot of a NeXus file, else its first dataset that says something.
   */
  'GET /thumbnail': {
    parameters: {
      /**
       * The path of a dataset, along all links. Without it and `object`, the picture is of the domain.
       */
      h5path?: string | number | boolean
      /**
       * The id of a dataset.
       */
      object?: string | number | boolean
      /**
       * Must be absent: the path of a dataset is `h5path`.
       */
      path?: string | number | boolean
      /**
       * The elements: `[a:b:step,...]`, for each dimension a range, an index or, in the hsds dialect, a list of indices. Without it, all. With `regionref`, the element that is the region reference.
       */
      select?: string | number | boolean
      /**
       * The width of an image at most, and that of a line, in points. 128 by default.
       */
      width?: string | number | boolean
      /**
       * The height of an image at most, and that of a line. By default the width; of a line, half.
       */
      height?: string | number | boolean
      /**
       * The number that is shown of the elements that share a point: the mean by default, and for a line the smallest and largest.
       */
      reduce?: 'mean' | 'min' | 'max' | 'sum' | 'count' | 'first'
      /**
       * The colours of an image; viridis by default.
       */
      colormap?:
        | 'gray'
        | 'blues'
        | 'greens'
        | 'greys'
        | 'oranges'
        | 'purples'
        | 'reds'
        | 'turbo'
        | 'viridis'
        | 'inferno'
        | 'magma'
        | 'plasma'
        | 'cividis'
        | 'warm'
        | 'cool'
        | 'cubehelix'
        | 'bugn'
        | 'bupu'
        | 'gnbu'
        | 'orrd'
        | 'pubugn'
        | 'pubu'
        | 'purd'
        | 'rdpu'
        | 'ylgnbu'
        | 'ylgn'
        | 'ylorbr'
        | 'ylorrd'
        | 'rainbow'
        | 'sinebow'
        | 'hsl'
        | 'brbg'
        | 'prgn'
        | 'piyg'
        | 'puor'
        | 'rdbu'
        | 'rdgy'
        | 'rdylbu'
        | 'rdylgn'
        | 'spectral'
      /**
       * The number that gets the first colour, or is at the bottom; by default the smallest one.
       */
      min?: string | number | boolean
      /**
       * The number that gets the last colour, or is at the top; by default the largest one.
       */
      max?: string | number | boolean
      /**
       * The picture, `png`, by default; or the datasets of a domain to look at first, `json`.
       */
      format?: 'png' | 'json'
      /**
       * How numbers lie between `min` and `max`; linear by default.
       */
      scale?: 'linear' | 'log' | 'sqrt' | 'symlog'
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: FirstDatasets
  }
  /**
   * Tells how much the domains below a folder hold, by child or by owner.
   */
  'GET /usage': {
    parameters: {
      /**
       * The path of the folder; without it, the one that the request names, or else the top level.
       */
      folder?: string | number | boolean
      /**
       * The sums: of each domain and folder in the folder, with all below it, by default; or of each owner.
       */
      by?: 'folder' | 'owner'
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The items after those of an answer: its `next`.
       */
      Marker?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Usage
  }
  /**
   * Lists the paths of all objects and links below the root group, with their kinds.
   */
  'GET /paths': {
    parameters: {
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: PathList
  }
  /**
   * Lists the ids of the groups of the domain, or describes the group at a path.
   */
  'GET /groups': {
    parameters: {
      /**
       * The path of the object by hard links: from the root group, or a relative one from the group in the path or that of grpid.
       */
      h5path?: string | number | boolean
      /**
       * The id of the group where a relative h5path starts.
       */
      grpid?: string | number | boolean
      /**
       * Adds the links of the group.
       */
      include_links?: string | number | boolean
      /**
       * Adds the attributes, with their values.
       */
      include_attrs?: string | number | boolean
      /**
       * Adds `alias`, the first path of hard links from the root group.
       */
      getalias?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The listing begins behind this item: a name, or an id where ids are listed.
       */
      Marker?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: GroupList
  }
  /**
   * Creates a group; in the hsds dialect also several.
   */
  'POST /groups': {
    parameters: {
      /**
       * Groups that are missing on the way of an h5path are created.
       */
      implicit?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewGroup
    answer: GroupCreated
  }
  /**
   * Describes a group.
   */
  'GET /groups/{id}': {
    parameters: {
      /**
       * The id of the group.
       */
      id: string | number | boolean
      /**
       * The path of the object by hard links: from the root group, or a relative one from the group in the path or that of grpid.
       */
      h5path?: string | number | boolean
      /**
       * The id of the group where a relative h5path starts.
       */
      grpid?: string | number | boolean
      /**
       * Adds the links of the group.
       */
      include_links?: string | number | boolean
      /**
       * Adds the attributes, with their values.
       */
      include_attrs?: string | number | boolean
      /**
       * Adds `alias`, the first path of hard links from the root group.
       */
      getalias?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * It has no effect, but must be a whole number from 0 on.
       */
      Limit?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Group
  }
  /**
   * Deletes a group with its attributes.
   */
  'DELETE /groups/{id}': {
    parameters: {
      /**
       * The id of the group.
       */
      id: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: ObjectDeleted
  }
  /**
   * Lists the ids of the datasets of the domain, or describes the dataset at a path.
   */
  'GET /datasets': {
    parameters: {
      /**
       * The path of the object by hard links: from the root group, or a relative one from the group in the path or that of grpid.
       */
      h5path?: string | number | boolean
      /**
       * The id of the group where a relative h5path starts.
       */
      grpid?: string | number | boolean
      /**
       * Adds the attributes, with their values.
       */
      include_attrs?: string | number | boolean
      /**
       * Adds `alias`, the first path of hard links from the root group.
       */
      getalias?: string | number | boolean
      /**
       * Adds the number and size of the stored chunks.
       */
      verbose?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The listing begins behind this item: a name, or an id where ids are listed.
       */
      Marker?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: DatasetList
  }
  /**
   * Creates a dataset; in the hsds dialect also several.
   */
  'POST /datasets': {
    parameters: {
      /**
       * Groups that are missing on the way of an h5path are created.
       */
      implicit?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewDataset
    answer: DatasetCreated
  }
  /**
   * Describes a dataset.
   */
  'GET /datasets/{id}': {
    parameters: {
      /**
       * The id of the dataset.
       */
      id: string | number | boolean
      /**
       * The path of the object by hard links: from the root group, or a relative one from the group in the path or that of grpid.
       */
      h5path?: string | number | boolean
      /**
       * The id of the group where a relative h5path starts.
       */
      grpid?: string | number | boolean
      /**
       * Adds the attributes, with their values.
       */
      include_attrs?: string | number | boolean
      /**
       * Adds `alias`, the first path of hard links from the root group.
       */
      getalias?: string | number | boolean
      /**
       * Adds the number and size of the stored chunks.
       */
      verbose?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * It has no effect, but must be a whole number from 0 on.
       */
      Limit?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Dataset
  }
  /**
   * Deletes a dataset with its attributes.
   */
  'DELETE /datasets/{id}': {
    parameters: {
      /**
       * The id of the dataset.
       */
      id: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: ObjectDeleted
  }
  /**
   * Lists the ids of the datatypes of the domain, or describes the datatype at a path.
   */
  'GET /datatypes': {
    parameters: {
      /**
       * The path of the object by hard links: from the root group, or a relative one from the group in the path or that of grpid.
       */
      h5path?: string | number | boolean
      /**
       * The id of the group where a relative h5path starts.
       */
      grpid?: string | number | boolean
      /**
       * Adds the attributes, with their values.
       */
      include_attrs?: string | number | boolean
      /**
       * Adds `alias`, the first path of hard links from the root group.
       */
      getalias?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The listing begins behind this item: a name, or an id where ids are listed.
       */
      Marker?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: DatatypeList
  }
  /**
   * Commits a datatype; in the hsds dialect also several.
   */
  'POST /datatypes': {
    parameters: {
      /**
       * Groups that are missing on the way of an h5path are created.
       */
      implicit?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewDatatype
    answer: DatatypeCreated
  }
  /**
   * Describes a datatype.
   */
  'GET /datatypes/{id}': {
    parameters: {
      /**
       * The id of the datatype.
       */
      id: string | number | boolean
      /**
       * The path of the object by hard links: from the root group, or a relative one from the group in the path or that of grpid.
       */
      h5path?: string | number | boolean
      /**
       * The id of the group where a relative h5path starts.
       */
      grpid?: string | number | boolean
      /**
       * Adds the attributes, with their values.
       */
      include_attrs?: string | number | boolean
      /**
       * Adds `alias`, the first path of hard links from the root group.
       */
      getalias?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * It has no effect, but must be a whole number from 0 on.
       */
      Limit?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Datatype
  }
  /**
   * Deletes a datatype with its attributes.
   */
  'DELETE /datatypes/{id}': {
    parameters: {
      /**
       * The id of the datatype.
       */
      id: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: ObjectDeleted
  }
  /**
   * Lists the links of a group.
   */
  'GET /groups/{id}/links': {
    parameters: {
      /**
       * The id of the group.
       */
      id: string | number | boolean
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The listing begins behind this item: a name, or an id where ids are listed.
       */
      Marker?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * Only items whose names match it: `*`, `?`, `[abc]`, `[!abc]`.
       */
      pattern?: string | number | boolean
      /**
       * Also for all groups that hard links reach from this one: the answer is a map by id.
       */
      follow_links?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: LinkList
  }
  /**
   * Reads links by their titles, of one group or of several.
   */
  'POST /groups/{id}/links': {
    parameters: {
      /**
       * The id of the group.
       */
      id: string | number | boolean
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The listing begins behind this item: a name, or an id where ids are listed.
       */
      Marker?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * Only items whose names match it: `*`, `?`, `[abc]`, `[!abc]`.
       */
      pattern?: string | number | boolean
      /**
       * Also for all groups that hard links reach from this one: the answer is a map by id.
       */
      follow_links?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: LinkQuery
    answer: FoundLinks
  }
  /**
   * Creates links in one group or in several.
   */
  'PUT /groups/{id}/links': {
    parameters: {
      /**
       * The id of the group.
       */
      id: string | number | boolean
      /**
       * Links that are there are replaced.
       */
      replace?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewLinks
    answer: Done
  }
  /**
   * Deletes links of a group by their titles.
   */
  'DELETE /groups/{id}/links': {
    parameters: {
      /**
       * The id of the group.
       */
      id: string | number | boolean
      /**
       * The string between two names in titles; a slash by default.
       */
      separator?: string | number | boolean
      /**
       * The names, separated by slashes or by the separator. It may come several times.
       */
      titles?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: LinkDeleted
  }
  /**
   * Describes a link. It is not followed.
   */
  'GET /groups/{id}/links/{title}': {
    parameters: {
      /**
       * The id of the group.
       */
      id: string | number | boolean
      /**
       * The title of the link, percent-encoded.
       */
      title: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Link
  }
  /**
   * Creates a hard, soft or external link.
   */
  'PUT /groups/{id}/links/{title}': {
    parameters: {
      /**
       * The id of the group.
       */
      id: string | number | boolean
      /**
       * The title of the link, percent-encoded.
       */
      title: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewLink
    answer: LinkPut
  }
  /**
   * Deletes a link. The object that it points to stays.
   */
  'DELETE /groups/{id}/links/{title}': {
    parameters: {
      /**
       * The id of the group.
       */
      id: string | number | boolean
      /**
       * The title of the link, percent-encoded.
       */
      title: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: LinkDeleted
  }
  /**
   * Reads the shape of a dataset.
   */
  'GET /datasets/{id}/shape': {
    parameters: {
      /**
       * The id of the dataset.
       */
      id: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: ShapeAnswer
  }
  /**
   * Changes the extents of a dataset.
   */
  'PUT /datasets/{id}/shape': {
    parameters: {
      /**
       * The id of the dataset.
       */
      id: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: ShapeChange
    answer: ShapeChanged
  }
  /**
   * Reads the type of the elements of a dataset.
   */
  'GET /datasets/{id}/type': {
    parameters: {
      /**
       * The id of the dataset.
       */
      id: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: TypeAnswer
  }
  /**
   * Reads the selected elements of a dataset, or those of them that a query finds.
   */
  'GET /datasets/{id}/value': {
    parameters: {
      /**
       * The id of the dataset.
       */
      id: string | number | boolean
      /**
       * The largest number of elements that the query finds. 0 and negative numbers mean no limit.
       */
      Limit?: string | number | boolean
      /**
       * The members of a compound that are read or written, separated by colons.
       */
      fields?: string | number | boolean
      /**
       * Only elements for which this condition holds. An empty one counts as absent.
       */
      query?: string | number | boolean
      /**
       * A stored region reference selects the elements: `/<collection>/<id>/attributes/<name>`, or `/datasets/<id>`.
       */
      regionref?: string | number | boolean
      /**
       * The elements: `[a:b:step,...]`, for each dimension a range, an index or, in the hsds dialect, a list of indices. Without it, all. With `regionref`, the element that is the region reference.
       */
      select?: string | number | boolean
      /**
       * The form of the answer; without it, the first of text/csv, application/x-npy, application/vnd.apache.arrow.stream, image/png, image/tiff in an `Accept` without `text/html`, else JSON or bytes.
       */
      format?: 'json' | 'csv' | 'npy' | 'arrow' | 'png' | 'tiff'
      /**
       * One float of each complex number: its amplitude, its phase in radians, its real or its imaginary part. `missing`, `reduce` and `statistics` are of these.
       */
      part?: 'amplitude' | 'phase' | 'real' | 'imaginary'
      /**
       * The numbers, separated by commas, that stand for no value: they become NaN. The elements are floats then.
       */
      missing?: string | number | boolean
      /**
       * The least and the greatest number that is a value, with a comma between them; either may be left out. Others become NaN, as with `missing`.
       */
      valid?: string | number | boolean
      /**
       * The id of a dataset of the same domain whose extents are the last ones of this one: where it is not 0, elements become NaN, as with `missing`.
       */
      mask?: string | number | boolean
      /**
       * The selection is reduced: each element of the answer is made from a block of elements, by one factor for each dimension. `minmax` makes two of each block, along one more dimension. NaN counts as absent.
       */
      reduce?: string | number | boolean
      /**
       * JSON of rank 2 or more comes without the dimensions of extent 1.
       */
      reduce_dim?: string | number | boolean
      /**
       * The answer is statistics of the selection, in JSON: extremes, mean, standard deviation, histogram. NaN counts as absent.
       */
      statistics?: string | number | boolean
      /**
       * The number of bins in the histogram of `statistics`; 64 by default, 0 for no histogram.
       */
      bins?: string | number | boolean
      /**
       * The colours of an image; cubehelix by default.
       */
      colormap?:
        | 'gray'
        | 'blues'
        | 'greens'
        | 'greys'
        | 'oranges'
        | 'purples'
        | 'reds'
        | 'turbo'
        | 'viridis'
        | 'inferno'
        | 'magma'
        | 'plasma'
        | 'cividis'
        | 'warm'
        | 'cool'
        | 'cubehelix'
        | 'bugn'
        | 'bupu'
        | 'gnbu'
        | 'orrd'
        | 'pubugn'
        | 'pubu'
        | 'purd'
        | 'rdpu'
        | 'ylgnbu'
        | 'ylgn'
        | 'ylorbr'
        | 'ylorrd'
        | 'rainbow'
        | 'sinebow'
        | 'hsl'
        | 'brbg'
        | 'prgn'
        | 'piyg'
        | 'puor'
        | 'rdbu'
        | 'rdgy'
        | 'rdylbu'
        | 'rdylgn'
        | 'spectral'
      /**
       * The two numbers that get the first and the last colour of an image, with a comma between them. By default the extremes of the selection, which are found first.
       */
      range?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: ValueOrStatistics
  }
  /**
   * Reads the elements of a dataset that the body selects.
   */
  'POST /datasets/{id}/value': {
    parameters: {
      /**
       * The id of the dataset.
       */
      id: string | number | boolean
      /**
       * Must be absent: the body selects.
       */
      regionref?: string | number | boolean
      /**
       * The elements: `[a:b:step,...]`, for each dimension a range, an index or, in the hsds dialect, a list of indices. Without it, all. With `regionref`, the element that is the region reference.
       */
      select?: string | number | boolean
      /**
       * The members of a compound that are read or written, separated by colons.
       */
      fields?: string | number | boolean
      /**
       * The form of the answer; without it, the first of text/csv, application/x-npy, application/vnd.apache.arrow.stream, image/png, image/tiff in an `Accept` without `text/html`, else JSON or bytes.
       */
      format?: 'json' | 'csv' | 'npy' | 'arrow' | 'png' | 'tiff'
      /**
       * One float of each complex number: its amplitude, its phase in radians, its real or its imaginary part. `missing`, `reduce` and `statistics` are of these.
       */
      part?: 'amplitude' | 'phase' | 'real' | 'imaginary'
      /**
       * The numbers, separated by commas, that stand for no value: they become NaN. The elements are floats then.
       */
      missing?: string | number | boolean
      /**
       * The least and the greatest number that is a value, with a comma between them; either may be left out. Others become NaN, as with `missing`.
       */
      valid?: string | number | boolean
      /**
       * The id of a dataset of the same domain whose extents are the last ones of this one: where it is not 0, elements become NaN, as with `missing`.
       */
      mask?: string | number | boolean
      /**
       * The selection is reduced: each element of the answer is made from a block of elements, by one factor for each dimension. `minmax` makes two of each block, along one more dimension. NaN counts as absent.
       */
      reduce?: string | number | boolean
      /**
       * JSON of rank 2 or more comes without the dimensions of extent 1.
       */
      reduce_dim?: string | number | boolean
      /**
       * The answer is statistics of the selection, in JSON: extremes, mean, standard deviation, histogram. NaN counts as absent.
       */
      statistics?: string | number | boolean
      /**
       * The number of bins in the histogram of `statistics`; 64 by default, 0 for no histogram.
       */
      bins?: string | number | boolean
      /**
       * The colours of an image; cubehelix by default.
       */
      colormap?:
        | 'gray'
        | 'blues'
        | 'greens'
        | 'greys'
        | 'oranges'
        | 'purples'
        | 'reds'
        | 'turbo'
        | 'viridis'
        | 'inferno'
        | 'magma'
        | 'plasma'
        | 'cividis'
        | 'warm'
        | 'cool'
        | 'cubehelix'
        | 'bugn'
        | 'bupu'
        | 'gnbu'
        | 'orrd'
        | 'pubugn'
        | 'pubu'
        | 'purd'
        | 'rdpu'
        | 'ylgnbu'
        | 'ylgn'
        | 'ylorbr'
        | 'ylorrd'
        | 'rainbow'
        | 'sinebow'
        | 'hsl'
        | 'brbg'
        | 'prgn'
        | 'piyg'
        | 'puor'
        | 'rdbu'
        | 'rdgy'
        | 'rdylbu'
        | 'rdylgn'
        | 'spectral'
      /**
       * The two numbers that get the first and the last colour of an image, with a comma between them. By default the extremes of the selection, which are found first.
       */
      range?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: PointQuery
    answer: ValueOrStatistics
  }
  /**
   * Writes the selected elements of a dataset, or those of them that a query finds.
   */
  'PUT /datasets/{id}/value': {
    parameters: {
      /**
       * The id of the dataset.
       */
      id: string | number | boolean
      /**
       * A stored region reference selects the elements: `/<collection>/<id>/attributes/<name>`, or `/datasets/<id>`.
       */
      regionref?: string | number | boolean
      /**
       * Must be absent: it is a member of the body.
       */
      start?: string | number | boolean
      /**
       * Must be absent: it is a member of the body.
       */
      stop?: string | number | boolean
      /**
       * Must be absent: it is a member of the body.
       */
      step?: string | number | boolean
      /**
       * Must be absent: it is a member of the body.
       */
      points?: string | number | boolean
      /**
       * Must be absent: it is a member of the body.
       */
      value?: string | number | boolean
      /**
       * A dimension grows by this number, and the new elements are written.
       */
      append?: string | number | boolean
      /**
       * The dimension that grows with `append`; 0 by default.
       */
      append_dim?: string | number | boolean
      /**
       * The number of elements in the body, which are repeated over the selection.
       */
      element_count?: string | number | boolean
      /**
       * The members of a compound that are read or written, separated by colons.
       */
      fields?: string | number | boolean
      /**
       * Only elements for which this condition holds. An empty one counts as absent.
       */
      query?: string | number | boolean
      /**
       * The elements: `[a:b:step,...]`, for each dimension a range, an index or, in the hsds dialect, a list of indices. Without it, all. With `regionref`, the element that is the region reference.
       */
      select?: string | number | boolean
      /**
       * The largest number of elements that the query finds. 0 and negative numbers mean no limit.
       */
      Limit?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: ValueInput
    answer: ValueWritten
  }
  /**
   * Reads the selected elements of the dataset at a path, or those of them that a query finds.
   */
  'GET /value': {
    parameters: {
      /**
       * The largest number of elements that the query finds. 0 and negative numbers mean no limit.
       */
      Limit?: string | number | boolean
      /**
       * The path of the dataset from the root group, along links of all kinds.
       */
      h5path?: string | number | boolean
      /**
       * The members of a compound that are read or written, separated by colons.
       */
      fields?: string | number | boolean
      /**
       * Only elements for which this condition holds. An empty one counts as absent.
       */
      query?: string | number | boolean
      /**
       * A stored region reference selects the elements: `/<collection>/<id>/attributes/<name>`, or `/datasets/<id>`.
       */
      regionref?: string | number | boolean
      /**
       * The elements: `[a:b:step,...]`, for each dimension a range, an index or, in the hsds dialect, a list of indices. Without it, all. With `regionref`, the element that is the region reference.
       */
      select?: string | number | boolean
      /**
       * The form of the answer; without it, the first of text/csv, application/x-npy, application/vnd.apache.arrow.stream, image/png, image/tiff in an `Accept` without `text/html`, else JSON or bytes.
       */
      format?: 'json' | 'csv' | 'npy' | 'arrow' | 'png' | 'tiff'
      /**
       * One float of each complex number: its amplitude, its phase in radians, its real or its imaginary part. `missing`, `reduce` and `statistics` are of these.
       */
      part?: 'amplitude' | 'phase' | 'real' | 'imaginary'
      /**
       * The numbers, separated by commas, that stand for no value: they become NaN. The elements are floats then.
       */
      missing?: string | number | boolean
      /**
       * The least and the greatest number that is a value, with a comma between them; either may be left out. Others become NaN, as with `missing`.
       */
      valid?: string | number | boolean
      /**
       * The id of a dataset of the same domain whose extents are the last ones of this one: where it is not 0, elements become NaN, as with `missing`.
       */
      mask?: string | number | boolean
      /**
       * The selection is reduced: each element of the answer is made from a block of elements, by one factor for each dimension. `minmax` makes two of each block, along one more dimension. NaN counts as absent.
       */
      reduce?: string | number | boolean
      /**
       * JSON of rank 2 or more comes without the dimensions of extent 1.
       */
      reduce_dim?: string | number | boolean
      /**
       * The answer is statistics of the selection, in JSON: extremes, mean, standard deviation, histogram. NaN counts as absent.
       */
      statistics?: string | number | boolean
      /**
       * The number of bins in the histogram of `statistics`; 64 by default, 0 for no histogram.
       */
      bins?: string | number | boolean
      /**
       * The colours of an image; cubehelix by default.
       */
      colormap?:
        | 'gray'
        | 'blues'
        | 'greens'
        | 'greys'
        | 'oranges'
        | 'purples'
        | 'reds'
        | 'turbo'
        | 'viridis'
        | 'inferno'
        | 'magma'
        | 'plasma'
        | 'cividis'
        | 'warm'
        | 'cool'
        | 'cubehelix'
        | 'bugn'
        | 'bupu'
        | 'gnbu'
        | 'orrd'
        | 'pubugn'
        | 'pubu'
        | 'purd'
        | 'rdpu'
        | 'ylgnbu'
        | 'ylgn'
        | 'ylorbr'
        | 'ylorrd'
        | 'rainbow'
        | 'sinebow'
        | 'hsl'
        | 'brbg'
        | 'prgn'
        | 'piyg'
        | 'puor'
        | 'rdbu'
        | 'rdgy'
        | 'rdylbu'
        | 'rdylgn'
        | 'spectral'
      /**
       * The two numbers that get the first and the last colour of an image, with a comma between them. By default the extremes of the selection, which are found first.
       */
      range?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: ValueOrStatistics
  }
  /**
   * Reads selected elements of several datasets, all as of one moment.
   */
  'POST /values': {
    parameters: {
      /**
       * The form of the answer; without it, the first of application/json, multipart/mixed, application/zip in `Accept`, else JSON.
       */
      format?: 'json' | 'multipart' | 'npz'
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: ValuesQuery
    answer: Values
  }
  /**
   * Writes selected elements of several datasets, all or none.
   */
  'PUT /values': {
    parameters: {
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewValues
    answer: ValuesWritten
  }
  /**
   * Finds the indexes of the elements for which a condition holds.
   */
  'GET /datasets/{id}/query': {
    parameters: {
      /**
       * The id of the dataset.
       */
      id: string | number | boolean
      /**
       * The condition that the elements must fulfil; it is required.
       */
      query?: string | number | boolean
      /**
       * The elements: `[a:b:step,...]`, for each dimension a range, an index or, in the hsds dialect, a list of indices. Without it, all. With `regionref`, the element that is the region reference.
       */
      select?: string | number | boolean
      /**
       * The largest number of elements that the query finds. 0 and negative numbers mean no limit.
       */
      Limit?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: QueryIndexes
  }
  /**
   * Lists the attributes of an object.
   */
  'GET /groups/{id}/attributes': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * Also for all groups that hard links reach from this one: the answer is a map by id.
       */
      follow_links?: string | number | boolean
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The listing begins behind this item: a name, or an id where ids are listed.
       */
      Marker?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * Only items whose names match it: `*`, `?`, `[abc]`, `[!abc]`.
       */
      pattern?: string | number | boolean
      /**
       * Values of more bytes are left out; an element of variable size counts 512. 0 is no bound.
       */
      max_data_size?: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * Attributes come with their values.
       */
      IncludeData?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AttributeList
  }
  /**
   * Reads attributes by their names, of one object or of several.
   */
  'POST /groups/{id}/attributes': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * Values of more bytes are left out; an element of variable size counts 512. 0 is no bound.
       */
      max_data_size?: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * Attributes come with their values.
       */
      IncludeData?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: AttributeQuery
    answer: FoundAttributes
  }
  /**
   * Creates attributes of one object or of several.
   */
  'PUT /groups/{id}/attributes': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * An attribute that is there is replaced.
       */
      replace?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewAttributes
    answer: Done
  }
  /**
   * Deletes attributes of an object by their names.
   */
  'DELETE /groups/{id}/attributes': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * base64: attr_names is the Base64 of the names in UTF-8.
       */
      encoding?: 'base64'
      /**
       * The string between two names in attr_names; a slash by default.
       */
      separator?: string | number | boolean
      /**
       * The names, separated by slashes or by the separator. It may come several times.
       */
      attr_names?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AttributesDeleted
  }
  /**
   * Lists the attributes of an object.
   */
  'GET /datasets/{id}/attributes': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * Also for all groups that hard links reach from this one: the answer is a map by id.
       */
      follow_links?: string | number | boolean
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The listing begins behind this item: a name, or an id where ids are listed.
       */
      Marker?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * Only items whose names match it: `*`, `?`, `[abc]`, `[!abc]`.
       */
      pattern?: string | number | boolean
      /**
       * Values of more bytes are left out; an element of variable size counts 512. 0 is no bound.
       */
      max_data_size?: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * Attributes come with their values.
       */
      IncludeData?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AttributeList
  }
  /**
   * Reads attributes by their names, of one object or of several.
   */
  'POST /datasets/{id}/attributes': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * Values of more bytes are left out; an element of variable size counts 512. 0 is no bound.
       */
      max_data_size?: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * Attributes come with their values.
       */
      IncludeData?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: AttributeQuery
    answer: FoundAttributes
  }
  /**
   * Creates attributes of one object or of several.
   */
  'PUT /datasets/{id}/attributes': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * An attribute that is there is replaced.
       */
      replace?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewAttributes
    answer: Done
  }
  /**
   * Deletes attributes of an object by their names.
   */
  'DELETE /datasets/{id}/attributes': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * base64: attr_names is the Base64 of the names in UTF-8.
       */
      encoding?: 'base64'
      /**
       * The string between two names in attr_names; a slash by default.
       */
      separator?: string | number | boolean
      /**
       * The names, separated by slashes or by the separator. It may come several times.
       */
      attr_names?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AttributesDeleted
  }
  /**
   * Lists the attributes of an object.
   */
  'GET /datatypes/{id}/attributes': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * Also for all groups that hard links reach from this one: the answer is a map by id.
       */
      follow_links?: string | number | boolean
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The listing begins behind this item: a name, or an id where ids are listed.
       */
      Marker?: string | number | boolean
      /**
       * Items come in the order of their creation, not of their names.
       */
      CreateOrder?: string | number | boolean
      /**
       * Only items whose names match it: `*`, `?`, `[abc]`, `[!abc]`.
       */
      pattern?: string | number | boolean
      /**
       * Values of more bytes are left out; an element of variable size counts 512. 0 is no bound.
       */
      max_data_size?: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * Attributes come with their values.
       */
      IncludeData?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AttributeList
  }
  /**
   * Reads attributes by their names, of one object or of several.
   */
  'POST /datatypes/{id}/attributes': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * Values of more bytes are left out; an element of variable size counts 512. 0 is no bound.
       */
      max_data_size?: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * Attributes come with their values.
       */
      IncludeData?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: AttributeQuery
    answer: FoundAttributes
  }
  /**
   * Creates attributes of one object or of several.
   */
  'PUT /datatypes/{id}/attributes': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * An attribute that is there is replaced.
       */
      replace?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewAttributes
    answer: Done
  }
  /**
   * Deletes attributes of an object by their names.
   */
  'DELETE /datatypes/{id}/attributes': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * base64: attr_names is the Base64 of the names in UTF-8.
       */
      encoding?: 'base64'
      /**
       * The string between two names in attr_names; a slash by default.
       */
      separator?: string | number | boolean
      /**
       * The names, separated by slashes or by the separator. It may come several times.
       */
      attr_names?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AttributesDeleted
  }
  /**
   * Describes an attribute, with its value.
   */
  'GET /groups/{id}/attributes/{name}': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * Whether the attribute comes with its value; true by default.
       */
      IncludeData?: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Attribute
  }
  /**
   * Creates an attribute.
   */
  'PUT /groups/{id}/attributes/{name}': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * An attribute that is there is replaced.
       */
      replace?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewAttribute
    answer: AttributePut
  }
  /**
   * Deletes an attribute.
   */
  'DELETE /groups/{id}/attributes/{name}': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AttributeDeleted
  }
  /**
   * Describes an attribute, with its value.
   */
  'GET /datasets/{id}/attributes/{name}': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * Whether the attribute comes with its value; true by default.
       */
      IncludeData?: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Attribute
  }
  /**
   * Creates an attribute.
   */
  'PUT /datasets/{id}/attributes/{name}': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * An attribute that is there is replaced.
       */
      replace?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewAttribute
    answer: AttributePut
  }
  /**
   * Deletes an attribute.
   */
  'DELETE /datasets/{id}/attributes/{name}': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AttributeDeleted
  }
  /**
   * Describes an attribute, with its value.
   */
  'GET /datatypes/{id}/attributes/{name}': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * Whether the attribute comes with its value; true by default.
       */
      IncludeData?: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Attribute
  }
  /**
   * Creates an attribute.
   */
  'PUT /datatypes/{id}/attributes/{name}': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * An attribute that is there is replaced.
       */
      replace?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewAttribute
    answer: AttributePut
  }
  /**
   * Deletes an attribute.
   */
  'DELETE /datatypes/{id}/attributes/{name}': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AttributeDeleted
  }
  /**
   * Reads the value of an attribute.
   */
  'GET /groups/{id}/attributes/{name}/value': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AttributeValue
  }
  /**
   * Writes the value of an attribute. Its type and shape stay.
   */
  'PUT /groups/{id}/attributes/{name}/value': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewAttributeValue
    answer: AttributePut
  }
  /**
   * Reads the value of an attribute.
   */
  'GET /datasets/{id}/attributes/{name}/value': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AttributeValue
  }
  /**
   * Writes the value of an attribute. Its type and shape stay.
   */
  'PUT /datasets/{id}/attributes/{name}/value': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewAttributeValue
    answer: AttributePut
  }
  /**
   * Reads the value of an attribute.
   */
  'GET /datatypes/{id}/attributes/{name}/value': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * base64: values of fixed size come as the Base64 of their bytes.
       */
      encoding?: 'base64'
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AttributeValue
  }
  /**
   * Writes the value of an attribute. Its type and shape stay.
   */
  'PUT /datatypes/{id}/attributes/{name}/value': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the attribute, percent-encoded. In the classic dialect it may hold slashes.
       */
      name: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewAttributeValue
    answer: AttributePut
  }
  /**
   * Lists the items of an access control list.
   */
  'GET /acls': {
    parameters: {
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AclList
  }
  /**
   * Creates or changes the items of several users. Items of other users stay as they are.
   */
  'PUT /acls': {
    parameters: {
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewAclList
    answer: AclPut
  }
  /**
   * Describes the item of a user.
   */
  'GET /acls/{user}': {
    parameters: {
      /**
       * The name of the user, percent-encoded; `default` means all users, `g:NAME` a group of users.
       */
      user: string | number | boolean
      /**
       * The item says what the caller, whose name is in the path, may do, whatever item the list has.
       */
      effective?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Acl
  }
  /**
   * Creates or changes the item of a user. Flags that are not sent stay as they are.
   */
  'PUT /acls/{user}': {
    parameters: {
      /**
       * The name of the user, percent-encoded; `default` means all users, `g:NAME` a group of users.
       */
      user: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: NewAcl
    answer: AclPut
  }
  /**
   * Removes the item of a user.
   */
  'DELETE /acls/{user}': {
    parameters: {
      /**
       * The name of the user, percent-encoded; `default` means all users, `g:NAME` a group of users.
       */
      user: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AclPut
  }
  /**
   * Lists the items of an access control list.
   */
  'GET /groups/{id}/acls': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AclList
  }
  /**
   * Lists the items of an access control list.
   */
  'GET /datasets/{id}/acls': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AclList
  }
  /**
   * Lists the items of an access control list.
   */
  'GET /datatypes/{id}/acls': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: AclList
  }
  /**
   * Describes the item of a user.
   */
  'GET /groups/{id}/acls/{user}': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the user, percent-encoded; `default` means all users, `g:NAME` a group of users.
       */
      user: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Acl
  }
  /**
   * Describes the item of a user.
   */
  'GET /datasets/{id}/acls/{user}': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the user, percent-encoded; `default` means all users, `g:NAME` a group of users.
       */
      user: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Acl
  }
  /**
   * Describes the item of a user.
   */
  'GET /datatypes/{id}/acls/{user}': {
    parameters: {
      /**
       * The id of the object.
       */
      id: string | number | boolean
      /**
       * The name of the user, percent-encoded; `default` means all users, `g:NAME` a group of users.
       */
      user: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Acl
  }
  /**
   * Changes the owner and the access control lists of a domain or folder, and of everything below it.
   */
  'PUT /access': {
    parameters: {
      /**
       * The largest number of items; absent, 0 or, in the classic dialect, negative: all.
       */
      Limit?: string | number | boolean
      /**
       * The domains and folders after those of an answer: its `next`.
       */
      Marker?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: AccessChange
    answer: AccessChanged
  }
  /**
   * Tells every change of a domain, of an object in it, or of a folder with all below it, in order.
   */
  'GET /events': {
    parameters: {
      /**
       * The id of an object of the domain: the events have only its changes.
       */
      object?: string | number | boolean
      /**
       * The path of an object of the domain: the events have only its changes.
       */
      h5path?: string | number | boolean
      /**
       * The id of the last event that the client has: the events after it come. Without it, those from now on.
       */
      since?: string | number | boolean
      /**
       * One answer in JSON instead of a stream: as soon as there are events, or after this number of seconds.
       */
      wait?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: Events
  }
  /**
   * A document or a chunk of a domain as Zarr 2.
   */
  'GET /zarr/v2/{path}': {
    parameters: {
      /**
       * The path of a domain, that of an object in it, and the name of a document or a chunk.
       */
      path: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: ZarrDocument
  }
  /**
   * Puts a document or a chunk of Zarr 2: domains, groups, datasets and attributes are made of them.
   */
  'PUT /zarr/v2/{path}': {
    parameters: {
      /**
       * The path of a domain, that of an object in it, and the name of a document or a chunk.
       */
      path: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: ZarrDocument
    answer: undefined
  }
  /**
   * Deletes a chunk of Zarr 2, or a group, an array or a domain by its document or its path.
   */
  'DELETE /zarr/v2/{path}': {
    parameters: {
      /**
       * The path of a domain, that of an object in it, and the name of a document or a chunk.
       */
      path: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: undefined
  }
  /**
   * A document or a chunk of a domain as Zarr 3.
   */
  'GET /zarr/v3/{path}': {
    parameters: {
      /**
       * The path of a domain, that of an object in it, and the name of a document or a chunk.
       */
      path: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: ZarrDocument
  }
  /**
   * Puts a document or a chunk of Zarr 3: domains, groups, datasets and attributes are made of them.
   */
  'PUT /zarr/v3/{path}': {
    parameters: {
      /**
       * The path of a domain, that of an object in it, and the name of a document or a chunk.
       */
      path: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    body: ZarrDocument
    answer: undefined
  }
  /**
   * Deletes a chunk of Zarr 3, or a group, an array or a domain by its document or its path.
   */
  'DELETE /zarr/v3/{path}': {
    parameters: {
      /**
       * The path of a domain, that of an object in it, and the name of a document or a chunk.
       */
      path: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: undefined
  }
  /**
   * References of kerchunk to all chunks of a domain, or of a part of it.
   */
  'GET /zarr/refs/{path}': {
    parameters: {
      /**
       * The path of a domain, and that of an object in it.
       */
      path: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: References
  }
  /**
   * Describes an object, and the members of a group, for clients of h5grove.
   */
  'GET /h5grove/meta': {
    parameters: {
      /**
       * The path of a domain.
       */
      file?: string | number | boolean
      /**
       * The path of an object; without it, the root group.
       */
      path?: string | number | boolean
      /**
       * The links that are followed; only_valid by default.
       */
      resolve_links?: 'only_valid' | 'none' | 'all'
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: H5GroveAnswer
  }
  /**
   * Describes an object, and the members of a group, for clients of h5grove.
   */
  'GET /h5grove/meta/': {
    parameters: {
      /**
       * The path of a domain.
       */
      file?: string | number | boolean
      /**
       * The path of an object; without it, the root group.
       */
      path?: string | number | boolean
      /**
       * The links that are followed; only_valid by default.
       */
      resolve_links?: 'only_valid' | 'none' | 'all'
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: H5GroveAnswer
  }
  /**
   * Reads the values of the attributes of an object, for clients of h5grove.
   */
  'GET /h5grove/attr': {
    parameters: {
      /**
       * The path of a domain.
       */
      file?: string | number | boolean
      /**
       * The path of an object; without it, the root group.
       */
      path?: string | number | boolean
      /**
       * The links that are followed; only_valid by default.
       */
      resolve_links?: 'only_valid' | 'none' | 'all'
      /**
       * The name of an attribute that is read; may be repeated. Without it, all are.
       */
      attr_keys?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: H5GroveAnswer
  }
  /**
   * Reads the values of the attributes of an object, for clients of h5grove.
   */
  'GET /h5grove/attr/': {
    parameters: {
      /**
       * The path of a domain.
       */
      file?: string | number | boolean
      /**
       * The path of an object; without it, the root group.
       */
      path?: string | number | boolean
      /**
       * The links that are followed; only_valid by default.
       */
      resolve_links?: 'only_valid' | 'none' | 'all'
      /**
       * The name of an attribute that is read; may be repeated. Without it, all are.
       */
      attr_keys?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: H5GroveAnswer
  }
  /**
   * Reads elements of a dataset, for clients of h5grove.
   */
  'GET /h5grove/data': {
    parameters: {
      /**
       * The path of a domain.
       */
      file?: string | number | boolean
      /**
       * The path of an object; without it, the root group.
       */
      path?: string | number | boolean
      /**
       * The links that are followed; only_valid by default.
       */
      resolve_links?: 'only_valid' | 'none' | 'all'
      /**
       * The elements, as NumPy writes it: an index or `start:stop:step` for each dimension.
       */
      selection?: string | number | boolean
      /**
       * The form of the elements; json by default.
       */
      format?: 'json' | 'bin' | 'csv' | 'npy' | 'tiff'
      /**
       * The types of numbers: stored, or those that browsers have; origin by default.
       */
      dtype?: 'origin' | 'safe'
      /**
       * JSON is one list, whatever the dimensions.
       */
      flatten?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: H5GroveAnswer
  }
  /**
   * Reads elements of a dataset, for clients of h5grove.
   */
  'GET /h5grove/data/': {
    parameters: {
      /**
       * The path of a domain.
       */
      file?: string | number | boolean
      /**
       * The path of an object; without it, the root group.
       */
      path?: string | number | boolean
      /**
       * The links that are followed; only_valid by default.
       */
      resolve_links?: 'only_valid' | 'none' | 'all'
      /**
       * The elements, as NumPy writes it: an index or `start:stop:step` for each dimension.
       */
      selection?: string | number | boolean
      /**
       * The form of the elements; json by default.
       */
      format?: 'json' | 'bin' | 'csv' | 'npy' | 'tiff'
      /**
       * The types of numbers: stored, or those that browsers have; origin by default.
       */
      dtype?: 'origin' | 'safe'
      /**
       * JSON is one list, whatever the dimensions.
       */
      flatten?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: H5GroveAnswer
  }
  /**
   * Gives statistics of elements of a dataset, for clients of h5grove.
   */
  'GET /h5grove/stats': {
    parameters: {
      /**
       * The path of a domain.
       */
      file?: string | number | boolean
      /**
       * The path of an object; without it, the root group.
       */
      path?: string | number | boolean
      /**
       * The links that are followed; only_valid by default.
       */
      resolve_links?: 'only_valid' | 'none' | 'all'
      /**
       * The elements, as NumPy writes it: an index or `start:stop:step` for each dimension.
       */
      selection?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: H5GroveAnswer
  }
  /**
   * Gives statistics of elements of a dataset, for clients of h5grove.
   */
  'GET /h5grove/stats/': {
    parameters: {
      /**
       * The path of a domain.
       */
      file?: string | number | boolean
      /**
       * The path of an object; without it, the root group.
       */
      path?: string | number | boolean
      /**
       * The links that are followed; only_valid by default.
       */
      resolve_links?: 'only_valid' | 'none' | 'all'
      /**
       * The elements, as NumPy writes it: an index or `start:stop:step` for each dimension.
       */
      selection?: string | number | boolean
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: H5GroveAnswer
  }
  /**
   * Lists the paths of all objects and links below a group, for clients of h5grove.
   */
  'GET /h5grove/paths': {
    parameters: {
      /**
       * The path of a domain.
       */
      file?: string | number | boolean
      /**
       * The path of an object; without it, the root group.
       */
      path?: string | number | boolean
      /**
       * The links that are followed; only_valid by default.
       */
      resolve_links?: 'only_valid' | 'none' | 'all'
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: H5GroveAnswer
  }
  /**
   * Lists the paths of all objects and links below a group, for clients of h5grove.
   */
  'GET /h5grove/paths/': {
    parameters: {
      /**
       * The path of a domain.
       */
      file?: string | number | boolean
      /**
       * The path of an object; without it, the root group.
       */
      path?: string | number | boolean
      /**
       * The links that are followed; only_valid by default.
       */
      resolve_links?: 'only_valid' | 'none' | 'all'
      /**
       * The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.
       */
      domain?: string | number | boolean
      /**
       * The bucket that the domain is in; without it, the default bucket.
       */
      bucket?: string | number | boolean
      /**
       * The state that the domain must have; 412 if it has another one. The header If-State has precedence.
       */
      state?: string | number | boolean
      /**
       * NaN and infinities are sent as null.
       */
      ignore_nan?: string | number | boolean
    }
    answer: H5GroveAnswer
  }
}
export interface Info {
  name: string
  greeting: string
  about: string
  documentation: string
  hyperslab_version: string
  hyperslab_commit?: string
  h5serv_version: string
  h5py_version: string
  hdf5_version: string
  'hdf5-json-version': string
  node: {
    id: string
    type: string
    start_time: number
    state: 'READY' | 'STOPPING'
    node_count: number
  }
  host?: string
  req_count?: {
    GET: number
    PUT: number
    POST: number
    DELETE: number
    num_tasks: number
  }
  memory?: {
    rss: number
    heap_total: number
    heap_used: number
    external: number
  }
  cpu?: {
    user_seconds: number
    system_seconds: number
  }
  diskio?: {
    read_bytes: number
    write_bytes: number
  }
  netio?: {
    bytes_received: number
    bytes_sent: number
  }
  meta_cache_stats?: {
    count: number
  }
  chunk_cache_stats?: {
    count: number
    bytes: number
  }
  store?: {
    commits: number
    retries: number
    conflicts: number
  }
}
/**
 * A document of OpenAPI 3.1.
 */
export interface OpenApi {
  [k: string]: unknown
}
export interface About {
  start_time: number
  state: 'READY' | 'STOPPING'
  hsds_version: string
  hyperslab_version: string
  name: string
  greeting: string
  about: string
  node_count: number
  dn_urls: string[]
  dn_ids: string[]
  username: string
  isadmin: boolean
}
export interface Health {
  status: 'alive'
}
export interface Ready {
  status: 'ready'
  /**
   * The number of mounts whose file systems do not answer, or fail; all else is served.
   */
  unwell_mount_count?: number
  /**
   * These mounts, for callers that may see figures about the process.
   */
  unwell_mounts?: {
    path: string
    since: number
    overdue: number
    reason: string
  }[]
  [k: string]: unknown
}
export interface RequestList {
  /**
   * The name of the machine.
   */
  node: string
  requests: {
    /**
     * Its `X-Request-Id`, as in the log.
     */
    id: string
    /**
     * When it began, in seconds since the epoch.
     */
    since: number
    /**
     * How long ago that is.
     */
    seconds: number
    /**
     * It queues for a slot or for memory; or the service waits for its body, works on it, sends its answer, or sends events as they come.
     */
    state: 'queued-for-slot' | 'queued-for-memory' | 'receiving' | 'working' | 'streaming' | 'listening'
    method: string
    /**
     * Absent: the request has no route.
     */
    operation?: string
    dialect: string
    /**
     * Absent: the caller has not logged in.
     */
    user?: string
    /**
     * `administrators`, `users` or `anonymous`.
     */
    callers: string
    /**
     * The id of the share in its address.
     */
    share?: string
    /**
     * The address of the client.
     */
    address: string
    bucket?: string
    /**
     * The path of the domain or folder, as the request names it.
     */
    domain?: string
    /**
     * The path in its address, without the query.
     */
    path: string
    /**
     * Bytes of its body so far.
     */
    received: number
    /**
     * Bytes of its answer so far.
     */
    sent: number
  }[]
  /**
   * Processes of this machine that did not answer within two seconds.
   */
  silent: number
}
export interface EndedRequests {
  /**
   * How many have ended: a client may use an id again.
   */
  ended: number
}
export interface AuditLines {
  /**
   * The name of the machine whose file it is.
   */
  node: string
  /**
   * The lines that fit, the newest first.
   */
  entries: {
    [k: string]: unknown
  }[]
  /**
   * False: there are earlier lines, which were not looked at.
   */
  complete: boolean
}
export interface QuotaList {
  quotas: Quota[]
}
export interface Quota {
  /**
   * The path of the folder: the quota is for all domains below it. In another bucket, its name first.
   */
  folder?: string
  /**
   * The user: the quota is for all domains that belong to it.
   */
  owner?: string
  /**
   * Bytes of values and of the records of objects, links and attributes.
   */
  bytes?: number
  /**
   * Groups, datasets and committed datatypes.
   */
  objects?: number
  used: {
    bytes: number
    objects: number
  }
  /**
   * False: what was there before the quota is still being counted; send the quota again if that was interrupted.
   */
  enforced: boolean
}
/**
 * A folder or an owner, and at least one limit.
 */
export interface NewQuota {
  /**
   * The path of the folder: the quota is for all domains below it. In another bucket, its name first.
   */
  folder?: string
  /**
   * The user: the quota is for all domains that belong to it.
   */
  owner?: string
  /**
   * Bytes of values and of the records of objects, links and attributes.
   */
  bytes?: number
  /**
   * Groups, datasets and committed datatypes.
   */
  objects?: number
}
export interface RemovedQuotas {
  removed: number
}
export interface Login {
  username: string
  isadmin: boolean
  /**
   * How the caller has logged in.
   */
  login: 'none' | 'password' | 'provider' | 'session' | 'share' | 'token'
  /**
   * Only of a caller that has not logged in. False: nobody can, since there are no accounts.
   */
  accounts?: boolean
  /**
   * The id of the session or token.
   */
  id?: string
  /**
   * A time in UTC.
   */
  end?: string
  /**
   * The scope of the token or share.
   */
  scope?: {
    writes: boolean
    /**
     * The path of a domain, or of a folder, with all below it; absent: all domains and folders.
     */
    within?: string
    /**
     * The path of the dataset of the domain that the share is for; absent: all of it.
     */
    h5path?: string
  }
  /**
   * The query of the address of the page `/ui`, for the view that the share opens there.
   */
  view?: string
  /**
   * The name that the identity provider shows.
   */
  displayName?: string
  /**
   * After the end of a session: the address at which the user logs out of the identity provider.
   */
  logout?: string
}
export interface SessionList {
  sessions: {
    id: string
    /**
     * The program that has logged in, as it names itself.
     */
    client: string
    /**
     * True: the session of the request.
     */
    current: boolean
    /**
     * A time in UTC.
     */
    created: string
    /**
     * The last use that was noted.
     */
    used: string
    /**
     * A time in UTC.
     */
    end: string
  }[]
}
export interface EndedLogins {
  /**
   * How many have ended.
   */
  ended: number
}
export interface TokenList {
  tokens: {
    id: string
    name: string
    writes: boolean
    /**
     * The path of a domain, or of a folder, with all below it; absent: all domains and folders.
     */
    within?: string
    /**
     * A time in UTC.
     */
    created: string
    /**
     * A time in UTC.
     */
    end: string
    /**
     * Requests with it; those of the last seconds may be missing.
     */
    uses: number
    /**
     * The time of the last one; absent: there was none.
     */
    used?: string
  }[]
}
export interface NewToken {
  /**
   * A name by which the user knows the token again.
   */
  name: string
  /**
   * The end: a date, which begins in UTC, or a time in UTC.
   */
  end: string
  /**
   * True: for reading and writing; otherwise for reading.
   */
  writes?: boolean
  /**
   * The path of a domain, or of a folder, with all below it; absent: all domains and folders.
   */
  within?: string
}
export interface CreatedToken {
  id: string
  name: string
  writes: boolean
  /**
   * The path of a domain, or of a folder, with all below it; absent: all domains and folders.
   */
  within?: string
  /**
   * A time in UTC.
   */
  created: string
  /**
   * A time in UTC.
   */
  end: string
  /**
   * The secret, which is not shown again.
   */
  token: string
}
export interface LoginList {
  logins: {
    id: string
    user: string
    kind: 'session' | 'share' | 'token'
    /**
     * The name of a token, or the program of a session.
     */
    title?: string
    /**
     * Whether a token is for writing, too.
     */
    writes?: boolean
    /**
     * The domain or folder of a token or share; absent: all.
     */
    within?: string
    /**
     * A time in UTC.
     */
    created: string
    /**
     * A time in UTC.
     */
    end: string
    /**
     * The last use that was noted; absent: there was none.
     */
    used?: string
    /**
     * Requests with a token, or by the address of a share.
     */
    uses?: number
  }[]
  /**
   * `Marker` of the request for further ones; absent: there are none.
   */
  next?: string
}
export interface ProviderList {
  providers: {
    name: string
    /**
     * The name to show.
     */
    title: string
    /**
     * The address that begins a login, which a person opens.
     */
    login: string
    /**
     * False: the provider does not answer at present.
     */
    available: boolean
  }[]
}
export interface FirstAccount {
  name: string
  password: string
  code?: string
}
export interface User {
  name: string
  /**
   * True: an administrator, with all permissions.
   */
  admin: boolean
  /**
   * The groups of the user, without `g:`.
   */
  groups: string[]
  /**
   * True: the user cannot log in, and the name stays taken.
   */
  disabled: boolean
  /**
   * False: the password is in the password file.
   */
  stored: boolean
  /**
   * The name that the identity provider shows.
   */
  displayName?: string
  /**
   * The identity provider at which the user logs in.
   */
  issuer?: string
}
export interface NewPassword {
  /**
   * The present password.
   */
  password: string
  new: string
}
export interface UserList {
  users: {
    name: string
    /**
     * True: an administrator, with all permissions.
     */
    admin: boolean
    /**
     * The groups of the user, without `g:`.
     */
    groups: string[]
    /**
     * True: the user cannot log in, and the name stays taken.
     */
    disabled: boolean
    /**
     * False: the password is in the password file.
     */
    stored: boolean
    /**
     * The name that the identity provider shows.
     */
    displayName?: string
    /**
     * The identity provider at which the user logs in.
     */
    issuer?: string
  }[]
}
export interface NewUser {
  password: string
  admin?: boolean
}
export interface ChangedUser {
  /**
   * A new password: sessions that began with another one end.
   */
  password?: string
  admin?: boolean
  /**
   * False: the user can log in again.
   */
  disabled?: boolean
}
export interface DisabledUser {
  name: string
  disabled?: true
  removed?: true
}
export interface ShareList {
  shares: {
    /**
     * The origins whose pages may show it in a frame, of those in the setting `frame_ancestors`.
     */
    frame_ancestors?: string[]
    id: string
    /**
     * The path of the domain or folder that it shows.
     */
    domain: string
    /**
     * The path of the dataset of the domain that the share is for; absent: all of it.
     */
    h5path?: string
    note: string
    /**
     * The query of the address of the page `/ui`, for the view that the share opens there.
     */
    view: string
    /**
     * A time in UTC.
     */
    created: string
    /**
     * A time in UTC.
     */
    end: string
    /**
     * Requests with it; those of the last seconds may be missing.
     */
    uses: number
    /**
     * The time of the last one; absent: there was none.
     */
    used?: string
  }[]
}
export interface NewShare {
  /**
   * The path of the domain or folder to show.
   */
  domain: string
  /**
   * The end: a date, which begins in UTC, or a time in UTC.
   */
  end: string
  /**
   * The path of the dataset of the domain that the share is for; absent: all of it.
   */
  h5path?: string
  /**
   * A note for the user that makes the share.
   */
  note?: string
  /**
   * The query of the address of the page `/ui`, for the view that the share opens there.
   */
  view?: string
  /**
   * The origins whose pages may show it in a frame, of those in the setting `frame_ancestors`.
   */
  frame_ancestors?: string[]
}
export interface CreatedShare {
  /**
   * The origins whose pages may show it in a frame, of those in the setting `frame_ancestors`.
   */
  frame_ancestors?: string[]
  id: string
  /**
   * The path of the domain or folder that it shows.
   */
  domain: string
  /**
   * The path of the dataset of the domain that the share is for; absent: all of it.
   */
  h5path?: string
  note: string
  /**
   * The query of the address of the page `/ui`, for the view that the share opens there.
   */
  view: string
  /**
   * A time in UTC.
   */
  created: string
  /**
   * A time in UTC.
   */
  end: string
  /**
   * Requests with it; those of the last seconds may be missing.
   */
  uses: number
  /**
   * The time of the last one; absent: there was none.
   */
  used?: string
  /**
   * The address with its secret, which is not shown again.
   */
  address: string
}
/**
 * Which mounted files are read as one domain, along which dimension.
 */
export interface JoinDefinition {
  /**
   * Paths of mounted files, or patterns of such paths: `*`, `?`, `[a-z]` within a name, `**` for folders at any depth.
   */
  sources: string | string[]
  /**
   * The name of a dimension; or `PATH#AXIS` of datasets, the first dimension is 0. Absent: `union` is true.
   */
  along?: string | string[] | NewDimension
  /**
   * The objects of all files are beside each other, and no datasets are joined. Of objects of one path the first one counts.
   */
  union?: true
  /**
   * Where coordinates of files overlap, those of the file that begins first, or last. Absent: such files cannot be joined.
   */
  keep?: 'first' | 'last'
  /**
   * Numbers that files pack in different ways become floats, with NaN for missing ones.
   */
  unpack?: true
  /**
   * Datasets that are not joined must have the same types and extents in all files, or the same values, too. Absent: those of the first file count.
   */
  check?: 'types' | 'values'
  /**
   * Elements of files that cannot be read are fill values. Absent: reading them is an error.
   */
  missing?: 'fill'
}
/**
 * A dimension that the files do not have: each file is one coordinate of it.
 */
export interface NewDimension {
  /**
   * Its name, and that of the dataset with its coordinates.
   */
  new: string
  /**
   * The coordinate of a file: a pattern of its name, such as `run_{n:d}.h5`, or `PATH@NAME` of an attribute. Absent: the number of the file.
   */
  coordinate?: string
  /**
   * Paths of the datasets that have it. Absent: all but dimension scales and references.
   */
  datasets?: string | string[]
}
/**
 * The properties as sent, with the layout in effect if none was sent. Other members that were sent come back too.
 */
export interface CreationProperties {
  /**
   * The layout. A chunked layout has the `dims` of its chunks, which stay as given if `exact` is true.
   */
  layout?: {
    class:
      | 'H5D_CHUNKED'
      | 'H5D_CONTIGUOUS'
      | 'H5D_COMPACT'
      | 'H5D_CONTIGUOUS_REF'
      | 'H5D_CHUNKED_REF'
      | 'H5D_CHUNKED_REF_INDIRECT'
    dims?: number[]
    exact?: boolean
    file_uri?: string
    offset?: number
    size?: number
    chunks?: {
      [k: string]: unknown
    }
    chunk_table?: string
    hyper_dims?: unknown
    [k: string]: unknown
  }
  /**
   * One element of the type, or its bytes as Base64.
   */
  fillValue?: {
    [k: string]: unknown
  }
  fillValue_encoding?: 'base64' | 'None'
  /**
   * arange: what elements are that were never written. chunklocator: the rows of a table of chunks.
   */
  initializer?: {
    [k: string]: unknown
  }
  initializer_opts?: unknown
  fillTime?: unknown
  allocTime?: unknown
  filters?: {
    id: number
    class: string
    name?: string
    [k: string]: unknown
  }[]
  [k: string]: unknown
}
export interface Folder {
  owner: string
  created: number
  lastModified: number
  /**
   * With `getdnids`: it never changes.
   */
  dn_ids?: string[]
  /**
   * Served where it is: no request changes it.
   */
  mounted?: true
  /**
   * Made of mounted files: no request changes anything in it.
   */
  joined?: true
  /**
   * Files that are read as this one domain.
   */
  num_files?: number
  /**
   * Bytes of the mounted file, or of all files of a joined domain.
   */
  file_size?: number
  /**
   * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
   */
  damage?: string
  class: 'folder'
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * A value as JSON: numbers, strings, booleans, null; lists for dimensions, compound elements and sequences.
 */
export interface AnyValue {
  [k: string]: unknown
}
/**
 * The domains and folders in a folder.
 */
export interface FolderList {
  domains: ListedDomain[]
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
export interface DataNodes {
  dn_ids: string[]
}
/**
 * The files of a definition, as they would be together.
 */
export interface JoinReview {
  files: number
  /**
   * The paths of the files in their order, the first thousand.
   */
  names: string[]
  /**
   * The length of the dimension; 0 of a union.
   */
  length: number
  /**
   * The datasets that are joined, each along its dimension `axis`.
   */
  datasets: {
    path: string
    shape: number[]
    axis: number
  }[]
  /**
   * The reasons why the files cannot be joined, the first hundred.
   */
  conflicts: {
    files: string[]
    object?: string
    reason: string
    /**
     * The member of the definition with which these files can be joined.
     */
    option?: 'keep' | 'unpack'
  }[]
  /**
   * Sources in which there is no file, and files that are left out, the first hundred.
   */
  warnings: {
    path: string
    message: string
  }[]
}
/**
 * An empty object.
 */
export interface Done {}
export interface PathQuery {
  h5paths: string[]
  [k: string]: unknown
}
export interface FoundObjects {
  /**
   * Objects by the paths as they were sent.
   */
  h5paths: {
    [k: string]: FoundObject | Error
  }
}
export interface Error {
  status: number
  /**
   * The name of the rule that was broken (docs/errors.md).
   */
  code: string
  message: string
}
/**
 * The path of the domain that a file has become.
 */
export interface StoredFile {
  domain: string
  /**
   * The parts of a file that were left out or changed; of a joined domain, sources in which there is no file, and files that are left out.
   */
  warnings: {
    path: string
    message: string
  }[]
}
export interface FirstDatasets {
  /**
   * The dataset of the picture of the domain, if it has one, before others; empty if attributes lead to a default plot.
   */
  datasets: {
    h5path: string
  }[]
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * The use of the domains below a folder that the caller may read.
 */
export interface Usage {
  folder: string
  by: 'folder' | 'owner'
  /**
   * The use of all domains that are counted.
   */
  total: {
    domains: number
    /**
     * Groups, datasets and committed datatypes.
     */
    objects: number
    /**
     * Bytes of values and of all records: the sum of `total_size` of the domains.
     */
    bytes: number
    /**
     * Bytes of values.
     */
    allocated_bytes: number
    /**
     * Bytes of the records of objects, links and attributes.
     */
    metadata_bytes: number
    /**
     * The last change, in UTC; absent: there are no domains.
     */
    last_modified?: string
  }
  /**
   * The sums, largest bytes first.
   */
  items: UsageItem[]
  /**
   * `Marker` of the request for further items; absent: there are none.
   */
  next?: string
  /**
   * The quotas of the folder and of those above it; absent: there are none.
   */
  quotas?: Quota[]
  /**
   * The folder is one of mounted files, which are not counted.
   */
  mounted?: true
  minItems?: 0
}
export interface UsageItem {
  /**
   * The path of a domain or folder in the folder; absent by owner.
   */
  name?: string
  class?: 'domain' | 'folder'
  /**
   * The owner, if the sums are by owner; absent: the domains have none.
   */
  owner?: string
  domains: number
  /**
   * Groups, datasets and committed datatypes.
   */
  objects: number
  /**
   * Bytes of values and of all records: the sum of `total_size` of the domains.
   */
  bytes: number
  /**
   * Bytes of values.
   */
  allocated_bytes: number
  /**
   * Bytes of the records of objects, links and attributes.
   */
  metadata_bytes: number
  /**
   * The last change, in UTC; absent: there are no domains.
   */
  last_modified?: string
}
export interface Group {
  id: string
  root: string
  created: number
  lastModified: number
  attributeCount: number
  /**
   * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
   */
  damage?: string
  linkCount: number
  creationProperties?: unknown
  bucket: string
  /**
   * With include_links: the links by their titles.
   */
  links?: {
    [k: string]: StoredLink
  }
  domain: string
  /**
   * With getalias: the first path of hard links from the root group.
   */
  alias?: string[]
  /**
   * With include_attrs: the attributes by their names.
   */
  attributes?: {
    [k: string]: AttributeItem
  }
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * An attribute is a scalar without `shape`, and may come without a value. Other members are errors.
 */
export interface NewAttribute {
  /**
   * Ignored: answers have it.
   */
  name?: {
    [k: string]: unknown
  }
  /**
   * Ignored: answers have it.
   */
  lastModified?: {
    [k: string]: unknown
  }
  /**
   * Ignored: answers have it.
   */
  href?: {
    [k: string]: unknown
  }
  /**
   * Ignored: answers have it.
   */
  hrefs?: {
    [k: string]: unknown
  }
  /**
   * Ignored: answers have it.
   */
  creationProperties?: {
    [k: string]: unknown
  }
  type: TypeInput
  shape?:
    | number
    | number[]
    | ('H5S_NULL' | 'H5S_SCALAR')
    | {
        class: 'H5S_NULL' | 'H5S_SCALAR' | 'H5S_SIMPLE'
        dims?: number[]
        [k: string]: unknown
      }
  value?: AnyValue
  /**
   * base64: the value is the Base64 of its bytes.
   */
  encoding?: 'base64' | null
  /**
   * Seconds since 1970; a value that is not a number is ignored.
   */
  created?: {
    [k: string]: unknown
  }
}
export interface ObjectDeleted {}
export interface Dataset {
  id: string
  root: string
  created: number
  lastModified: number
  attributeCount: number
  /**
   * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
   */
  damage?: string
  shape: Shape
  type: Type
  layout?: Layout
  creationProperties: CreationProperties
  /**
   * With verbose: the number of stored chunks.
   */
  num_chunks?: number
  /**
   * With verbose: the bytes of stored chunks.
   */
  allocated_size?: number
  domain: string
  /**
   * With getalias: the first path of hard links from the root group.
   */
  alias?: string[]
  /**
   * With include_attrs: the attributes by their names.
   */
  attributes?: {
    [k: string]: AttributeItem
  }
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * Layout, filters, fill value and initializer have an effect; other members are kept.
 */
export interface CreationPropertiesInput {
  /**
   * The layout. A chunked layout has the `dims` of its chunks, which stay as given if `exact` is true.
   */
  layout?: {
    class:
      | 'H5D_CHUNKED'
      | 'H5D_CONTIGUOUS'
      | 'H5D_COMPACT'
      | 'H5D_CONTIGUOUS_REF'
      | 'H5D_CHUNKED_REF'
      | 'H5D_CHUNKED_REF_INDIRECT'
    dims?: number[]
    exact?: boolean
    file_uri?: string
    offset?: number
    size?: number
    chunks?: {
      [k: string]: unknown
    }
    chunk_table?: string
    hyper_dims?: unknown
    [k: string]: unknown
  }
  /**
   * One element of the type, or its bytes as Base64.
   */
  fillValue?: {
    [k: string]: unknown
  }
  fillValue_encoding?: 'base64' | 'None'
  /**
   * arange: what elements are that were never written. chunklocator: the rows of a table of chunks.
   */
  initializer?: {
    [k: string]: unknown
  }
  initializer_opts?: unknown
  fillTime?: unknown
  allocTime?: unknown
  filters?: (
    | (number | string)
    | {
        class?: string
        id?: number
        name?: string
        level?: number
        [k: string]: unknown
      }
  )[]
  [k: string]: unknown
}
export interface Datatype {
  id: string
  root: string
  created: number
  lastModified: number
  attributeCount: number
  /**
   * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
   */
  damage?: string
  type: Type
  creationProperties?: unknown
  domain: string
  /**
   * With getalias: the first path of hard links from the root group.
   */
  alias?: string[]
  /**
   * With include_attrs: the attributes by their names.
   */
  attributes?: {
    [k: string]: AttributeItem
  }
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
export interface LinkList {
  links:
    | LinkItem[]
    | {
        [k: string]:
          | LinkItem[]
          | {
              status: number
            }
      }
  /**
   * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
   */
  damage?: string
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * Titles of the group in the path, of each of `grp_ids`, or others of each.
 */
export interface LinkQuery {
  titles?: string[]
  grp_ids?:
    | string[]
    | {
        [k: string]: string[]
      }
  [k: string]: unknown
}
export interface FoundLinks {
  links:
    | LinkItem[]
    | {
        [k: string]:
          | LinkItem[]
          | {
              status: number
            }
      }
}
/**
 * Links by their titles, for the group in the path, for each of `grp_ids`, or others for each.
 */
export interface NewLinks {
  links?: {
    [k: string]: NewLink
  }
  grp_ids?:
    | string[]
    | {
        [k: string]: {
          links?: {
            [k: string]: NewLink
          }
        }
      }
}
export interface LinkDeleted {}
export interface Link {
  link:
    | {
        class: 'H5L_TYPE_HARD'
        id: string
        collection: 'groups' | 'datasets' | 'datatypes'
        title: string
      }
    | {
        class: 'H5L_TYPE_SOFT'
        h5path: string
        title: string
      }
    | {
        class: 'H5L_TYPE_EXTERNAL'
        h5path: string
        h5domain: string
        file: string
        title: string
      }
    | {
        class: 'H5L_TYPE_USER_DEFINED'
        title: string
      }
  created: number
  lastModified: number
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
export interface LinkPut {
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
export interface ShapeAnswer {
  shape: Shape
  created: number
  lastModified: number
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * The new elements, where exactly one dimension has grown and none has shrunk.
 */
export interface ShapeChanged {
  selection?: string
}
export interface TypeAnswer {
  type: Type
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
export interface Value {
  /**
   * A list for each dimension; of a scalar, the bare element. An element is a number, a string, a boolean, null, or a list: of the members of a compound, of the elements of an array or sequence.
   */
  value: {
    [k: string]: unknown
  }
  /**
   * The index of each element, for a query on a dataset of one dimension.
   */
  index?: number[]
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
export interface ValueStatistics {
  /**
   * Elements that are not NaN.
   */
  count: number
  nanCount: number
  /**
   * Absent without elements that are not NaN, as are the next three.
   */
  min?: number | string | null
  max?: number | string | null
  mean?: number | string | null
  /**
   * The standard deviation of the population.
   */
  standardDeviation?: number | string | null
  /**
   * The number of finite numbers in each of several bins of equal width from `min` to `max`.
   */
  histogram?: {
    min: number
    max: number
    counts: number[]
  }
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * The elements to read: `points`, or `select`, or `start` and `stop`.
 */
export interface PointQuery {
  /**
   * The index of each element in each dimension; of one dimension, a number for each element.
   */
  points?: (number | number[])[]
  /**
   * The selection as in the query, or for each dimension an index, a list of indices, or a range such as "3:7".
   */
  select?: string | (number | number[] | string)[]
  /**
   * The first index in each dimension.
   */
  start?: number | number[]
  /**
   * The index behind the last in each dimension.
   */
  stop?: number | number[]
  /**
   * 1 by default.
   */
  step?: number | number[] | null
  /**
   * Members of a compound.
   */
  fields?: string | string[]
  [k: string]: unknown
}
/**
 * The new value of the elements that a query matches: of a compound, members with their new values; of another type the value, or an object with `value`. `query`, `Limit` and `select` may be given too.
 */
export interface QueryUpdate {
  [k: string]: unknown
}
export interface QueryUpdated {
  /**
   * For each element its index in each dimension.
   */
  indices: number[][]
  /**
   * The index of each element, for a dataset of one dimension.
   */
  index?: number[]
  /**
   * At level 0.9: the elements, each behind its indexes.
   */
  value?: {
    [k: string]: unknown
  }
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
export interface ValuesQuery {
  /**
   * The values to read.
   */
  values: ValuesQueryItem[]
}
/**
 * A dataset, by `id` or `h5path`, and the elements of it that are read; without a selection, all.
 */
export interface ValuesQueryItem {
  /**
   * The id of the dataset.
   */
  id?: string
  /**
   * The path of the dataset from the root group, through links of all kinds.
   */
  h5path?: string
  /**
   * The index of each element in each dimension; of one dimension, a number for each element.
   */
  points?: (number | number[])[]
  /**
   * The selection as in the query, or for each dimension an index, a list of indices, or a range such as "3:7".
   */
  select?: string | (number | number[] | string)[]
  /**
   * The first index in each dimension.
   */
  start?: number | number[]
  /**
   * The index behind the last in each dimension.
   */
  stop?: number | number[]
  /**
   * 1 by default.
   */
  step?: number | number[] | null
  /**
   * Members of a compound.
   */
  fields?: string | string[]
}
export interface Values {
  /**
   * The values, in the order of the request.
   */
  values: ValuesItem[]
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
export interface ValuesItem {
  /**
   * The path, if the request has it.
   */
  h5path?: string
  id: string
  /**
   * The path of the domain of the dataset, if it is another one.
   */
  domain?: string
  /**
   * A list for each dimension; of a scalar, the bare element. An element is a number, a string, a boolean, null, or a list: of the members of a compound, of the elements of an array or sequence.
   */
  value: {
    [k: string]: unknown
  }
}
export interface NewValues {
  /**
   * The values to write, in this order.
   */
  values: NewValuesItem[]
  /**
   * The hrefs of an answer, which mean nothing here.
   */
  hrefs?: {
    href: string
    rel: string
  }[]
}
/**
 * A dataset, by `id` or `h5path`, and elements of it, like the body of a write of one dataset. An item without a value takes the next part of a multipart body.
 */
export interface NewValuesItem {
  /**
   * The id of the dataset.
   */
  id?: string
  /**
   * The path of the dataset from the root group, through links of all kinds.
   */
  h5path?: string
  /**
   * A list for each dimension; of a scalar, the bare element. An element is a number, a string, a boolean, null, or a list: of the members of a compound, of the elements of an array or sequence.
   */
  value?: {
    [k: string]: unknown
  }
  /**
   * The Base64 of the bytes of the elements.
   */
  value_base64?: string
  /**
   * The index of each element in each dimension; of one dimension, a number for each element.
   */
  points?: (number | number[])[]
  /**
   * The selection as in the query, or for each dimension an index, a list of indices, or a range such as "3:7".
   */
  select?: string | (number | number[] | string)[]
  /**
   * The first index in each dimension.
   */
  start?: number | number[]
  /**
   * The index behind the last in each dimension.
   */
  stop?: number | number[]
  /**
   * 1 by default.
   */
  step?: number | number[] | null
  /**
   * Members of a compound.
   */
  fields?: string | string[]
  /**
   * The number of elements by which a dimension grows.
   */
  append?: number | null
  /**
   * The dimension that is appended to; 0 by default.
   */
  append_dim?: number | null
  /**
   * The number of elements in the body, which are repeated over the selection.
   */
  element_count?: number | null
}
export interface ValuesWritten {}
export interface QueryIndexes {
  /**
   * For each element its index in each dimension.
   */
  indices: number[][]
  /**
   * The index of each element, for a dataset of one dimension.
   */
  index?: number[]
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
export interface AttributeList {
  attributes:
    | AttributeItem[]
    | {
        [k: string]:
          | AttributeItem[]
          | {
              status: number
            }
      }
  /**
   * The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.
   */
  damage?: string
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * Names of the object in the path, of each of `obj_ids`, or others of each. Without names: all.
 */
export interface AttributeQuery {
  attr_names?: string[]
  obj_ids?:
    | string[]
    | {
        [k: string]: string[]
      }
  [k: string]: unknown
}
export interface FoundAttributes {
  attributes:
    | AttributeItem[]
    | {
        [k: string]:
          | AttributeItem[]
          | {
              status: number
            }
      }
}
/**
 * Attributes by their names, for the object in the path, for each of `obj_ids`, or others for each; or one with its `name` and the members of NewAttribute.
 */
export interface NewAttributes {
  attributes?: {
    [k: string]: NewAttribute
  }
  obj_ids?:
    | string[]
    | {
        [k: string]: {
          attributes?: {
            [k: string]: NewAttribute
          }
        }
      }
  name?: string
  /**
   * Ignored: answers have it.
   */
  lastModified?: {
    [k: string]: unknown
  }
  /**
   * Ignored: answers have it.
   */
  href?: {
    [k: string]: unknown
  }
  /**
   * Ignored: answers have it.
   */
  hrefs?: {
    [k: string]: unknown
  }
  /**
   * Ignored: answers have it.
   */
  creationProperties?: {
    [k: string]: unknown
  }
  type?: TypeInput
  shape?:
    | number
    | number[]
    | ('H5S_NULL' | 'H5S_SCALAR')
    | {
        class: 'H5S_NULL' | 'H5S_SCALAR' | 'H5S_SIMPLE'
        dims?: number[]
        [k: string]: unknown
      }
  value?: AnyValue
  /**
   * base64: the value is the Base64 of its bytes.
   */
  encoding?: 'base64' | null
  /**
   * Seconds since 1970; a value that is not a number is ignored.
   */
  created?: {
    [k: string]: unknown
  }
}
export interface AttributesDeleted {
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * An attribute. `value` is null where nothing was written, and absent with `IncludeData=0`.
 */
export interface Attribute {
  name: string
  shape: Shape
  type: Type
  value?: AnyValue
  encoding?: 'base64'
  created: number
  lastModified: number
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * It has no members.
 */
export interface AttributePut {}
/**
 * It has no members.
 */
export interface AttributeDeleted {}
export interface AttributeValue {
  value: AnyValue
  encoding?: 'base64'
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * The shape and the type of the attribute stay. null is no value.
 */
export interface NewAttributeValue {
  value: AnyValue
  /**
   * base64: the value is the Base64 of its bytes.
   */
  encoding?: 'base64' | null
  [k: string]: unknown
}
export interface AclList {
  acls: AclItem[]
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * Items, each with the name of its user and at least one flag.
 */
export interface NewAclList {
  /**
   * @minItems 1
   */
  acls: [NewAcl, ...NewAcl[]]
  [k: string]: unknown
}
/**
 * At least one flag.
 */
export interface NewAcl {
  userName?: string
  username?: string
  domain?: string
  create?: boolean
  read?: boolean
  update?: boolean
  delete?: boolean
  readACL?: boolean
  updateACL?: boolean
  [k: string]: unknown
}
export interface AclPut {}
export interface Acl {
  acl: AclItem
  /**
   * Addresses of related resources.
   */
  hrefs: {
    href: string
    rel: string
  }[]
}
/**
 * At least one of `owner`, `acls` and `remove`.
 */
export interface AccessChange {
  /**
   * The new owner: its item gets all flags, and that of the former owner is removed.
   */
  owner?: string
  /**
   * Items, each with the name of its user.
   *
   * @minItems 1
   */
  acls?: [NewAcl, ...NewAcl[]]
  /**
   * Names whose items are removed, where a list has them.
   */
  remove?: string[]
  /**
   * Everything below is changed too.
   */
  below?: boolean
  /**
   * Only what this user owns is changed.
   */
  owned_by?: string
  /**
   * Names that no account and no group has are allowed.
   */
  force?: boolean
}
export interface AccessChanged {
  /**
   * Domains and folders that have another owner or list now.
   */
  changed: number
  /**
   * Domains and folders that were as requested before.
   */
  unchanged: number
  /**
   * `Marker` of the request that goes on; absent: all is done.
   */
  next?: string
}
/**
 * Events after a position.
 */
export interface Events {
  events: Event[]
  /**
   * The position after them: `since` of the next request.
   */
  next: string
  /**
   * Events after `since` were removed: read the domain again.
   */
  gone?: true
  /**
   * The present state of the domain, with `gone` and without `since`.
   */
  state?: string
}
/**
 * The changes of one domain in one commit.
 */
export interface Event {
  /**
   * The position of the commit in the feed, for `since`.
   */
  id: string
  /**
   * The time of the commit.
   */
  time: number | string
  /**
   * The path of the domain or folder that was changed.
   */
  domain: string
  /**
   * The state of the domain after the commit; absent: it was deleted, or is a folder.
   */
  state?: string
  changes: Change[]
  /**
   * There are more changes than are listed.
   */
  more?: true
}
/**
 * A change of an object, or of the domain or folder itself.
 */
export interface Change {
  kind: 'created' | 'deleted' | 'attributes' | 'links' | 'values' | 'acl'
  class: 'domain' | 'folder' | 'group' | 'dataset' | 'datatype'
  /**
   * The id of the object; absent: the domain or folder itself.
   */
  id?: string
  /**
   * A path of the object, if one is known.
   */
  h5path?: string
  /**
   * With `stop`, the smallest box around the elements that were written.
   */
  start?: number[]
  /**
   * The end of the box, exclusive.
   */
  stop?: number[]
  /**
   * The new extents of the dataset.
   */
  shape?: number[]
}
/**
 * A document of Zarr 2 or 3.
 */
export interface ZarrDocument {
  [k: string]: unknown
}
export interface References {
  version: 1
  refs: {
    /**
     * The text of a document, or an address, perhaps with an offset and a length.
     */
    [k: string]: string | (string | number)[]
  }
  [k: string]: unknown
}
/**
 * An answer of the API of h5grove.
 */
export interface H5GroveAnswer {
  [k: string]: unknown
}

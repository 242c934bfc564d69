// Domains and folders as both dialects show them: their state, counts and sizes, and the items of lists.

import {
  COUNT,
  list,
  NUMBER,
  object,
  oneOf,
  ref,
  type Schema,
  type Schemas,
  STRING,
} from '../../message/schema.ts'
import { DAMAGE, HREFS } from './common.ts'

export const DOMAIN_STATE: Schema = {
  type: 'string',
  description: 'Different after every change of anything in the domain.',
}

/** Parts of a file that the domain made from it lacks. */
export const WARNINGS: Schema = list(
  object({ path: STRING, message: STRING }),
  'The parts of a file that were left out or changed; of a joined domain, sources in which there is no file, and files that are left out.',
)

/** The counts of a domain's contents that `verbose` adds (hsds-objects 8.12). */
export const STATISTICS: Readonly<Record<string, Schema>> = {
  num_groups: COUNT,
  num_datasets: COUNT,
  num_datatypes: COUNT,
  num_objects: COUNT,
  num_chunks: COUNT,
  num_linked_chunks: COUNT,
  total_size: COUNT,
  allocated_bytes: COUNT,
  metadata_bytes: COUNT,
  linked_bytes: COUNT,
  md5_sum: STRING,
}

/** Members of files and folders that are served where they are. */
export const MOUNTED = {
  'mounted?': { const: true, description: 'Served where it is: no request changes it.' },
  'joined?': { const: true, description: 'Made of mounted files: no request changes anything in it.' },
  'num_files?': { ...COUNT, description: 'Files that are read as this one domain.' },
  'file_size?': { ...COUNT, description: 'Bytes of the mounted file, or of all files of a joined domain.' },
  ...DAMAGE,
}

/** The definition of a joined domain, in its description. */
export const JOIN = {
  'join?': ref('JoinDefinition'),
  'unwell?': list(
    object({ file: STRING, reason: STRING }),
    'The files of a joined domain that cannot be read, as far as they were looked at. Absent: none is known.',
  ),
  'joining?': {
    ...object({
      joined: { ...COUNT, description: 'Files that the domain has by now.' },
      read: { ...COUNT, description: 'Files that were read.' },
    }),
    description: 'A joined domain does not have all of its files yet: their structures are being read.',
  },
}

const ENTRY = { ...MOUNTED, name: STRING, owner: STRING, created: NUMBER, lastModified: NUMBER, hrefs: HREFS }

const LISTED_DOMAIN = { ...ENTRY, class: { const: 'domain' }, root: STRING }

const NAMES = { anyOf: [STRING, list(STRING)] }

export const domainSchemas: Schemas = {
  NewDimension: {
    ...object({
      new: { ...STRING, description: 'Its name, and that of the dataset with its coordinates.' },
      'coordinate?': {
        ...STRING,
        description:
          'The coordinate of a file: a pattern of its name, such as `run_{n:d}.h5`, or `PATH@NAME` of an attribute. Absent: the number of the file.',
      },
      'datasets?': {
        ...NAMES,
        description: 'Paths of the datasets that have it. Absent: all but dimension scales and references.',
      },
    }),
    description: 'A dimension that the files do not have: each file is one coordinate of it.',
    examples: [{ new: 'run', coordinate: 'run_{n:d}.h5' }],
  },
  JoinDefinition: {
    ...object({
      sources: {
        ...NAMES,
        description:
          'Paths of mounted files, or patterns of such paths: `*`, `?`, `[a-z]` within a name, `**` for folders at any depth.',
      },
      'along?': {
        anyOf: [STRING, list(STRING), ref('NewDimension')],
        description:
          'The name of a dimension; or `PATH#AXIS` of datasets, the first dimension is 0. Absent: `union` is true.',
      },
      'union?': {
        const: true,
        description:
          'The objects of all files are beside each other, and no datasets are joined. Of objects of one path the first one counts.',
      },
      'keep?': {
        enum: ['first', 'last'],
        description:
          'Where coordinates of files overlap, those of the file that begins first, or last. Absent: such files cannot be joined.',
      },
      'unpack?': {
        const: true,
        description: 'Numbers that files pack in different ways become floats, with NaN for missing ones.',
      },
      'check?': {
        enum: ['types', 'values'],
        description:
          'Datasets that are not joined must have the same types and extents in all files, or the same values, too. Absent: those of the first file count.',
      },
      'missing?': {
        const: 'fill',
        description:
          'Elements of files that cannot be read are fill values. Absent: reading them is an error.',
      },
    }),
    description: 'Which mounted files are read as one domain, along which dimension.',
    examples: [
      { sources: '/lab/2026/run_*.nc', along: 'time' },
      { sources: ['/lab/air.nc', '/lab/sea.nc'], union: true },
    ],
  },
  StoredFile: {
    ...object({ domain: STRING, warnings: WARNINGS }),
    description: 'The path of the domain that a file has become.',
    examples: [{ domain: '/home/ann/tall.h5', warnings: [] }],
  },
  FolderList: {
    ...object({ domains: list(ref('ListedDomain')), hrefs: HREFS }, 'The domains and folders in a folder.'),
    examples: [{ domains: [], hrefs: [] }],
  },
  ListedDomain: {
    ...oneOf(
      object(LISTED_DOMAIN),
      object({ ...LISTED_DOMAIN, ...STATISTICS }),
      object({ ...ENTRY, class: { const: 'folder' } }),
    ),
    description: 'A domain or folder in a list, by its path; with `verbose` also its counts and sizes.',
    examples: [
      {
        name: '/home/ann/tall.h5',
        class: 'domain',
        root: 'g-45a882e1-9d0111e8-8acf-0242ac-110009',
        owner: 'ann',
        created: 1700000000.5,
        lastModified: 1700000000.5,
        hrefs: [{ href: 'http://127.0.0.1:5101/?domain=/home/ann/tall.h5', rel: 'domain' }],
      },
      {
        name: '/home',
        class: 'folder',
        owner: '',
        created: 1700000000.5,
        lastModified: 1700000000.5,
        hrefs: [{ href: 'http://127.0.0.1:5101/?domain=/home', rel: 'domain' }],
      },
    ],
  },
}

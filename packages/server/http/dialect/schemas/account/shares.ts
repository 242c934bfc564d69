// Shares: addresses that show a domain or folder.

import { list, object, type Schema, type Schemas, STRING } from '../../../message/schema.ts'
import { EXAMPLE_TIME, TIME, USES } from './times.ts'

export const VIEW: Schema = {
  ...STRING,
  description: 'The query of the address of the page `/ui`, for the view that the share opens there.',
}

export const H5PATH: Schema = {
  ...STRING,
  description: 'The path of the dataset of the domain that the share is for; absent: all of it.',
}

const FRAME_ANCESTORS: Schema = {
  ...list(STRING),
  description: 'The origins whose pages may show it in a frame, of those in the setting `frame_ancestors`.',
}

const SHARE: Readonly<Record<string, Schema>> = {
  'frame_ancestors?': FRAME_ANCESTORS,
  id: STRING,
  domain: { ...STRING, description: 'The path of the domain or folder that it shows.' },
  'h5path?': H5PATH,
  note: STRING,
  view: VIEW,
  created: TIME,
  end: TIME,
  ...USES,
}

const EXAMPLE_SHARE = {
  id: '5f1c2a3b4d5e6f70',
  domain: '/home/ann/run7.h5',
  note: 'for the referees',
  view: 'domain=%2Fhome%2Fann%2Frun7.h5',
  created: EXAMPLE_TIME,
  end: EXAMPLE_TIME,
  uses: 12,
  used: EXAMPLE_TIME,
}

export const shareSchemas: Schemas = {
  NewShare: {
    ...object({
      domain: { ...STRING, description: 'The path of the domain or folder to show.' },
      end: { ...STRING, description: 'The end: a date, which begins in UTC, or a time in UTC.' },
      'h5path?': H5PATH,
      'note?': { ...STRING, maxLength: 500, description: 'A note for the user that makes the share.' },
      'view?': { ...VIEW, maxLength: 2000 },
      'frame_ancestors?': FRAME_ANCESTORS,
    }),
    examples: [{ domain: '/home/ann/run7.h5', end: '2027-01-31', note: 'for the referees' }],
  },
  ShareList: {
    ...object({ shares: list(object(SHARE)) }),
    examples: [{ shares: [EXAMPLE_SHARE] }],
  },
  CreatedShare: {
    ...object({
      ...SHARE,
      address: { ...STRING, description: 'The address with its secret, which is not shown again.' },
    }),
    examples: [{ ...EXAMPLE_SHARE, uses: 0, address: 'https://data.example.org/s/.../' }],
  },
}

// Times of accounts with their example, and uses of tokens and shares.

import { COUNT, type Schema, STRING } from '../../../message/schema.ts'

export const TIME: Schema = { ...STRING, description: 'A time in UTC.' }

export const EXAMPLE_TIME = '2027-01-31T12:00:00.000Z'

export const USES: Readonly<Record<string, Schema>> = {
  uses: { ...COUNT, description: 'Requests with it; those of the last seconds may be missing.' },
  'used?': { ...TIME, description: 'The time of the last one; absent: there was none.' },
}

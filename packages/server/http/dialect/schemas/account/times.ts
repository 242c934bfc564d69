// Times of accounts, and their example.

import { type Schema, STRING } from '../../../message/schema.ts'

export const TIME: Schema = { ...STRING, description: 'A time in UTC.' }

export const EXAMPLE_TIME = '2027-01-31T12:00:00.000Z'

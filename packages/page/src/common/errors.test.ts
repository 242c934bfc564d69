import { expect, test } from 'vitest'
import { messageOf } from './errors.ts'

test.each([
  [
    'the domain /a.h5 has no dataset d-0123abcd-0123abcd-0123-012345-6789ab',
    'the domain /a.h5 has no dataset',
  ],
  [
    'the values of the dataset d-0123abcd-0123abcd-0123-012345-6789ab could not be imported',
    'the values of the dataset could not be imported',
  ],
  ['the id 0123abcd-0123-0123-0123-0123456789ab is taken', 'the id an object is taken'],
  ['a-b-c.h5 of 2026-11-28 is cut off', 'a-b-c.h5 of 2026-11-28 is cut off'],
])('the message %j has no ids for people', (message, shown) => {
  expect(messageOf(new Error(message))).toBe(shown)
})

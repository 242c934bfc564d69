// The bound for the links of all groups of a file together.

import { expect, it } from 'vitest'
import { MemberCount } from './member-count.ts'

it('is what the file has room for, however often each object is asked', () => {
  const links = new MemberCount(800)
  for (let time = 0; time < 5; time++) links.begin(1)(60, 8)
  const count = links.begin(2)
  count(20, 8)
  count(20, 8)
  const third = links.begin(3)
  expect(() => third(1, 8)).toThrow('the object at 3 cannot be read: it shares links, attributes or chunks')
  // No other object is begun; those that were counted can still be read.
  expect(() => links.begin(4)).toThrow('the object at 4 cannot be read')
  links.begin(1)(60, 8)
})

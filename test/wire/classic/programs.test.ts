// Random programs in the classic dialect: ranges, points, single elements that fill, growth, and what is refused.

import { testPrograms } from '../programs.ts'
import { newDomain } from './domain.ts'

testPrograms('classic', async () => (await newDomain()).host)

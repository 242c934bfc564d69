// Random programs in the hsds dialect: ranges, lists, points, fields, appends and resizes.

import { beforeAll } from 'vitest'
import { testPrograms } from '../programs.ts'
import { makeHome, newDomain } from './domain.ts'

beforeAll(makeHome)
testPrograms('hsds', async () => (await newDomain()).path)

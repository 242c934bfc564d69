import type { FileLink, H5FileReader } from '@hyperslab/h5/reader'
import { expect, it } from 'vitest'
import type { H5servTable } from '../transfer/h5serv-table.ts'
import { MountedLinks } from './links.ts'
import type { MountedObjects } from './objects.ts'

const LINKS = 4096

it('the links of a large group to an object are found without looking at all of them again', async () => {
  let looks = 0
  const links = Array.from({ length: LINKS }, (_, i): FileLink => {
    return {
      class: 'H5L_TYPE_HARD',
      title: `${i}`.padStart(4, '0'),
      get address() {
        looks++
        return `${(i * 7919) % (LINKS / 2)}`
      },
    }
  })
  const reader: Pick<H5FileReader, 'links'> = {
    async *links() {
      yield links
    },
  }
  const table: Pick<H5servTable, 'visibleLinks'> = {
    visibleLinks: (_, batches) => batches as AsyncGenerator<readonly FileLink[]>,
  }
  const objects: Pick<MountedObjects, 'meet'> = { meet: () => undefined }
  // The parts of the others that lists of links use.
  const mounted = new MountedLinks(
    reader as H5FileReader,
    table as H5servTable,
    objects as MountedObjects,
    0,
    () => {},
  )
  expect((await mounted.linksTo('0', 'group')).map(({ title }) => title)).toEqual(['0000', '2048'])
  looks = 0
  const found = await mounted.linksTo(links[5].class === 'H5L_TYPE_HARD' ? links[5].address : '', 'group')
  expect(found.map(({ title }) => title)).toEqual(['0005', '2053'])
  expect(looks).toBeLessThan(50)
  expect(await mounted.linksTo('nowhere', 'group')).toEqual([])
})

// A picture of a domain: `/thumbnail`.

import { fileNameOf } from '../../hdf5/domain-path.ts'
import { readThumbnail } from '../../service/values/thumbnail.ts'
import { valueFileReply } from '../output/value-formats.ts'
import { readRoute } from '../route/route.ts'

export const thumbnailRoute = readRoute({
  name: 'get-thumbnail',
  method: 'GET',
  path: '/thumbnail',
  summary:
    'Gives a small picture of the default plot of a NeXus file, else of the first field of numbers in the domain, at most 128 x 128.',
  access: 'read',
  parameters: {},
  answers: {
    200: {
      description: 'The picture.',
      formats: { 'image/png': 'The means of blocks of the field, in colours.' },
    },
    204: { description: 'The domain has no field of two dimensions that can be shown.' },
  },
  async run(context, domain) {
    const { path } = domain.entry
    return { values: await readThumbnail(context, domain), name: `${fileNameOf(path)}.png` }
  },
  respond({ values, name }, answer) {
    return values ? valueFileReply(values, { format: 'png', name }, {}, answer) : { status: 204 }
  },
})

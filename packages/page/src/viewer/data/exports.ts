// Files of what is shown, in the formats of the service.

import type { ExportEntry, ExportFormat } from '@h5web/lib'
import type { Selection } from '@hyperslab/client'
import { formatSelection } from '@hyperslab/client/elements'
import type { ShownDataset } from '../meaning/letters.ts'
import { useViewer } from '../viewer-context.ts'

export function useExports(
  dataset: Pick<ShownDataset, 'id'>,
  select: Selection | undefined,
  formats: readonly ExportFormat[],
): readonly ExportEntry[] {
  const { contents } = useViewer()
  return formats.map(format => {
    const parameters = {
      id: dataset.id,
      domain: contents.domain.pathOf(dataset.id),
      format,
      select: select && formatSelection(select),
    }
    const name = 'GET /datasets/{id}/value' as const
    // A link has the cookie of the session, and streams.
    return { format, url: new URL(contents.client.url(name, parameters)) }
  })
}

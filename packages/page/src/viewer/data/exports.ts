// Files of what is shown, in the formats of the service.

import type { Selection } from '@hyperslab/client'
import { formatSelection } from '@hyperslab/client/elements'
import type { ShownDataset } from '../meaning/letters.ts'
import { useViewer } from '../viewer-context.ts'

export type ExportFormat = 'csv' | 'json' | 'npy' | 'tiff'

export interface ExportEntry {
  readonly format: ExportFormat
  readonly address: string
}

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
    return { format, address: contents.client.url(name, parameters) }
  })
}

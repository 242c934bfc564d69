// One engine made of its two halves, which are opened and closed together.

import type { BlobsEngine } from '../interfaces/engine.ts'

/** Opens the blobs; if that fails, the records are closed. Closing the engine closes both, the records first. */
export async function joinHalves<Records extends { close(): Promise<void> }>(
  records: Records,
  openBlobs: () => Promise<BlobsEngine>,
): Promise<Records & BlobsEngine> {
  const { blobs, bucketFigures, close } = await openBlobs().catch(async (error: unknown) => {
    await records.close()
    throw error
  })
  return {
    ...records,
    blobs,
    ...(bucketFigures && { bucketFigures }),
    async close() {
      await records.close()
      await close()
    },
  }
}

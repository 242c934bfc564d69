// One engine of its two halves, which are opened and closed together.

import type { BlobsEngine } from '../engine.ts'

/**
 * Opens the blobs beside the records; if that fails, the records are closed. Closing closes both, the records first.
 */
export async function joinHalves<Records extends { close(): Promise<void> }>(
  records: Records,
  openBlobs: () => Promise<BlobsEngine>,
): Promise<Records & BlobsEngine> {
  const { blobs, close } = await openBlobs().catch(async (error: unknown) => {
    await records.close()
    throw error
  })
  return {
    ...records,
    blobs,
    async close() {
      await records.close()
      await close()
    },
  }
}

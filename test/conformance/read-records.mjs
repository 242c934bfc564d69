// Opens data folders and reads all their records, for damaged-records.test.ts: LMDB may end the process that reads
// damaged pages. Plain JavaScript, since Node runs it without a build of its own.

import { openFolderRecordsToRead } from '../../dist/modules/store/engines/data-folder.js'

for (const folder of process.argv.slice(2)) {
  try {
    const { keyValue, close } = await openFolderRecordsToRead(folder, {})
    const snapshot = keyValue.snapshot()
    let records = 0
    for await (const _ of snapshot.range({ start: new Uint8Array(), end: new Uint8Array([255]) })) records++
    snapshot.close()
    await close()
    process.stdout.write(`${records} records\n`)
  } catch (error) {
    process.stdout.write(`${error.code} ${error.message}\n`)
  }
}

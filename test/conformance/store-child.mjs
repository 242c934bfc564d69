// A second process with a store on a data folder, for store-processes.test.ts: begins what messages ask for, says when
// it has begun, and ends it when a message asks for it.

import { once } from 'node:events'
import { storeClock, systemRandom } from '../../dist/modules/store/clock.js'
import { inFolder } from '../../dist/modules/store/engines/location.js'
import { openEngine } from '../../dist/modules/store/engines/open-engine.js'
import { openStore } from '../../dist/modules/store/open-store.js'

const [folder, maxSnapshotAgeSeconds] = process.argv.slice(2)
const store = openStore(await openEngine(inFolder(folder)), {
  clock: storeClock(),
  random: systemRandom,
  sweeps: false,
  maxInlineBytes: 0,
  maxSnapshotAgeSeconds: Number(maxSnapshotAgeSeconds),
})

async function begunAndEnded() {
  process.send({ begun: true })
  await once(process, 'message')
}

async function* only(elements) {
  yield elements
}

const tasks = {
  read: (dataset, selection) =>
    store.read(async reader => {
      await begunAndEnded()
      const pieces = []
      for await (const { data } of reader.readValues(dataset, selection)) pieces.push(...data)
      return pieces
    }),
  /** From a body that can be read only once. */
  write: (dataset, selection, elements) =>
    store.write(
      async writer => {
        await writer.writeValues(dataset, selection, only(elements))
        await begunAndEnded()
      },
      { once: true },
    ),
}

process.once('message', async ({ task, parameters }) => {
  try {
    process.send({ result: await tasks[task](...parameters) })
  } catch (error) {
    process.send({ failed: error.code ?? String(error) })
  }
})
process.on('disconnect', () => process.exit())
process.send({ ready: true })

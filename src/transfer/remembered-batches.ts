// Lists of chunks that an import walks several times. The index of chunks of a dataset is read once if it is short.

/** Chunks of all datasets of a file together: some MiB. */
const MAX_REMEMBERED = 32_768

/** The batches of one file. */
export class RememberedBatches {
  #room = MAX_REMEMBERED

  /** The same batches. They come from memory after they have all been read once, unless they are too many. */
  remember<Item>(
    batches: () => AsyncIterable<readonly Item[]>,
  ): () => AsyncGenerator<readonly Item[], void, undefined> {
    let cached: readonly (readonly Item[])[] | undefined
    const remember = (all: readonly (readonly Item[])[], count: number): void => {
      if (cached || count > this.#room) return
      this.#room -= count
      cached = all
    }
    const roomOf = () => this.#room
    return async function* () {
      if (cached) {
        yield* cached
        return
      }
      const all: (readonly Item[])[] = []
      let count = 0
      for await (const batch of batches()) {
        count += batch.length
        if (count <= roomOf()) all.push(batch)
        else all.length = 0
        yield batch
      }
      remember(all, count)
    }
  }
}

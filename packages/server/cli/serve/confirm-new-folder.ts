// The question before `hyperslab serve DIR` makes a data folder: DIR may be misspelled. Only a person at a terminal is
// asked; a service makes the folder.

import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { UsageError } from '../usage-error.ts'

/** Throws if the folder is missing and the person at the terminal does not want a new one. */
export async function confirmNewFolder(folder: string): Promise<void> {
  if (existsSync(folder) || !(process.stdin.isTTY && process.stderr.isTTY)) return
  const path = resolve(folder)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const refused = new UsageError(`there is no folder ${path}`, 1)
  try {
    const ended = new Promise<never>((_, reject) => {
      lines.once('close', () => reject(refused))
    })
    const question = `There is no folder ${path}. Make it, as a new data folder? [y/N] `
    const answer = await Promise.race([lines.question(question), ended])
    if (!/^y(es)?$/i.test(answer.trim())) throw refused
  } finally {
    lines.close()
  }
}

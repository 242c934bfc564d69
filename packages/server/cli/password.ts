// Reading a password from the terminal, without showing it, or from standard input.

import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { UsageError } from './usage-error.ts'

/** A new password: typed twice at a terminal, else the first line of standard input. */
export async function readNewPassword(name: string): Promise<string> {
  const password = await readPassword(`Password for ${name}: `)
  if (password === '') throw new UsageError('the password must not be empty')
  if (process.stdin.isTTY && (await readPassword('Password again: ')) !== password) {
    throw new UsageError('the two passwords differ')
  }
  return password
}

export async function readPassword(prompt: string): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write(prompt)
  // The echo of readline is dropped.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve)
      lines.once('SIGINT', () => reject(new UsageError('no password was given', 130)))
      lines.once('close', () => reject(new UsageError('there is no password on standard input')))
    })
  } finally {
    if (process.stdin.isTTY) process.stderr.write('\n')
    lines.close()
  }
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lastEntries } from './audit-search.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-audit-'))
})
afterAll(() => rm(folder, { recursive: true }))

const LINE = (n: number, note = '') =>
  JSON.stringify({ audit: 1, n, user: n % 2 ? 'ann' : 'bob', domain: n % 3 ? '/lab/x' : '/other', note })

async function fileOf(text: string): Promise<string> {
  const path = join(folder, `${Math.random()}`)
  await writeFile(path, text)
  return path
}

const numbers = ({ entries }: { entries: readonly object[] }) =>
  entries.map(entry => (entry as { n: number }).n)

it.each([
  ['short lines', () => ''],
  ['lines that end in other blocks than they begin', (n: number) => 'ä'.repeat((n * 7919) % 90_000)],
])('finds the last ones that fit, the newest first, among %s', async (_, note) => {
  const lines = Array.from({ length: 60 }, (_, n) => LINE(n, note(n)))
  for (const end of ['\n', '']) {
    const path = await fileOf(`{"level":30}\n${lines.join('\n')}${end}`)
    const all = await lastEntries(path, {}, 1000)
    expect(numbers(all)).toEqual(lines.map((_, n) => 59 - n))
    expect(all.complete).toBe(true)
    const some = await lastEntries(path, { user: 'ann', domain: '/lab' }, 3)
    expect(numbers(some)).toEqual([59, 55, 53])
    expect(some.complete).toBe(false)
  }
})

it('has nothing in an empty file, nor in one that is not there', async () => {
  expect(await lastEntries(await fileOf(''), {}, 5)).toEqual({ entries: [], complete: true })
  expect(await lastEntries(join(folder, 'none'), {}, 5)).toEqual({ entries: [], complete: true })
})

it('stops where it has looked through enough, and says so', async () => {
  const path = await fileOf(`${LINE(1)}\n${'x'.repeat((1 << 26) + 5)}\n${LINE(2)}\n`)
  const found = await lastEntries(path, {}, 5)
  expect([numbers(found), found.complete]).toEqual([[2], false])
})

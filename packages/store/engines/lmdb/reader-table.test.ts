import { expect, it } from 'vitest'
import { readReaderTable } from './reader-table.ts'

it.each<[string, string, readonly number[], readonly string[], number]>([
  ['nobody reads', '(no active readers)\n', [], [], 0],
  [
    'two processes, one place of which is idle',
    '\t\tpid\t\t thread\t\t txnid\n     17434 7f25afc43c80 12\n     17434 7f25afc43c80 -\n       902 7f25afc43c80 9007199254740\n',
    [12, 9007199254740],
    ['17434', '902'],
    3,
  ],
])('%s', (_case, text, states, processes, slots) => {
  expect(readReaderTable(text)).toEqual({ states, processes: new Set(processes), slots })
})

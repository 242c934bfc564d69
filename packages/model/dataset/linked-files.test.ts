import { expect, it } from 'vitest'
import { groupByFolder, locateFile, parseLinkedFiles } from './linked-files.ts'

const FILES = {
  '/data/b/x.h5': '../b/x.h5',
  '/data/b/y.h5': '../b/y.h5',
  '/data/b/z.h5': 'real/z.h5',
  '/data/c/名.h5': '../c/名.h5',
  'near/x.h5': '../far/x.h5',
  'beside.h5': '../far/beside.h5',
  '/data/d/link.h5': '../d/target.h5',
  '/e/here.h5': 'here.h5',
  __proto__x: 'a/p',
}

it('files that are together elsewhere are named once, by their folder', () => {
  const grouped = groupByFolder(new Map(Object.entries(FILES)))
  expect(Object.fromEntries(grouped)).toEqual({
    '/data/b/': '../b/',
    '/data/b/z.h5': 'real/z.h5',
    '/data/c/': '../c/',
    'near/': '../far/',
    'beside.h5': '../far/beside.h5',
    '/data/d/link.h5': '../d/target.h5',
    '/e/here.h5': 'here.h5',
    __proto__x: 'a/p',
  })
  for (const [name, path] of Object.entries(FILES)) expect(locateFile(grouped, name)).toBe(path)
})

it.each(['/data/other/x.h5', 'x.h5', '/data/b/', '/data', ''])('the file %j is not found', name => {
  expect(locateFile(groupByFolder(new Map(Object.entries(FILES))), name)).toBeUndefined()
})

it('is read from JSON', () => {
  const grouped = groupByFolder(new Map(Object.entries(FILES)))
  const text = JSON.stringify(Object.fromEntries(grouped))
  expect(parseLinkedFiles(text, 'linked_files')).toEqual(grouped)
  expect(parseLinkedFiles('{}', 'linked_files').size).toBe(0)
})

it.each([
  ['[]', 'linked_files="[]" must be a JSON object'],
  ['{', 'JSON'],
  ['{"/a/":1}', 'linked_files: the path of "/a/" must be a string'],
  ['{"/a/":""}', 'linked_files: the path of "/a/" must be a string'],
  ['{"/a/":"/b/"}', 'seen from the folder of the file'],
  ['{"/a/":"b"}', 'must end with "/"'],
  ['{"/a":"b/"}', 'must end with "/"'],
])('%s is an error', (text, rule) => {
  expect(() => parseLinkedFiles(text, 'linked_files')).toThrow(rule)
})

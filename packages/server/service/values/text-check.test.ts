import { expect, test } from 'vitest'
import { parseDatatype } from '../../../model/datatype/parse.ts'
import { parseJson } from '../../../model/json/json-parser.ts'
import { elementsFromJson } from '../../../model/json/json-tree.ts'
import { PREFIXED_REFERENCES } from '../../../model/values/references.ts'
import { hasText, isAllUtf8, isAllUtf8InSteps } from './text-check.ts'

const VARIABLE = '{"class":"H5T_STRING","charSet":"H5T_CSET_UTF8","length":"H5T_VARIABLE"}'
const FIXED = '{"class":"H5T_STRING","charSet":"H5T_CSET_ASCII","length":4}'
const PAIR = `{"class":"H5T_COMPOUND","fields":[{"name":"a","type":"H5T_STD_U8LE"},{"name":"b","type":${FIXED}}]}`
const listOf = (base: string) => `{"class":"H5T_VLEN","base":${base}}`
const array = (base: string) => `{"class":"H5T_ARRAY","dims":[2],"base":${base}}`

test.each<[string, string, string]>([
  [FIXED, '["é", ""]', '["é", "a\\udcff"]'],
  [VARIABLE, '["é", ""]', '["é", "a\\udce9"]'],
  [PAIR, '[[255, "a"], [200, "b"]]', '[[1, "a"], [2, "\\udc80"]]'],
  [array(VARIABLE), '[["a", "b"], ["c", "d"]]', '[["a", "b"], ["c", "\\udcc3"]]'],
  [listOf(PAIR), '[[], [[1, "a"], [2, "b"]]]', '[[], [[1, "a"], [2, "\\udcff"]]]'],
  [listOf(VARIABLE), '[["a"], ["é"]]', '[["a"], ["\\udcff"]]'],
])('%s: %s is UTF-8, %s is not', (type, good, bad) => {
  const datatype = parseDatatype(parseJson(type))
  const check = (json: string) =>
    isAllUtf8(datatype, elementsFromJson(datatype, [2], parseJson(json), PREFIXED_REFERENCES))
  expect(hasText(datatype)).toBe(true)
  expect(check(good)).toBe(true)
  expect(check(bad)).toBe(false)
})

test('a long text is looked at in steps, whatever character lies between two', () => {
  const type = parseDatatype(parseJson(VARIABLE))
  const stepsOf = (heap: Uint8Array) => {
    const data = new Uint8Array(8)
    new DataView(data.buffer).setUint32(4, heap.length, true)
    const steps = isAllUtf8InSteps(type, { count: 1, data, heap })
    for (let count = 0; ; count++) {
      const step = steps.next()
      if (step.done) return { count, isText: step.value }
    }
  }
  for (const before of ['', 'x', 'xx', 'xxx']) {
    const text = Buffer.from(before + '😀'.repeat(100_000))
    const { count, isText } = stepsOf(text)
    expect(isText).toBe(true)
    expect(count).toBeGreaterThan(5)
    for (const at of [65_535, 65_536, 65_537, 65_538, text.length - 1]) {
      const broken = Buffer.from(text)
      broken[at] ^= 0x40
      expect(stepsOf(broken).isText).toBe(false)
    }
  }
})

test.each(['"H5T_STD_U8LE"', listOf('"H5T_STD_U8LE"'), '{"class":"H5T_OPAQUE","size":1}'])(
  '%s has no text',
  type => {
    expect(hasText(parseDatatype(parseJson(type)))).toBe(false)
  },
)

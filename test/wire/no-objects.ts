// Request bodies that are no JSON object, by what is wrong with them.

/** How deep the deep ones are. */
export const DEEP = 100_000

export const NO_OBJECTS: Readonly<Record<string, string | Buffer>> = {
  'an open brace': '{',
  'a name without value': '{"type"',
  'a missing value': '{"type": }',
  'a missing comma': '{"type": 1 "link": 2}',
  'a trailing comma': '{"type": 1,}',
  'single quotes': "{'type': 1}",
  'a bare name': '{type: 1}',
  'something after the end': '{} {}',
  'half a word': 'nul',
  'a wrong word': '{"type": nope}',
  'a leading zero': '{"type": 01}',
  'a lone minus': '{"type": -}',
  'an unfinished number': '{"type": 1.}',
  'an unfinished text': '{"type": "abc',
  'an unfinished escape': '{"type": "\\u12"}',
  'a raw control character': '{"type": "a\u0001"}',
  'invalid UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'zero bytes': Buffer.alloc(64),
  'a number': '5',
  'a string': '"text"',
  true: 'true',
  'a list': '[1, 2]',
  'deep lists': '['.repeat(DEEP) + ']'.repeat(DEEP),
  'deep lists, cut off': '['.repeat(DEEP),
  'deep objects, cut off': '{"a":'.repeat(DEEP),
}

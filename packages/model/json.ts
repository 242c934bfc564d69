// Door: what other packages use of model/json.

export {
  excerpt,
  isJsonList,
  isJsonLongerThan,
  isJsonObject,
  isList,
  isWhole,
  type JsonObject,
  type JsonOutput,
  type JsonValue,
  LazyList,
  LazyMap,
  type NonFinite,
  StreamedJson,
  stringifyJson,
} from './json/json.ts'
export { leafToJson, type Source, sourceOf } from './json/json-leaf.ts'
export { JsonParser, MEMORY, MemoryCount, parseJson } from './json/json-parser.ts'
export { scanEachElement, scanElements } from './json/json-scanner.ts'
export { isBlank, isDigit, ZERO } from './json/json-syntax.ts'
export { elementPiecesFromJson, elementsFromJson, elementsToJson } from './json/json-tree.ts'
export {
  type AppendLeaves,
  appendersOf,
  isNumber,
  LONG_VALUE,
  leafAppender,
  NUMBER_BATCH,
  textAt,
} from './json/json-values.ts'
export { JsonValueWriter, MAX_READ } from './json/json-writer.ts'
export { pointsFromJson, wholeNumber } from './json/points-input.ts'
export {
  type ByteRange,
  decodeBase64Text,
  partOfText,
  readRange,
  type StoredText,
  splitValueBodies,
  splitValueBody,
  type ValueBody,
} from './json/value-body.ts'

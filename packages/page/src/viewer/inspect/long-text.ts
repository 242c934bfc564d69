// Long strings as people read them: JSON and XML with one part per line, everything else as it is. The text between the
// tags of XML stays as it is; only blanks between two tags change.

export interface LongText {
  readonly text: string
  /** The form that was recognized, and set in lines. */
  readonly form: 'JSON' | 'XML' | undefined
}

/** Characters of JSON or XML that are set in lines. @limit safety, characters */
const MAX_FORMATTED = 1_000_000

export function longText(text: string): LongText {
  const start = text.trimStart().charAt(0)
  if (text.length > MAX_FORMATTED) return { text, form: undefined }
  if (start === '{' || start === '[') {
    const json = formatJson(text)
    if (json !== undefined) return { text: json, form: 'JSON' }
  }
  if (start === '<' && /^\s*<[?!A-Za-z][\s\S]*>\s*$/.test(text)) return { text: formatXml(text), form: 'XML' }
  return { text, form: undefined }
}

const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g

/** Undefined: it is no JSON. Numbers keep all their digits, and members their order. */
function formatJson(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  let depth = 0
  let result = ''
  const line = () => `\n${'  '.repeat(Math.min(depth, 50))}`
  const tokens = text.match(JSON_TOKEN) ?? []
  for (const [i, token] of tokens.entries()) {
    if (token === '{' || token === '[') {
      depth++
      const isEmpty = tokens[i + 1] === '}' || tokens[i + 1] === ']'
      result += isEmpty ? token : token + line()
    } else if (token === '}' || token === ']') {
      depth--
      const isEmpty = tokens[i - 1] === '{' || tokens[i - 1] === '['
      result += isEmpty ? token : line() + token
    } else if (token === ',') result += token + line()
    else result += token === ':' ? ': ' : token
  }
  return result
}

const XML_TOKEN = /<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<(?:"[^"]*"|'[^']*'|[^<>"'])*>|[^<]+|</g

function formatXml(text: string): string {
  let depth = 0
  const lines: string[] = []
  /** Whether the next token continues the last line, because there is text beside it. */
  let isInline = false
  let isAfterStart = false
  for (const token of text.match(XML_TOKEN) ?? []) {
    if (token.trim() === '') continue
    const isTag = /^<[\s\S]/.test(token)
    const isEnd = token.startsWith('</')
    const isStart = isTag && !isEnd && !/^<[!?]/.test(token) && !token.endsWith('/>')
    if (isEnd) depth = Math.max(0, depth - 1)
    if (isInline || !isTag || (isEnd && isAfterStart)) lines.push((lines.pop() ?? '') + token)
    else lines.push('  '.repeat(Math.min(depth, 50)) + token)
    isInline = !isTag
    isAfterStart = isStart
    if (isStart) depth++
  }
  return lines.join('\n')
}

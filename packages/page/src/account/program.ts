// The program of a session as people call it.

const BROWSERS = [
  ['Firefox', /\bFirefox\//],
  ['Edge', /\bEdg\w*\//],
  ['Opera', /\bOPR\//],
  ['Chrome', /\b(Headless)?Chrom(e|ium)\//],
  ['Safari', /\bSafari\//],
] as const

const SYSTEMS = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(iPhone|iPad)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const

/** `agent` is the header `User-Agent`: browsers name many others in it. */
export function describeProgram(agent: string): string {
  const [browser] = BROWSERS.find(([, pattern]) => pattern.test(agent)) ?? []
  const [system] = SYSTEMS.find(([, pattern]) => pattern.test(agent)) ?? []
  if (browser === undefined) return agent === '' ? 'a program without a name' : agent
  return system === undefined ? browser : `${browser} on ${system}`
}

// Files of SQL are imported as their text: scripts/build.mjs and vitest.config.ts have the rule.

declare module '*.sql' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: the bundler exports the text so.
  export default text
}

// `npm run check`: every check of CI. All steps run, even after one has failed, and the last line names the failed
// ones. `--skip-tests` leaves out the last step, for CI, which runs `npm test` itself.

import { install, root, run, tool } from './prepare.mjs'

install()

const node = process.execPath
const steps = [
  { name: 'format and lint (biome)', command: [node, tool('@biomejs/biome', 'bin/biome'), 'check', '.'] },
  { name: 'types (tsc)', command: [node, tool('typescript', 'bin/tsc'), '--noEmit', '-p', 'tsconfig.json'] },
  {
    name: 'types of the page (tsc)',
    command: [node, tool('typescript', 'bin/tsc'), '--noEmit', '-p', 'packages/page'],
  },
  {
    name: 'layers, doors, shape, citations, rules, words, decisions and limits',
    command: [
      node,
      tool('vitest', 'vitest.mjs'),
      'run',
      '--root',
      root,
      'scripts/check-layers.test.ts',
      'scripts/check-clock.test.ts',
      'scripts/check-shape.test.ts',
      'scripts/check-doors.test.ts',
      'scripts/check-architecture.test.ts',
      'scripts/check-citations.test.ts',
      'scripts/check-rules.test.ts',
      'scripts/check-words.test.ts',
      'scripts/check-columns.test.ts',
      'scripts/check-decisions.test.ts',
      'scripts/check-limits.test.ts',
    ],
  },
  { name: 'dead code (knip)', command: [node, tool('knip', 'bin/knip.js')] },
  { name: 'dead code of the package (knip)', command: [node, tool('knip', 'bin/knip.js'), '--production'] },
  ...(process.env.CI ? [] : [{ name: 'subjects of commits', command: [node, 'scripts/check-subjects.mjs'] }]),
  { name: 'tests', command: [node, 'scripts/test.mjs'] },
]

const chosen = process.argv.includes('--skip-tests') ? steps.filter(step => step.name !== 'tests') : steps
const failed = []
for (const { name, command } of chosen) {
  console.log(`\n== ${name}`)
  const [program, ...args] = command
  if (run(program, args) !== 0) failed.push(name)
}

console.log(failed.length === 0 ? '\nAll checks passed.' : `\nFailed: ${failed.join(', ')}.`)
process.exit(failed.length === 0 ? 0 : 1)

// The check of the subjects of the last commits: at most 72 characters, which lists and mails show whole. Run by
// `npm run check`; not by CI, where nobody can mend a commit.

import { execFileSync } from 'node:child_process'
import { root } from './prepare.mjs'

const MAX_CHARACTERS = 72

const options = ['log', '--no-merges', '--max-count=30', '--format=%h %s']
const commits = execFileSync('git', options, { cwd: root, encoding: 'utf8' }).trim().split('\n')
const long = commits.filter(line => line.slice(line.indexOf(' ') + 1).length > MAX_CHARACTERS)
for (const line of long) console.log(`The subject has more than ${MAX_CHARACTERS} characters: ${line}`)
process.exitCode = long.length === 0 ? 0 : 1

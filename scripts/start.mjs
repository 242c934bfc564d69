// `npm start`: installs and builds what is missing, then serves ./data, or the folder of the settings. Arguments are
// passed to `hyperslab serve`: `npm start -- DIR --port 6000`. package.json runs it with `exec`, because npm sends
// signals to its shell, which would end without this process.

import { join } from 'node:path'
import { become, build, install, root } from './prepare.mjs'

install()
build()
become([join(root, 'dist', 'cli', 'main.js'), 'serve', ...process.argv.slice(2)], root)

// `npm start`: installs and builds what is missing, then serves ./data. Arguments go to `hyperslab serve`:
// `npm start -- --port 6000`.

import { join } from 'node:path'
import { become, build, install, root } from './prepare.mjs'

install()
build()
become([join(root, 'dist', 'cli', 'main.js'), 'serve', join(root, 'data'), ...process.argv.slice(2)], root)

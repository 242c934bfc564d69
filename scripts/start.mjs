// `npm start`: installs and builds what is missing, then serves ./data, or what the settings name. Arguments go to
// `hyperslab serve`: `npm start -- DIR --port 6000`. In package.json it stands behind `exec`, for npm hands signals on to
// its shell, which would end without us.

import { join } from 'node:path'
import { become, build, install, root } from './prepare.mjs'

install()
build()
become([join(root, 'dist', 'cli', 'main.js'), 'serve', ...process.argv.slice(2)], root)

// The build of the page /ui (scripts/pages.mjs calls it). Addresses are relative, so that the page also works behind a
// proxy that serves it below another path.

import { defineConfig } from 'vite'

export default defineConfig({
  base: './',
  build: {
    emptyOutDir: true,
    // All files are in one folder, and their names change with their bytes, so caches need not request them again.
    assetsDir: '',
    rolldownOptions: {
      output: {
        hashCharacters: 'hex',
        entryFileNames: '[name].[hash:16].js',
        chunkFileNames: '[name].[hash:16].js',
        assetFileNames: '[name].[hash:16][extname]',
      },
    },
    target: 'es2022',
    // No script in the page itself: the policy of the service forbids it.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    license: { fileName: 'licences.txt' },
  },
  experimental: {
    // The page is /ui, and its files are below /ui/.
    renderBuiltUrl: (name, { hostType }) => (hostType === 'html' ? `ui/${name}` : { relative: true }),
  },
  oxc: { jsx: { runtime: 'automatic' } },
})

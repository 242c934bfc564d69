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
      // Without it each part that others import from is two files.
      preserveEntrySignatures: 'allow-extension',
      output: {
        hashCharacters: 'hex',
        entryFileNames: '[name].[hash:16].js',
        chunkFileNames: '[name].[hash:16].js',
        assetFileNames: '[name].[hash:16][extname]',
        // One file for each part of the page that is loaded at a time, with what it imports beyond the parts before.
        codeSplitting: {
          groups: ['main.ts', 'page.tsx', 'viewer/Viewer.tsx', 'viewer/plots/drawings.ts'].map((file, i) => ({
            name: file.replace(/.*\/|\.\w+$/g, ''),
            test: new RegExp(`/page/src/${file}$`),
            priority: 4 - i,
          })),
        },
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

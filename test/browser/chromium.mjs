// The browser of the tests and of the benchmark of the page: Debian's Chromium, driven by playwright-core.
// HYPERSLAB_CHROMIUM names another one. It is no TypeScript, because benchmarks run as they are.

import { chromium } from 'playwright-core'

export const PROGRAM = process.env.HYPERSLAB_CHROMIUM ?? '/usr/bin/chromium'

/**
 * Machines that run tests have no graphics card. WebGL is computed. Chromium would compute the rest of the page by way
 * of WebGL too, which takes it several times as long as without.
 */
const OPTIONS = [
  '--no-sandbox',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing',
  '--disable-gpu-rasterization',
]

export function launchBrowser() {
  return chromium.launch({ executablePath: PROGRAM, args: OPTIONS })
}

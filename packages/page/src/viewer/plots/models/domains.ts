// The ranges of values on a scale: that of the data, and that which is drawn.

import { INTERPOLATORS } from '@hyperslab/meaning/colour-maps'
import { type Bounds, chosenDomain, domainOnScale, safeDomain } from '../../drawing/bounds.ts'
import type { Domain } from '../../drawing/scales.ts'
import type { ValueScale, View } from '../../view-address.ts'
import type { Settings } from '../tools/tools.ts'

/** The domain of a scale without drawable values, and as long as they are not known: the same array. */
export const NO_DOMAIN: Domain = [0.1, 1]

export interface Domains {
  readonly dataDomain: Domain
  /** As the user has chosen it, where the scale has a place for it. */
  readonly domain: Domain
}

export function domainsOf(bounds: Bounds | undefined, scale: ValueScale, range: View['range']): Domains {
  const dataDomain = domainOnScale(bounds, scale) ?? NO_DOMAIN
  const [domain] = safeDomain(chosenDomain(range ?? [null, null], dataDomain), dataDomain, scale)
  return { dataDomain, domain }
}

/** Those of all. */
export function joinedBounds(several: readonly (Bounds | undefined)[]): Bounds | undefined {
  const all = several.filter(bounds => bounds !== undefined)
  if (all.length === 0) return undefined
  return {
    min: Math.min(...all.map(({ min }) => min)),
    max: Math.max(...all.map(({ max }) => max)),
    positiveMin: Math.min(...all.map(({ positiveMin }) => positiveMin)),
    strictPositiveMin: Math.min(...all.map(({ strictPositiveMin }) => strictPositiveMin)),
  }
}

/** The settings of a plot whose values are colours. The scale and the colours of the file are usual. */
export function colourSettings(view: View, ofFile: ValueScale = 'linear', usual = 'Viridis') {
  return {
    colours: {
      value: view.colours !== undefined && Object.hasOwn(INTERPOLATORS, view.colours) ? view.colours : usual,
      usual,
    },
    isInverted: { value: view.isInverted ?? false, usual: false },
    scale: { value: view.scale ?? ofFile, usual: ofFile },
    gamma: { value: view.gamma ?? 0.5, usual: undefined },
  } as const satisfies Settings
}

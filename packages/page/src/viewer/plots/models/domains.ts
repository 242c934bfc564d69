// The ranges of values on a scale: that of the data, and that which is drawn. They are those of @h5web/lib.

import {
  INTERPOLATORS as DRAWN,
  type getBounds,
  getSafeDomain,
  getValidDomainForScale,
  getVisDomain,
  type ScaleType,
} from '@h5web/lib'
import { INTERPOLATORS } from '@hyperslab/meaning/colour-maps'
import type { ValueScale, View } from '../../view-address.ts'
import { linearOf, type Settings } from '../tools/tools.ts'

export type Bounds = ReturnType<typeof getBounds>
export type Domain = [number, number]

// @h5web/lib draws maps of its own list only: each map that is taken below is in it.
Object.assign(DRAWN, INTERPOLATORS)

/** The domain of a scale without drawable values; the same as in h5web. */
const NO_DOMAIN: Domain = [0.1, 1]

export interface Domains {
  readonly dataDomain: Domain
  /** As the user has chosen it, where the scale has a place for it. */
  readonly domain: Domain
}

export function domainsOf(bounds: Bounds, scale: ValueScale, range: View['range']): Domains {
  const type = linearOf(scale) as ScaleType.Linear
  const [min, max] = range ?? [null, null]
  const dataDomain = getValidDomainForScale(bounds, type) ?? NO_DOMAIN
  const [domain] = getSafeDomain(getVisDomain([min, max], dataDomain), dataDomain, type)
  return { dataDomain, domain }
}

/** Those of all. */
export function joinedBounds(several: readonly Bounds[]): Bounds {
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

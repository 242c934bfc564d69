// The channels of a picture that has several numbers at each point.

import type { Picture } from '../../data/image.ts'

const known = new WeakMap<Picture, Map<number, Picture>>()

/** The picture of one channel; the same one for the same picture. */
export function channelOf(picture: Picture, channel: number): Picture {
  const { depth, data } = picture
  if (depth === 1) return picture
  const channels = known.get(picture) ?? new Map<number, Picture>()
  known.set(picture, channels)
  const found = channels.get(channel)
  if (found) return found
  const own = Float64Array.from(
    { length: data.length / depth },
    (_, i) => data[i * depth + channel] ?? Number.NaN,
  )
  const made = { ...picture, depth: 1, data: own }
  channels.set(channel, made)
  return made
}

/** The function that makes the shade of phases: black where the amplitude, their second channel, is 0. */
export function shadeOf(brightest: number): (picture: Picture) => Uint8Array {
  return picture => {
    const { data } = channelOf(picture, 1)
    const colours = new Uint8Array(4 * data.length)
    for (let i = 0; i < data.length; i++) {
      const amplitude = data[i] ?? Number.NaN
      // Points without a number have no shade either.
      colours[4 * i + 3] = Number.isNaN(amplitude)
        ? 0
        : Math.round(255 * Math.max(0, 1 - amplitude / (brightest || 1)))
    }
    return colours
  }
}

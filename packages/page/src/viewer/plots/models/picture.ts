// A picture of numbers as a layer of a drawing: its place on the axes, and the colours of its points.

import type { Picture } from '../../data/image.ts'
import {
  COLOUR_OF_BAD,
  type ColourScale,
  coloursOfNumbers,
  type Rgba,
  shaded,
} from '../../drawing/colours.ts'
import type { PictureLayer } from '../../drawing/scene.ts'
import { channelOf } from './channels.ts'
import { type ImageGeometry, placeOfPicture } from './geometry.ts'
import { remembered } from './remembered.ts'

export type ColoursOf = (picture: Picture) => Rgba

/** The function that makes the colours of numbers, perhaps with a brightness; they are made once for each picture. */
export function colouredBy(
  scale: ColourScale,
  shade: ((picture: Picture) => Uint8Array) | undefined,
): ColoursOf {
  return remembered((picture: Picture) => {
    const ofNan = picture.isCleaned ? COLOUR_OF_BAD : 0
    const colours = coloursOfNumbers(channelOf(picture, 0).data, scale, ofNan)
    return shade ? shaded(colours, shade(picture)) : colours
  })
}

/** `isGreatest`: a point that shares a pixel of the screen with a greater one gives way. */
export function pictureLayer(
  picture: Picture,
  geometry: ImageGeometry,
  coloursOf: ColoursOf,
  isGreatest = false,
): PictureLayer {
  const { columns, rows } = picture
  const place = placeOfPicture(picture, geometry)
  const numbers = isGreatest ? channelOf(picture, 0).data : undefined
  return { kind: 'picture', columns, rows, ...place, colours: coloursOf(picture), numbers }
}

// A picture whose points have colours of their own, as a texture at its place on the canvas.

import { VisMesh } from '@h5web/lib'
import { useEffect, useMemo } from 'react'
import { DataTexture, NearestFilter, SRGBColorSpace } from 'three'
import type { Picture } from '../data/image.ts'
import { usePlace } from './use-place.ts'

export interface TextureMeshProps {
  readonly picture: Picture
  /** Four bytes of each point. It stays the same function for the same colours. */
  readonly coloursOf: (picture: Picture) => Uint8Array
  readonly toX: (position: number) => number
  readonly toY: (position: number) => number
  readonly depth: number
}

export function TextureMesh({ picture, coloursOf, toX, toY, depth }: TextureMeshProps) {
  const texture = useMemo(() => {
    const { rows, columns } = picture
    const texture = new DataTexture(coloursOf(picture), columns, rows)
    texture.magFilter = NearestFilter
    texture.minFilter = NearestFilter
    texture.colorSpace = SRGBColorSpace
    texture.needsUpdate = true
    return texture
  }, [picture, coloursOf])
  useEffect(() => () => texture.dispose(), [texture])
  return (
    <VisMesh {...usePlace(picture, toX, toY, depth)}>
      <meshBasicMaterial map={texture} toneMapped={false} transparent key={texture.uuid} />
    </VisMesh>
  )
}

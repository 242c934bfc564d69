// The places of a map, for a component: read for the blocks of its pictures, and found again for its pixels.

import { useMemo } from 'react'
import type { Picture } from '../../data/image.ts'
import { type Geography, readCorners } from '../../meaning/places/geography.ts'
import type { DimensionUse } from '../../view-address.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'
import { cellsAt } from './cells.ts'
import type { MapPicture, PlacedPicture } from './model.ts'
import type { Projection } from './projection.ts'
import { rasterOf } from './scene.ts'
import type { MapWindow } from './window.ts'

export interface PlacesOf {
  /** The dataset. */
  readonly id: string
  readonly geography: Geography
  readonly uses: readonly DimensionUse[]
}

/** A picture with its places; undefined: there is none, or they are not known yet. */
export function usePlaced(
  { id, geography, uses }: PlacesOf,
  picture: Picture | undefined,
): { readonly placed: PlacedPicture | undefined; readonly error: unknown } {
  const { contents } = useViewer()
  const place = picture && { uses, y: picture.y, x: picture.x }
  const { value: corners, error } = useLoaded(
    async signal => place && readCorners(contents.domain, geography, place, signal),
    [JSON.stringify([id, place, contents.changesOf(id)])],
  )
  const placed = useMemo(() => picture && corners && { picture, corners }, [picture, corners])
  return { placed, error }
}

/** The pixels of a picture in a part of the map. */
export function useMapPicture(
  placed: PlacedPicture | undefined,
  projection: Projection,
  window: MapWindow | undefined,
  size: { readonly width: number; readonly height: number } | undefined,
): MapPicture | undefined {
  const text = JSON.stringify([window, size?.width, size?.height])
  const corners = placed?.corners
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is the window and the size
  const found = useMemo(() => {
    if (corners === undefined || window === undefined || size === undefined) return undefined
    const raster = rasterOf(window, size)
    return { raster, cells: cellsAt(corners, projection, raster) }
  }, [corners, projection, text])
  return useMemo(() => placed && found && { ...placed, ...found }, [placed, found])
}

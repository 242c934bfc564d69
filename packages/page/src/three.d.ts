// The part of three.js that the page uses itself: the library comes without types.

declare module 'three' {
  export class DataTexture {
    constructor(data: Uint8Array, width: number, height: number)
    readonly uuid: string
    magFilter: number
    minFilter: number
    colorSpace: string
    needsUpdate: boolean
    dispose(): void
  }
  export class MeshBasicMaterial {
    map: DataTexture
    toneMapped: boolean
    transparent: boolean
  }
  export const NearestFilter: number
  export const SRGBColorSpace: string
}

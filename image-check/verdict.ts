export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp'

/** Why bytes are no image: of another format, not to be decoded to the end, or too large to look at. */
export type ImageFault = 'not-an-image' | 'damaged' | 'too-many-pixels'

export type ImageVerdict =
  | {
      accepted: true
      contentType: ImageType
      /** In pixels, as the image is shown. */
      width: number
      height: number
      /** The picture alone, where the bytes carry more than one; undefined: they are the picture. */
      cleaned: Uint8Array | undefined
    }
  | { accepted: false; fault: ImageFault }

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp'

/** Why bytes are no image that we show. */
export type ImageFault =
  /** Of no format that we take, by their content. */
  | 'not-an-image'
  /** Of such a format, but they do not decode to the end. */
  | 'damaged'
  /** More than fit between the largest width and the largest height, or all frames together than can be looked at. */
  | 'too-many-pixels'

export type ImageVerdict =
  | {
      accepted: true
      /** What it is by its content. */
      contentType: ImageType
      /** In pixels, as it is shown. */
      width: number
      height: number
      /** To be kept in place of what was checked, which carries more than a picture; undefined: keep that as it is. */
      cleaned: Uint8Array | undefined
    }
  | { accepted: false; fault: ImageFault }

/** Decodes images of strangers, in another process than the caller's. */
export interface ImageCheckPort {
  /** @throws ProviderFailure where the check cannot be made: nothing is known of the image then */
  check(bytes: Uint8Array): Promise<ImageVerdict>
  /**
   * Makes a small picture of an image of up to 25 MiB, a WebP without metadata, as `cleaned`; sizes are
   * those of the image. @throws ProviderFailure as `check`
   */
  preview(bytes: Uint8Array): Promise<ImageVerdict>
  /** Whether checks can be made now. Answers at once. @throws ProviderFailure where not */
  ready(): Promise<void>
}

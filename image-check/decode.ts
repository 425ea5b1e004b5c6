import sharp, { type Sharp } from 'sharp'
import { type Container, readContainer } from './container.ts'
import type { ImageFault, ImageType, ImageVerdict } from './verdict.ts'
import { bareWebp } from './webp-container.ts'

/** The largest width times the largest height that any image of ours may have. */
const PIXELS_MAX = 1_024 * 1_024
/** Of all frames of an image that moves: about what is decoded in the time that there is. */
const PIXELS_OF_FRAMES_MAX = 64 * PIXELS_MAX
const DECODE_SECONDS_MAX = 5
const QUALITY = 90
/** Of a picture that is shown smaller: a photograph of a telephone, a screenshot of two screens. */
const SHOWN_PIXELS_MAX = 40_000_000
const PREVIEW_SIDE_PIXELS = 960
const PREVIEW_QUALITY = 80

/** Leaves only the loaders that are needed: what strangers send must not reach any other. Once per process. */
export function closeOtherLoaders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
  })
  sharp.cache(false)
  sharp.concurrency(1)
}

/**
 * Decodes an image to its last pixel and says what it is.
 * @throws Error where decoding took too long or failed for a reason that is not the image's
 */
export async function decode(bytes: Uint8Array): Promise<ImageVerdict> {
  const container = readContainer(bytes)
  if (!container) return refused('not-an-image')
  try {
    const { width, height, pages = 1, orientation = 1 } = await open(bytes).metadata()
    if (width * height > PIXELS_MAX || width * height * pages > PIXELS_OF_FRAMES_MAX)
      return refused('too-many-pixels')
    const facts = { accepted: true, contentType: container.type } as const
    if (container.animated) {
      const cleaned = await checkFrames(bytes, container, pages)
      return { ...facts, width, height, cleaned }
    }
    const turned = orientation > 4
    const shown = { width: turned ? height : width, height: turned ? width : height }
    if (!container.carriesMore) {
      await open(bytes).raw().toBuffer()
      return { ...facts, ...shown, cleaned: undefined }
    }
    const pixels = open(bytes).autoOrient().keepIccProfile()
    return { ...facts, ...shown, cleaned: await encode(pixels, container.type, bytes) }
  } catch (error) {
    return refused(faultOf(error))
  }
}

/**
 * Makes a small picture of an image, without anything that it carries beside its pixels; of one that moves, its first frame.
 * @returns as `cleaned` always a WebP
 * @throws Error as `decode`
 */
export async function preview(bytes: Uint8Array): Promise<ImageVerdict> {
  const container = readContainer(bytes)
  if (!container) return refused('not-an-image')
  try {
    const image = open(bytes, 0, SHOWN_PIXELS_MAX)
    const { width, height, orientation = 1 } = await image.metadata()
    if (width * height > SHOWN_PIXELS_MAX) return refused('too-many-pixels')
    const turned = orientation > 4
    const shown = { width: turned ? height : width, height: turned ? width : height }
    const cleaned = await image
      .autoOrient()
      .resize(PREVIEW_SIDE_PIXELS, PREVIEW_SIDE_PIXELS, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: PREVIEW_QUALITY })
      .toBuffer()
    return { accepted: true, contentType: container.type, ...shown, cleaned }
  } catch (error) {
    return refused(faultOf(error))
  }
}

/** What ends too early is damaged; what libvips merely warns of, every browser shows. */
function open(bytes: Uint8Array, page = 0, limitInputPixels = PIXELS_MAX): Sharp {
  return sharp(bytes, { failOn: 'error', limitInputPixels, page, pages: 1 }).timeout({
    seconds: DECODE_SECONDS_MAX,
  })
}

/**
 * The last frame builds on all before it: asking for it decodes every frame, and keeps none in memory.
 * Metadata is cut out of the container without encoding any frame again, which would take too long for an upload.
 */
async function checkFrames(
  bytes: Uint8Array,
  { carriesMore }: Container,
  pages: number,
): Promise<Uint8Array | undefined> {
  const original = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const cleaned = carriesMore ? bareWebp(original) : undefined
  await open(cleaned ?? original, pages - 1)
    .raw()
    .toBuffer()
  return cleaned
}

function encode(pixels: Sharp, type: ImageType, original: Uint8Array): Promise<Uint8Array> {
  if (type === 'image/jpeg') return pixels.jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' }).toBuffer()
  if (type === 'image/png') return pixels.png().toBuffer()
  const lossless = Buffer.from(original.buffer, original.byteOffset, original.byteLength).includes('VP8L')
  return pixels.webp({ quality: QUALITY, lossless }).toBuffer()
}

function refused(fault: ImageFault): ImageVerdict {
  return { accepted: false, fault }
}

/** libvips says what is wrong in words alone. */
function faultOf(error: unknown): ImageFault {
  const message = error instanceof Error ? error.message : String(error)
  if (/pixel limit/i.test(message)) return 'too-many-pixels'
  if (/timeout|out of memory|cannot allocate/i.test(message)) throw error
  if (/unsupported image format/i.test(message)) return 'not-an-image'
  return 'damaged'
}

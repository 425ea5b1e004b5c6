import sharp, { type Sharp } from 'sharp'
import type { ImageFault, ImageType, ImageVerdict } from '../../ports/image-check.ts'
import { readContainer } from './container.ts'

/** The largest width times the largest height that any image of ours may have. */
const PIXELS_MAX = 1_024 * 1_024
const DECODE_SECONDS_MAX = 5
const QUALITY = 90

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
  if (container.animated) return refused('animated')
  const open = () =>
    sharp(bytes, { failOn: 'warning', limitInputPixels: PIXELS_MAX, pages: 1 }).timeout({
      seconds: DECODE_SECONDS_MAX,
    })
  try {
    const { width, height, pages = 1, orientation = 1 } = await open().metadata()
    if (pages > 1) return refused('animated')
    if (width * height > PIXELS_MAX) return refused('too-many-pixels')
    const turned = orientation > 4
    const facts = {
      accepted: true,
      contentType: container.type,
      width: turned ? height : width,
      height: turned ? width : height,
    } as const
    if (!container.carriesMore) {
      await open().raw().toBuffer()
      return { ...facts, cleaned: undefined }
    }
    const pixels = open().autoOrient().keepIccProfile()
    return { ...facts, cleaned: await encode(pixels, container.type, bytes) }
  } catch (error) {
    return refused(faultOf(error))
  }
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

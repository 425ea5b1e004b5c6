import { AtriumUnreachable } from './errors.ts'
import type { AtriumClient, CallOptions } from './index.ts'
import { putFile } from './requests/put-file.ts'

/** What the office asks of an avatar or a logo. */
export const pictureRules = {
  contentTypes: ['image/jpeg', 'image/png', 'image/webp'],
  /** Pixels of a side; pictures are square. */
  minSide: 128,
  maxSide: 1024,
  maxBytes: 2_359_296,
} as const

export type PictureContentType = (typeof pictureRules.contentTypes)[number]

export interface Picture {
  blob: Blob
  contentType: PictureContentType
}

/** Found out in this browser: nothing was sent, and no try is spent. */
export class PictureRefused extends Error {
  readonly reason: 'unreadable' | 'too-small' | 'too-large'

  constructor(reason: PictureRefused['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'PictureRefused'
    this.reason = reason
  }
}

export interface UploadOptions extends CallOptions {
  /** The part that is sent, from 0 to 1. */
  onProgress?: (part: number) => void
}

/** The largest square from the middle of a picture, and the side it is scaled to. @throws PictureRefused */
export function squareOf(width: number, height: number): { x: number; y: number; side: number; to: number } {
  const side = Math.min(width, height)
  if (side < pictureRules.minSide) {
    const sentence = `Choose a picture of at least ${pictureRules.minSide} by ${pictureRules.minSide} pixels`
    throw new PictureRefused('too-small', sentence)
  }
  return {
    x: Math.floor((width - side) / 2),
    y: Math.floor((height - side) / 2),
    side,
    to: Math.min(side, pictureRules.maxSide),
  }
}

/**
 * Makes of any picture that the browser can show one that the office takes: the square of its middle, scaled down,
 * upright, without what a camera writes into it. In browsers only. @throws PictureRefused
 */
export async function preparePicture(file: Blob): Promise<Picture> {
  const image = await createImageBitmap(file).catch((cause: unknown) => {
    throw new PictureRefused('unreadable', 'This file is not a picture that can be shown', { cause })
  })
  try {
    const { x, y, side, to } = squareOf(image.width, image.height)
    const canvas = new OffscreenCanvas(to, to)
    const context = canvas.getContext('2d')
    if (!context) throw new PictureRefused('unreadable', 'This browser cannot draw pictures')
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, x, y, side, side, 0, 0, to, to)
    // what may be see-through stays so, as long as it is small enough
    const wanted: PictureContentType = file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png'
    for (const [type, quality] of [
      [wanted, 0.9],
      ['image/webp', 0.9],
      ['image/jpeg', 0.7],
    ] as const) {
      const blob = await canvas.convertToBlob({ type, quality })
      // a browser that cannot write the type writes another
      if (blob.type === type && blob.size <= pictureRules.maxBytes) return { blob, contentType: type }
    }
    throw new PictureRefused('too-large', 'This picture is too large')
  } finally {
    image.close()
  }
}

/**
 * Crops and scales a picture in the browser, uploads it and puts it in place as the person's avatar or the logo of the
 * active organization. @returns its address. Rejects with PictureRefused, or as `call` does
 */
export async function uploadPicture(
  client: AtriumClient,
  place: 'avatar' | 'logo',
  file: Blob,
  options: UploadOptions = {},
): Promise<string> {
  return await sendPicture(client, place, await preparePicture(file), options)
}

/** Uploads a picture that fits the rules already, from wherever it comes. Rejects as `call` does. */
export async function sendPicture(
  client: AtriumClient,
  place: 'avatar' | 'logo',
  { blob, contentType }: Picture,
  options: UploadOptions = {},
): Promise<string> {
  const create = place === 'avatar' ? 'createAvatarUploadTicket' : 'createLogoUploadTicket'
  const { onProgress, ...call } = options
  const { uploadUrl, tmpKey } = await client.call(create, { contentType }, call)
  const status = await putFile(client, uploadUrl, { blob, contentType }, options).catch((cause: unknown) => {
    options.signal?.throwIfAborted()
    throw new AtriumUnreachable('uploadPicture', 'The store of files does not answer', { cause })
  })
  if (status < 200 || status >= 300)
    throw new AtriumUnreachable('uploadPicture', `The store of files refused the picture (${status})`, {
      status,
    })
  if (place === 'avatar') return (await client.call('finalizeAvatarUpload', { tmpKey }, call)).avatarUrl
  return (await client.call('finalizeLogoUpload', { tmpKey }, call)).logoUrl
}

import { portraitOf } from '@atrium/web/portrait.ts'
import sharp from 'sharp'

/** The picture of a camera that does not exist: a person as the office draws them, who moves a little. */

export const PICTURE = { width: 320, height: 180 }

/** How far a person sways, each way; even, as half of the picture's planes are. */
const SWAY = { x: 8, y: 4 }
const SIZE = { width: PICTURE.width + 2 * SWAY.x, height: PICTURE.height + 2 * SWAY.y }

interface Planes {
  y: Uint8Array
  u: Uint8Array
  v: Uint8Array
}

/**
 * @param id of the person: the face that others see on the floor
 * @returns draws the picture of one moment, as I420; a speaker moves more
 */
export async function openPicture(id: string): Promise<(seconds: number, speaking: boolean) => Uint8Array> {
  const svg = decodeURIComponent(portraitOf(id).replace(/^data:[^,]*,/, ''))
  const side = Math.floor((SIZE.width - SIZE.height) / 2)
  const { data } = await sharp(Buffer.from(svg), { density: 400 })
    .resize(SIZE.height, SIZE.height)
    .extend({ left: side, right: SIZE.width - SIZE.height - side, extendWith: 'copy' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const planes = planesOf(data)
  return (seconds, speaking) => {
    const much = speaking ? 1 : 0.4
    const x = SWAY.x * (1 + much * Math.sin(seconds * (speaking ? 2.3 : 0.7)))
    const y = SWAY.y * (1 + much * Math.sin(seconds * (speaking ? 7.1 : 1.1)))
    return windowOf(planes, 2 * Math.round(x / 2), 2 * Math.round(y / 2))
  }
}

/** BT.601, as video has it: the colours of four pixels are one. */
function planesOf(rgb: Buffer): Planes {
  const { width, height } = SIZE
  const [y, u, v] = [width * height, (width * height) / 4, (width * height) / 4].map(
    (size) => new Uint8Array(size),
  )
  const planes = { y, u, v } as Planes
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const at = row * width + column
      const [r = 0, g = 0, b = 0] = rgb.subarray(at * 3, at * 3 + 3)
      planes.y[at] = 16 + 0.257 * r + 0.504 * g + 0.098 * b
      if (row % 2 || column % 2) continue
      const half = ((row / 2) * width) / 2 + column / 2
      planes.u[half] = 128 - 0.148 * r - 0.291 * g + 0.439 * b
      planes.v[half] = 128 + 0.439 * r - 0.368 * g - 0.071 * b
    }
  return planes
}

function windowOf({ y, u, v }: Planes, left: number, top: number): Uint8Array {
  const { width, height } = PICTURE
  const picture = new Uint8Array((width * height * 3) / 2)
  let at = 0
  for (const [plane, scale] of [
    [y, 1],
    [u, 2],
    [v, 2],
  ] as const)
    for (let row = 0; row < height / scale; row += 1) {
      const from = ((row + top / scale) * SIZE.width) / scale + left / scale
      picture.set(plane.subarray(from, from + width / scale), at)
      at += width / scale
    }
  return picture
}

/** A person as a moving picture that is drawn: nobody's camera, and no test pattern. */

export const PICTURE = { width: 320, height: 180 }

type Colour = readonly [y: number, u: number, v: number]
type Shape = { colour: Colour; x: number; y: number; width: number; height: number }

const SKINS = [0xf1c9a5, 0xd9a47a, 0xb07b52, 0x8a5a3b, 0x6b4429] as const
const HAIRS = [0x2b2320, 0x5a3b24, 0x8c5a2b, 0xb9b4ac, 0x1f2a36] as const
const CLOTHES = [0x2f6f62, 0x8a4b3a, 0x3f5b86, 0x7a5c93, 0xa67c2d, 0x4d6b3c] as const
const WALLS = [0xe4d8c4, 0xcfdcd8, 0xd6d3e2, 0xe6d2cb, 0xd3dbc6] as const

/**
 * One picture of somebody, as I420.
 * @param number of the person: how they look @param seconds of the day: they breathe @param speaking their mouth moves
 */
export function drawPerson(number: number, seconds: number, speaking: boolean): Uint8Array {
  const { width, height } = PICTURE
  const look = <Of>(all: readonly Of[], step: number) => all[(number * step + step) % all.length] as Of
  const skin = yuv(look(SKINS, 3))
  const dark = yuv(0x2a211d)
  const sway = 4 * Math.sin(seconds * 0.7 + number)
  const nod = 2 * Math.sin(seconds * 1.3 + number * 2)
  const x = width / 2 + sway
  const mouth = speaking ? 3 + 5 * Math.abs(Math.sin(seconds * 9)) : 2
  const isBlinking = (seconds + number * 0.7) % 4 < 0.15
  const shapes: Shape[] = [
    { colour: yuv(look(CLOTHES, 1)), x: x - sway / 2, y: height + 22, width: 92, height: 74 },
    { colour: yuv(look(HAIRS, 2)), x, y: 80 + nod, width: 47, height: 54 },
    { colour: skin, x, y: 122 + nod, width: 17, height: 30 },
    { colour: skin, x, y: 92 + nod, width: 38, height: 46 },
    { colour: yuv(look(HAIRS, 2)), x, y: 54 + nod, width: 39, height: 17 },
    ...[-14, 14].map((side) => ({
      colour: dark,
      x: x + side,
      y: 88 + nod,
      width: 3.6,
      height: isBlinking ? 0.8 : 4.4,
    })),
    { colour: yuv(0x7c2f2b), x, y: 114 + nod, width: 11, height: mouth },
  ]
  return paint(yuv(look(WALLS, 1)), shapes)
}

/** Ellipses over a wall, the later over the earlier. */
function paint(wall: Colour, shapes: readonly Shape[]): Uint8Array {
  const { width, height } = PICTURE
  const bytes = new Uint8Array((width * height * 3) / 2)
  const quarter = (width * height) / 4
  const planes = [
    bytes.subarray(0, quarter * 4),
    bytes.subarray(quarter * 4, quarter * 5),
    bytes.subarray(quarter * 5),
  ]
  for (const [at, plane] of planes.entries()) plane.fill(wall[at] as number)
  for (const { colour, ...shape } of shapes)
    for (const [at, plane] of planes.entries())
      fillEllipse(plane, at === 0 ? 1 : 2, shape, colour[at] as number)
  return bytes
}

/** @param scale how many pixels of the picture are one of the plane, each way */
function fillEllipse(plane: Uint8Array, scale: number, shape: Omit<Shape, 'colour'>, value: number): void {
  const [columns, rows] = [PICTURE.width / scale, PICTURE.height / scale]
  const [x, y] = [shape.x / scale, shape.y / scale]
  const [radiusX, radiusY] = [shape.width / scale, shape.height / scale]
  for (let row = Math.max(0, Math.ceil(y - radiusY)); row < Math.min(rows, y + radiusY); row += 1) {
    const half = radiusX * Math.sqrt(Math.max(0, 1 - ((row - y) / radiusY) ** 2))
    plane.fill(
      value,
      row * columns + Math.max(0, Math.round(x - half)),
      row * columns + Math.min(columns, Math.round(x + half)),
    )
  }
}

/** BT.601, as video has it. */
function yuv(rgb: number): Colour {
  const [r, g, b] = [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255]
  return [
    16 + 0.257 * r + 0.504 * g + 0.098 * b,
    128 - 0.148 * r - 0.291 * g + 0.439 * b,
    128 + 0.439 * r - 0.368 * g - 0.071 * b,
  ]
}

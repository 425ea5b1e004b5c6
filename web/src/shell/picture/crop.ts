import { pictureRules } from '@atrium/client/picture'

/** The size of a picture, in pixels. */
export interface Size {
  width: number
  height: number
}

/** The square of a picture that is shown, in its pixels. */
export interface Crop {
  x: number
  y: number
  side: number
}

/** The largest square, of the middle. */
export function wholeCrop({ width, height }: Size): Crop {
  const side = Math.min(width, height)
  return { x: (width - side) / 2, y: (height - side) / 2, side }
}

/** How far one may zoom in: no square is chosen that is smaller than the office takes it. 1 where not at all. */
export function maxZoom(size: Size): number {
  return Math.max(1, wholeCrop(size).side / pictureRules.minSide)
}

/** Whether the office takes any square of it. */
export function isLargeEnough(size: Size): boolean {
  return wholeCrop(size).side >= pictureRules.minSide
}

export function zoomOf(crop: Crop, size: Size): number {
  return wholeCrop(size).side / crop.side
}

/** Zoomed around its middle, and still inside the picture. */
export function zoomed(crop: Crop, size: Size, zoom: number): Crop {
  const side = wholeCrop(size).side / Math.min(Math.max(zoom, 1), maxZoom(size))
  const inset = (crop.side - side) / 2
  return inside({ x: crop.x + inset, y: crop.y + inset, side }, size)
}

/** Moved by pixels of the picture, as far as it goes. */
export function moved(crop: Crop, size: Size, across: number, down: number): Crop {
  return inside({ ...crop, x: crop.x + across, y: crop.y + down }, size)
}

/** Where it is between the two ends of the picture, from 0 to 1; the middle where there is no room to move. */
export function placeOf(crop: Crop, size: Size): { across: number; down: number } {
  const part = (at: number, room: number) => (room > 0 ? at / room : 0.5)
  return { across: part(crop.x, size.width - crop.side), down: part(crop.y, size.height - crop.side) }
}

/** Put between the two ends of the picture; undefined: it stays there. */
export function placed(crop: Crop, size: Size, to: { across?: number; down?: number }): Crop {
  const { across, down } = { ...placeOf(crop, size), ...to }
  return { ...crop, x: across * (size.width - crop.side), y: down * (size.height - crop.side) }
}

function inside({ x, y, side }: Crop, { width, height }: Size): Crop {
  return { x: clamp(x, width - side), y: clamp(y, height - side), side }
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max)
}

import type { Rect } from '../../../plan/building.ts'
import { NAME_HEIGHT, type Point } from '../../../plan/furniture/drawing.ts'

/** A face at a seat, with the name below it. */
export interface TakenSeat extends Point {
  nameWidth: number
}

export interface ScreenPlaceInput {
  /** Where it stands if nothing is there. */
  wish: Point
  /** Of the person who shares, if at a seat: the screen may stand behind the head, not before the face. */
  sharing: Point | undefined
  faces: readonly TakenSeat[]
  /** Seats that would be left free for others, if there is a choice. */
  seats: readonly Point[]
  /** Where it is written how many more there are. */
  more?: Point | undefined
  /** Of a face. */
  face: number
  room: { width: number; height: number }
}

/** As `.screen-shared` is drawn (`shared-screen.css`). */
export const SCREEN = { width: 40, height: 26 }
/** The name of the room ends above it. */
const TOP = 30
/** From the walls. */
const EDGE = 4
/** So much of a screen is seen above the head of the person before it. */
const SEEN = 14
/** As wide as a number of three digits. */
const MORE = 44
const STEP = 4

/**
 * The place of a shared screen nearest to the wish, on no face, name or label, and on no seat if there is a choice.
 * Undefined where the room has no such place.
 */
export function screenPlace(input: ScreenPlaceInput): Point | undefined {
  const taken = takenIn(input)
  const seats = input.seats.map((seat) => faceAt(seat, input.face))
  return nearestFree(input, [...taken, ...seats]) ?? nearestFree(input, taken)
}

function takenIn({ faces, sharing, face, more }: ScreenPlaceInput): Rect[] {
  const written = more ? [{ ...faceAt(more, face), x: more.x - MORE / 2, width: MORE }] : []
  const seated = faces.flatMap((seat) => {
    const { x, y, nameWidth } = seat
    const isSharing = x === sharing?.x && y === sharing.y
    const whole = faceAt(seat, face)
    const top = Math.min(SCREEN.height - SEEN, face)
    return [
      isSharing ? { ...whole, y: whole.y + top, height: face - top } : whole,
      { x: x - nameWidth / 2, y: y + face / 2, width: nameWidth, height: NAME_HEIGHT },
    ]
  })
  return [...seated, ...written]
}

function faceAt({ x, y }: Point, face: number): Rect {
  return { x: x - face / 2, y: y - face / 2, width: face, height: face }
}

function nearestFree({ wish, room }: ScreenPlaceInput, taken: readonly Rect[]): Point | undefined {
  const [halfWidth, halfHeight] = [SCREEN.width / 2, SCREEN.height / 2]
  const isInside = ({ x, y }: Point) =>
    x - halfWidth >= EDGE &&
    x + halfWidth <= room.width - EDGE &&
    y - halfHeight >= TOP &&
    y + halfHeight <= room.height - EDGE
  const isFree = ({ x, y }: Point) =>
    taken.every(
      (one) =>
        x + halfWidth <= one.x ||
        x - halfWidth >= one.x + one.width ||
        y + halfHeight <= one.y ||
        y - halfHeight >= one.y + one.height,
    )
  if (isInside(wish) && isFree(wish)) return wish
  let nearest: Point | undefined
  let least = Number.POSITIVE_INFINITY
  for (let x = wish.x % STEP; x < room.width; x += STEP)
    for (let y = wish.y % STEP; y < room.height; y += STEP) {
      const distance = (x - wish.x) ** 2 + (y - wish.y) ** 2
      if (distance >= least || !isInside({ x, y }) || !isFree({ x, y })) continue
      nearest = { x, y }
      least = distance
    }
  return nearest
}

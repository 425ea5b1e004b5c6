import type { PlacedRoom } from '../floor/plan/plots.ts'

/** What a new office may begin with, in its order. */
export const firstKinds = ['kitchen', 'meeting', 'focus', 'lounge', 'stage', 'desk'] as const
export type FirstKind = (typeof firstKinds)[number]

/** Built unless one chooses otherwise. */
export const usualKinds: readonly FirstKind[] = ['kitchen', 'meeting', 'focus', 'lounge']

/** Of each room of so many seats, where the usual number of its kind is another one. */
export const firstSeats: Partial<Record<FirstKind, number>> = { meeting: 8 }

const STEP = 1_000
/** Where the office puts desks: behind all rooms. */
const LAST = 1_000_000

/** Each kind has its place, built or not: what is chosen besides moves nothing. */
export function positionOf(kind: FirstKind): number {
  if (kind === 'desk') return LAST
  return (firstKinds.indexOf(kind) + 1) * STEP
}

/** The chosen rooms as the floor will have them. */
export function firstRooms(chosen: readonly FirstKind[]): PlacedRoom[] {
  return firstKinds
    .filter((kind) => chosen.includes(kind))
    .map((kind) => ({ id: kind, kind, seats: firstSeats[kind] ?? null, position: positionOf(kind) }))
}

/** Of RTP: 16 bits, which begin anew after the highest. */
const COUNT = 0x10000

/** @returns the number so many before another */
export function numberBefore(sequenceNumber: number, back: number): number {
  return (sequenceNumber - back + COUNT) % COUNT
}

/** @returns how many lie from the other to the number; half of all and more where it is before the other */
export function aheadOf(sequenceNumber: number, other: number): number {
  return (sequenceNumber - other + COUNT) % COUNT
}

export function isBefore(sequenceNumber: number, other: number): boolean {
  return aheadOf(sequenceNumber, other) >= COUNT / 2
}

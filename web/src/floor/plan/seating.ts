import { hashOf } from './hashing.ts'

/** Who sits on which seat. It is not data: each client has its own. */
export type Seating = ReadonlyMap<string, number>

/**
 * People keep the seats that they have. A newcomer sits on the seat that the id hashes to, else on the next free one;
 * without a free seat a newcomer has none.
 * @param people in the order they came in
 * @param wanted the seat of a particular person, as the stage is for the presenter
 */
export function seated(
  before: Seating,
  people: readonly string[],
  seats: number,
  wanted: (id: string) => number | undefined = () => undefined,
): Seating {
  const next = new Map<string, number>()
  const taken = new Set<number>()
  for (const id of people) {
    const seat = before.get(id)
    if (seat === undefined || seat >= seats || taken.has(seat)) continue
    next.set(id, seat)
    taken.add(seat)
  }
  for (const id of people) {
    if (next.has(id) || taken.size >= seats) continue
    let seat = (wanted(id) ?? hashOf(id)) % seats
    while (taken.has(seat)) seat = (seat + 1) % seats
    next.set(id, seat)
    taken.add(seat)
  }
  return next
}

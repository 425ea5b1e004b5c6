/** Since when each hand is up, by identity. */
export type Hands = ReadonlyMap<string, number>

export const NO_HANDS: Hands = new Map()

/** Clocks of two machines, though both go by the office's, differ by less. */
const CLOCKS_DIFFER_MS = 10_000

/** @param now by the office's clock: no hand goes up in the future */
export function withHand(hands: Hands, identity: string, since: number, now: number): Hands {
  const at = Math.min(since, now + CLOCKS_DIFFER_MS)
  return hands.get(identity) === at ? hands : new Map(hands).set(identity, at)
}

/** When a hand is raised that goes up now: after all that are known, whatever the clocks of the others say. */
export function raisedAt(hands: Hands, now: number): number {
  return Math.max(now, ...[...hands.values()].map((since) => since + 1))
}

export function withoutHand(hands: Hands, identity: string): Hands {
  if (!hands.has(identity)) return hands
  const left = new Map(hands)
  left.delete(identity)
  return left
}

/** Whose hands are up, first raised first; the same on every page. */
export function inOrder(hands: Hands): readonly string[] {
  return [...hands]
    .sort(([one, since], [other, otherSince]) => since - otherSince || (one < other ? -1 : 1))
    .map(([identity]) => identity)
}

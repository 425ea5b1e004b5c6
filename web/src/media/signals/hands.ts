/** Since when each hand is up, by identity. */
export type Hands = ReadonlyMap<string, number>

export const NO_HANDS: Hands = new Map()

/** @param now by the office's clock: nobody raises a hand in the future */
export function withHand(hands: Hands, identity: string, since: number, now: number): Hands {
  const at = Math.min(since, now)
  return hands.get(identity) === at ? hands : new Map(hands).set(identity, at)
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

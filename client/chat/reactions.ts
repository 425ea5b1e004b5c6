/** One kind of reaction to a message. */
export interface Reaction {
  emoji: string
  count: number
  /** The first 20 who reacted so: `User.id`s. */
  userIds: readonly string[]
  /** Whether it is one of the caller's. */
  mine: boolean
}

export interface ReactionChange {
  emoji: string
  /** Whose: a `User.id`. */
  userId: string
  added: boolean
  /** How many there are now, where the office has said so. */
  count?: number
}

const SHOWN = 20

/** The reactions after a person added one or took it back. What is so already stays. */
export function withReaction(
  reactions: readonly Reaction[],
  { emoji, userId, added, count }: ReactionChange,
  me: string | undefined,
): readonly Reaction[] {
  const known = reactions.find((one) => one.emoji === emoji)
  const before = known ?? { emoji, count: 0, userIds: [], mine: false }
  const isMine = userId === me
  const isThere = isMine ? before.mine : before.userIds.includes(userId)
  const others = before.userIds.filter((one) => one !== userId)
  const step = isThere === added ? 0 : added ? 1 : -1
  const after: Reaction = {
    emoji,
    count: count ?? before.count + step,
    userIds: added ? (isThere ? before.userIds : [...others, userId].slice(0, SHOWN)) : others,
    mine: isMine ? added : before.mine,
  }
  if (after.count <= 0) return reactions.filter((one) => one.emoji !== emoji)
  if (!known) return [...reactions, after]
  return reactions.map((one) => (one === known ? after : one))
}

import type { ListedMessage } from './message-groups.ts'

interface Placed {
  index: number
  start: number
  end: number
}

/** The space below the last line of a message does not have to be in sight. */
const BELOW_PX = 12

/** The newest message of which the end is in sight; undefined where there is none. */
export function newestSeen(
  listed: readonly ListedMessage[],
  placed: readonly Placed[],
  { top, height }: { top: number; height: number },
): number | undefined {
  const inSight = placed.filter(({ start, end }) => end <= top + height + BELOW_PX && end > top && start >= 0)
  const ids = inSight.flatMap(({ index }) => listed[index]?.message.message_id ?? [])
  return ids.length > 0 ? Math.max(...ids) : undefined
}

/** How many messages of others came after one. */
export function countAfter(
  listed: readonly ListedMessage[],
  messageId: number,
  me: string | undefined,
): number {
  return listed.filter(
    ({ message: { message_id = 0, sender_id } }) => message_id > messageId && String(sender_id) !== me,
  ).length
}

import { keepOfPerson, keptOfPerson } from '../live/of-person.ts'

/** So long the office may still take a person who has left for one who is inside. */
const HEARD_WITHIN_MS = 10_000
const NAME = 'left-room'

/**
 * The room that was left in this tab a moment ago, by the page before a reload too: a person who comes back takes nothing
 * over from another one.
 */
export const justLeft = {
  /** @param participantSid of a connection that the page itself will come back in place of */
  note(roomId: string, participantSid = ''): void {
    keepOfPerson(NAME, `${Date.now()} ${roomId} ${participantSid}`)
  },
  was: (roomId: string): boolean => sidOf(roomId) !== undefined,
  /** Undefined where there is none to come back in place of. */
  connection: (roomId: string): string | undefined => sidOf(roomId) || undefined,
  forget: (): void => keepOfPerson(NAME, ''),
}

/** Undefined where it is another room, or was left before. */
function sidOf(roomId: string): string | undefined {
  const [at, left, sid] = (keptOfPerson(NAME) ?? '').split(' ')
  return left === roomId && Date.now() - Number(at) < HEARD_WITHIN_MS ? sid : undefined
}

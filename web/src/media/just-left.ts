import { keepOfPerson, keptOfPerson } from '../live/of-person.ts'

/** So long the office may still take a person who has left for one who is inside. */
const HEARD_WITHIN_MS = 10_000
const NAME = 'left-room'

/**
 * The room that was left in this tab a moment ago, by the page before a reload too: a person who comes back takes nothing
 * over from another one.
 */
export const justLeft = {
  note(roomId: string): void {
    keepOfPerson(NAME, `${Date.now()} ${roomId}`)
  },
  was(roomId: string): boolean {
    const [at, left] = (keptOfPerson(NAME) ?? '').split(' ')
    return left === roomId && Date.now() - Number(at) < HEARD_WITHIN_MS
  },
}

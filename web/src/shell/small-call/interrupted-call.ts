import { keepOfPerson, keptOfPerson } from '../../live/of-person.ts'

const NAME = 'interrupted-call'
/** After more time the reload had another reason. */
const OFFERED_FOR_MS = 60_000

/** The room that the person was in, on whichever screen, when the page was loaded anew. */
export const interruptedCall = {
  note(roomId: string): void {
    keepOfPerson(NAME, `${Date.now()} ${roomId}`)
  },
  /** @returns its id, once */
  take(): string | undefined {
    const [at, roomId] = (keptOfPerson(NAME) ?? '').split(' ')
    keepOfPerson(NAME, '')
    return roomId && Date.now() - Number(at) < OFFERED_FOR_MS ? roomId : undefined
  },
}

/** So long the office may still take somebody who has left for one who is inside. */
const HEARD_WITHIN_MS = 10_000

let last: { roomId: string; at: number } | undefined

/** The room that was left in this tab a moment ago: whoever comes back takes nothing over from another one. */
export const justLeft = {
  note(roomId: string): void {
    last = { roomId, at: Date.now() }
  },
  was(roomId: string): boolean {
    return last?.roomId === roomId && Date.now() - last.at < HEARD_WITHIN_MS
  },
}

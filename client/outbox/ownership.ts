import { backoffMs } from '../requests/backoff.ts'
import type { OutboxOwner } from './entry.ts'

/** The owner of the outbox, as soon as the office has said so: it is asked until it answers. */
export interface Ownership {
  known(): OutboxOwner | undefined
  wanted(): Promise<OutboxOwner>
  /** Asks at once where it waits before it asks again. */
  wake(): void
  close(): void
}

export function createOwnership(
  ask: () => Promise<OutboxOwner>,
  onKnown: (owner: OutboxOwner) => void,
  random: () => number,
): Ownership {
  let owner: OutboxOwner | undefined
  let closed = false
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let tell: (owner: OutboxOwner) => void = () => {}
  const wanted = new Promise<OutboxOwner>((resolve) => {
    tell = resolve
  })
  const learn = async () => {
    clearTimeout(timer)
    timer = undefined
    try {
      const answered = await ask()
      if (closed || owner) return
      owner = answered
      onKnown(answered)
      tell(answered)
    } catch {
      if (closed) return
      failures += 1
      timer = setTimeout(learn, backoffMs(failures, 0, random))
    }
  }
  void learn()
  return {
    known: () => owner,
    wanted: () => wanted,
    wake: () => void (timer && learn()),
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
